import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { onEachDatabase } from '../support/databases.ts';
import { type Answer, type TestServer, bootServer, request } from '../support/server.ts';

onEachDatabase((database) => {
  let server: TestServer;
  before(async () => {
    server = await bootServer(database);
  });
  after(() => server.stop());

  const complete = (fields: object): Promise<Answer> =>
    server.call('POST', `${server.account}/ai/v1/chat/completions`, {
      body: { model: 'local/echo', ...fields },
    });

  test('repeats the last user message and counts words as tokens', async () => {
    const { status, json } = await complete({
      messages: [
        { role: 'system', content: 'two words' },
        { role: 'user', content: 'first' },
        { role: 'assistant', content: null },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Hallo  schöne' },
            { type: 'text', text: ' Welt 🌍' },
          ],
        },
      ],
    });
    assert.equal(status, 200);
    assert.equal(json.object, 'chat.completion');
    assert.equal(json.model, 'echo');
    assert.equal(json.choices[0].message.content, 'Hallo  schöne Welt 🌍');
    assert.equal(json.choices[0].finish_reason, 'stop');
    assert.deepEqual(json.usage, { prompt_tokens: 7, completion_tokens: 4, total_tokens: 11 });
  });

  test('streams a word a chunk; usage only when asked for', async () => {
    const content = '  one\ttwo\n three  ';
    const events = async (fields: object) => {
      const { text } = await complete({
        messages: [{ role: 'user', content }],
        stream: true,
        ...fields,
      });
      const data = text.split('\n\n').map((event) => event.replace('data: ', ''));
      assert.equal(data.pop(), '');
      assert.equal(data.pop(), '[DONE]');
      return data.map((event) => JSON.parse(event));
    };
    const plain = await events({});
    const pieces = plain.map((event) => event.choices[0].delta.content ?? '');
    assert.equal(pieces.join(''), content);
    assert.deepEqual(pieces, ['', '  one', '\ttwo', '\n three', '  ', '']);
    assert.ok(plain.every((event) => event.usage === undefined));
    const withUsage = await events({ stream_options: { include_usage: true } });
    assert.deepEqual(withUsage.at(-1).usage, {
      prompt_tokens: 3,
      completion_tokens: 3,
      total_tokens: 6,
    });
  });

  const bad: [string, object, number, string | null][] = [
    ['no messages', {}, 400, null],
    ['an empty list', { messages: [] }, 400, 'messages'],
    ['a message that is none', { messages: ['x'] }, 400, 'messages.0'],
    ['a stream that is no flag', { messages: [{ role: 'user' }], stream: 'yes' }, 400, 'stream'],
    ['another model', { model: 'local/other', messages: [{ role: 'user' }] }, 404, 'model'],
  ];
  for (const [what, fields, expected, param] of bad) {
    test(`${expected} in the shape of the OpenAI API: ${what}`, async () => {
      const { status, json } = await complete(fields);
      assert.equal(status, expected);
      assert.equal(json.error.type, 'invalid_request_error');
      if (param !== null) assert.equal(json.error.param, param);
    });
  }

  test('413: more than it can take on the event loop', async () => {
    const messages = [{ role: 'user', content: 'x '.repeat(128 * 1024) }];
    assert.equal((await complete({ messages })).status, 413);
    const fits = [{ role: 'user', content: 'x '.repeat(127 * 1024) }];
    assert.equal((await complete({ messages: fits })).json.usage.completion_tokens, 127 * 1024);
  });

  test('serves its own path on the gateway host, and nothing else there', async () => {
    const base = `${server.origin}/v1/${server.accountId}/default/local`;
    const headers = { 'cf-aig-authorization': `Bearer ${server.token}` };
    const body = { model: 'echo', messages: [{ role: 'user', content: 'Hi' }] };
    const served = await request('POST', `${base}/chat/completions?x=1`, { headers, body });
    assert.equal(served.json.choices[0].message.content, 'Hi');
    const versioned = await request('POST', `${base}/v1/chat/completions`, { headers, body });
    assert.equal(versioned.json.choices[0].message.content, 'Hi');
    assert.equal((await request('GET', `${base}/chat/completions`, { headers })).status, 405);
    assert.equal((await request('POST', `${base}/files`, { headers, body })).status, 404);
    const broken = await request('POST', `${base}/chat/completions`, { headers, body: '{' });
    assert.equal(broken.status, 400);
  });
});
