import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeFailure, failureOf } from '../../dashboard/src/api/failure.ts';

const UNKNOWN = 'The server answered with status 502.';

const refusal = (body: string, init: ResponseInit = {}) =>
  failureOf(new Response(body, { status: 502, ...init }));

test('a refusal of the API is told as it is, with its fields', async () => {
  const errors = [
    { code: 7, message: 'Too short', source: { pointer: '/a~1b/0' } },
    { code: 8, message: 'Other' },
  ];
  const failure = await refusal(JSON.stringify({ errors }), { status: 400 });
  assert.deepEqual([failure.status, failure.code], [400, 7]);
  assert.deepEqual(failure.fieldFaults, [{ path: 'a/b.0', message: 'Too short' }]);
  assert.equal(describeFailure(failure), 'Too short; Other.');
});

test('whatever something on the way answers, a sentence comes of it', async () => {
  for (const body of [
    '',
    '<h1>Bad gateway</h1>',
    'null',
    '7',
    '[]',
    '{}',
    '{"errors":null}',
    '{"errors":{}}',
    '{"errors":[]}',
    '{"errors":["text",null,7]}',
    '{"errors":[{}]}',
    '{"errors":[{"code":"x","message":"y"}]}',
    '{"errors":[{"code":1,"message":{"a":1}}]}',
    '{"errors":[{"code":1,"message":"y","source":{"pointer":7}}]}',
    '{"errors":[{"code":1,"message":"y","source":null}]}',
  ]) {
    const failure = await refusal(body);
    assert.equal(describeFailure(failure), UNKNOWN, body);
    assert.deepEqual(failure.fieldFaults, [], body);
  }
});

test('who has to wait is told how long, when that is known', async () => {
  const body = '{"errors":[{"code":1,"message":"Too many requests"}]}';
  for (const [retryAfter, expected] of [
    ['7', 'Too many requests. Try again in 7 s.'],
    ['Wed, 21 Oct 2037 07:28:00 GMT', 'Too many requests.'],
    [undefined, 'Too many requests.'],
  ] as const) {
    const headers = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
    assert.equal(describeFailure(await refusal(body, { status: 429, headers })), expected);
  }
});
