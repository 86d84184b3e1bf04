import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { MAX_JSON_VALUES, measureJson } from '../../src/http/parse-json.ts';
import { TooManyValuesError, parseRequestJson } from '../../src/gateway/json/exact-json.ts';
import { MESSAGES, type ScriptedBench, entryOf, startScripted } from './scripted.ts';
import { UniversalClient } from './universal-client.ts';

/** A body with exactly so many values, most of them empty objects in `filler`. */
function withValues(body: object, values: number, insert: (filler: object[]) => object): object {
  let filler: object[] = [];
  const count = (): number => measureJson(JSON.stringify({ ...body, ...insert(filler) })).values;
  filler = [{}];
  const first = count();
  // Each further object adds itself and a comma.
  const missing = values - first;
  filler = [{}, ...Array.from({ length: Math.floor(missing / 2) }, () => ({}))];
  const made: object = { ...body, ...insert(filler), ...(missing % 2 === 1 ? { odd: 1 } : {}) };
  assert.equal(measureJson(JSON.stringify(made)).values, values);
  return made;
}

const inMetadata = (filler: object[]): object => ({ metadata: filler });

describe('the number of values of a request', () => {
  let bench: ScriptedBench;
  let client: UniversalClient;
  before(async () => {
    bench = await startScripted('sqlite');
    const { origin, accountId, token } = bench.server;
    client = await UniversalClient.open(
      `${origin.replace('http:', 'ws:')}/v1/${accountId}/default`,
      {
        'cf-aig-authorization': `Bearer ${token}`,
      },
    );
  });
  after(async () => {
    client.webSocket.close();
    await bench.stop();
  });

  const post = (path: string, body: unknown) =>
    bench.server.call('POST', `${bench.server.account}/ai/${path}`, { body });
  const chat = (model: string): object => ({ model, max_tokens: 5, messages: MESSAGES });
  const refusal = /more than 20000 values/;

  for (const [name, path, body, more = 0] of [
    ['a translated completion', 'v1/chat/completions', chat('anthropic/claude')],
    ['a translated message', 'v1/messages', chat('openai/translated')],
    ['local/echo', 'v1/chat/completions', chat('local/echo')],
    // The model of the path counts as one.
    ['run with the model in the path', 'run/local/echo', { messages: MESSAGES }, 1],
  ] as const) {
    test(`${name}: the limit is admitted, one more is refused`, async () => {
      const most = await post(path, withValues(body, MAX_JSON_VALUES - more, inMetadata));
      assert.doesNotMatch(most.text, refusal);
      const { status, text } = await post(
        path,
        withValues(body, MAX_JSON_VALUES - more + 1, inMetadata),
      );
      assert.equal(status, 400);
      assert.match(text, refusal);
    });
  }

  test('run with the model in the body', async () => {
    const { status, text } = await post('run', {
      model: 'local/echo',
      input: { messages: MESSAGES, metadata: Array.from({ length: 10_001 }, () => ({})) },
    });
    assert.equal(status, 400);
    assert.match(text, refusal);
  });

  test('a universal request, over HTTP and WebSocket', async () => {
    const many = Array.from({ length: 10_001 }, () => ({}));
    const entry = entryOf('local', 'echo', { query: { ...chat('echo'), metadata: many } });
    const { status, text } = await bench.callUniversal([entry]);
    assert.equal(status, 400);
    assert.match(text, refusal);
    const list = await bench.callUniversal(many);
    assert.match(list.text, refusal);
    client.send({ type: 'universal.create', request: [entry] });
    const last = await client.find(({ type }) => type === 'error');
    assert.match(last.error.message, refusal);
  });

  test('arguments of tool calls count, all together', async () => {
    const call = (values: number): object => ({
      role: 'assistant',
      tool_calls: [
        {
          id: 'c',
          type: 'function',
          function: {
            name: 'f',
            arguments: JSON.stringify({ a: Array.from({ length: values }, () => 1) }),
          },
        },
      ],
    });
    const ask = (...messages: object[]) =>
      post('v1/chat/completions', {
        ...chat('anthropic/claude'),
        messages: [...MESSAGES, ...messages],
      });
    assert.match((await ask(call(20_000))).text, refusal);
    assert.match((await ask(call(10_000), call(10_000))).text, refusal);
    assert.doesNotMatch((await ask(call(9_000), call(9_000))).text, refusal);
  });

  test('a request that is rejected for its body counts against the rate limit', async () => {
    await bench.createGateway('limited', { rate_limiting_interval: 60, rate_limiting_limit: 2 });
    const many = Array.from({ length: 10_001 }, () => ({}));
    const statuses: number[] = [];
    for (const body of [many, 'not JSON', [entryOf('local', 'echo')]]) {
      const { status } = await bench.callHost('POST', 'limited', { body });
      statuses.push(status);
    }
    assert.deepEqual(statuses, [400, 400, 429]);
  });

  test('so does a message on a WebSocket, which is refused before it is parsed', async () => {
    await bench.createGateway('limited-socket', {
      rate_limiting_interval: 60,
      rate_limiting_limit: 3,
    });
    const { origin, accountId, token } = bench.server;
    const url = `${origin.replace('http:', 'ws:')}/v1/${accountId}/limited-socket`;
    const socket = await UniversalClient.open(url, { 'cf-aig-authorization': `Bearer ${token}` });
    const errors: unknown[] = [];
    const eventId = 'mine';
    const filler = 'x'.repeat(64 * 1024);
    for (const message of [
      { type: 'other', request: { eventId } },
      [],
      { type: 'universal.create', request: Array.from({ length: 20_001 }, () => 1) },
      { type: 'universal.create', request: { eventId } },
      { type: 'universal.create', request: { eventId, filler } },
      { type: 'universal.create', request: Array.from({ length: 20_001 }, () => 1) },
    ]) {
      const seen = socket.messages.length;
      socket.send(message);
      const { error, metadata } = await socket.find((one) => socket.messages.indexOf(one) === seen);
      errors.push([error.status, typeof error.retryAfter, metadata.eventId]);
    }
    socket.webSocket.close();
    assert.deepEqual(errors, [
      [400, 'undefined', eventId],
      [400, 'undefined', undefined],
      [400, 'undefined', undefined],
      [429, 'number', eventId],
      [429, 'number', undefined],
      [429, 'number', undefined],
    ]);
  });
});

test('a request with more values than allowed is never parsed, whatever its shape', () => {
  const shape = fc.constantFrom('{}', '[]', '1', '""', '{"a":[]}', 'null');
  fc.assert(
    fc.property(
      shape,
      fc.integer({ min: 19_000, max: 25_000 }),
      fc.boolean(),
      (one, count, isNested) => {
        const list = `[${Array.from({ length: count }, () => one).join(',')}]`;
        const text = isNested
          ? JSON.stringify({ messages: [{ tool_calls: [{ function: { arguments: list } }] }] })
          : list;
        const isTooMuch =
          measureJson(list).values + (isNested ? measureJson(text).values : 0) > MAX_JSON_VALUES;
        if (isTooMuch) assert.throws(() => parseRequestJson(text), TooManyValuesError);
        else parseRequestJson(text);
      },
    ),
    { numRuns: 60 },
  );
});
