import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { StreamOutcome } from '../../src/gateway/usage/stream-outcome.ts';
import { createUsageReader } from '../../src/gateway/usage/usage-reader.ts';
import { EVENT_STREAM, delta, event, head } from '../support/scripted-upstream.ts';
import { awsMessage } from './aws-message.ts';
import { type ScriptedBench, startScripted } from './scripted.ts';

const DONE = event('[DONE]');
const typed = (type: string, more: object = {}): string => event({ type, ...more }, type);
const ERROR = { message: 'overloaded', type: 'overloaded_error' };

const CHAT = [delta('one'), delta('two'), DONE];
const ANTHROPIC = [
  typed('message_start', { message: { usage: { input_tokens: 1, output_tokens: 1 } } }),
  typed('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'hi' } }),
  typed('message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } }),
  typed('message_stop'),
];
const RESPONSES = [
  typed('response.created', { response: { id: 'r' } }),
  typed('response.output_text.delta', { delta: 'hi' }),
  typed('response.completed', { response: { usage: { input_tokens: 1, output_tokens: 1 } } }),
];
const GEMINI = [
  event({ candidates: [{ content: {} }], usageMetadata: { promptTokenCount: 1 } }),
  event({ candidates: [{ finishReason: 'STOP' }], usageMetadata: { promptTokenCount: 1 } }),
];
const COHERE = [typed('message-start'), typed('content-delta'), typed('message-end')];
const REPLICATE = [event('one', 'output'), event('two', 'output'), event('{}', 'done')];
const STREAMS = { CHAT, ANTHROPIC, RESPONSES, GEMINI, COHERE, REPLICATE };

const AWS = 'application/vnd.amazon.eventstream';
const aws = (type: string, payload: object = {}): Buffer =>
  awsMessage(payload, { ':event-type': type, ':message-type': 'event' });
const bytesOf = (event_: object): Buffer =>
  aws('chunk', { bytes: Buffer.from(JSON.stringify(event_)).toString('base64') });
const AWS_ERROR = awsMessage(
  { message: 'slow down' },
  { ':exception-type': 'throttlingException', ':message-type': 'exception' },
);
const lines = (...texts: object[]): Buffer[] =>
  texts.map((text) => Buffer.from(`${JSON.stringify(text)}\n`));
const [LINE_ERROR = Buffer.alloc(0)] = lines({ error: 'out of memory' });
const OTHER_STREAMS: Record<string, [string, Buffer[], Buffer]> = {
  'Bedrock Converse': [
    AWS,
    [
      aws('messageStart', { role: 'assistant' }),
      aws('contentBlockDelta', { delta: { text: 'messageStop' } }),
      aws('messageStop', { stopReason: 'end_turn' }),
    ],
    AWS_ERROR,
  ],
  'Anthropic on Bedrock': [
    AWS,
    [
      bytesOf({ type: 'message_start', message: {} }),
      bytesOf({ type: 'content_block_delta', delta: { text: 'message_stop' } }),
      bytesOf({ type: 'message_stop' }),
    ],
    AWS_ERROR,
  ],
  Ollama: [
    'application/x-ndjson',
    lines({ response: 'a', done: false }, { response: '"done":true', done: false }, { done: true }),
    LINE_ERROR,
  ],
  'Cohere, first API': [
    'application/stream+json',
    lines({ event_type: 'stream-start' }, { event_type: 'text' }, { event_type: 'stream-end' }),
    LINE_ERROR,
  ],
  'Gemini as a list': [
    'application/json; charset=UTF-8',
    ['[{"usageMetadata":{"promptTokenCount":1}}\n', ',{"candidates":[{}]}\n']
      .map((text) => Buffer.from(text))
      .concat(Buffer.from(',{"candidates":[{"finishReason":"STOP"}]}\n'), Buffer.from(']')),
    Buffer.from(',{"error":{"code":503,"message":"overloaded","status":"UNAVAILABLE"}}'),
  ],
};

function failureOf(
  text: string | Buffer,
  pieceBytes: number,
  contentType = 'Text/Event-Stream; charset=utf-8',
) {
  const reader = createUsageReader(contentType);
  const bytes = Buffer.from(text);
  for (let i = 0; i < bytes.length; i += pieceBytes) reader.feed(bytes.subarray(i, i + pieceBytes));
  return reader.failure?.();
}

describe('the outcome of a stream', () => {
  for (const [name, events] of Object.entries(STREAMS)) {
    test(`${name}: complete with its terminal event, in pieces of any size`, () => {
      fc.assert(
        fc.property(
          fc.integer({ min: 1, max: 200 }),
          fc.constantFrom('\n', '\r\n', '\r'),
          (size, end) => {
            assert.equal(failureOf(events.join('').replaceAll('\n', end), size), undefined);
          },
        ),
      );
    });

    test(`${name}: incomplete without it, wherever it ends`, () => {
      // A cut inside the first event leaves nothing that names the API.
      const [first = ''] = events;
      const last = events.at(-1) ?? '';
      const longest = events.join('').length - last.length;
      fc.assert(
        fc.property(fc.integer({ min: first.length, max: longest }), fc.nat(50), (length, size) => {
          assert.equal(failureOf(events.join('').slice(0, length), size + 1), 'incomplete');
        }),
      );
    });

    test(`${name}: an error event at any place is a failure`, () => {
      const errors = [
        event({ error: ERROR }),
        event({ type: 'error', error: ERROR }, 'error'),
        event('plain text', 'error'),
        `event:error\ndata: {}\n\n`,
        typed('response.failed', { response: {} }),
      ];
      fc.assert(
        fc.property(
          fc.nat(events.length),
          fc.constantFrom(...errors),
          fc.nat(50),
          (at, error, size) => {
            const text = [...events.slice(0, at), error, ...events.slice(at)].join('');
            assert.equal(failureOf(text, size + 1), 'error');
          },
        ),
      );
    });
  }

  test('on a path of chat completions, a stream needs [DONE], whatever its events contain', () => {
    const text = event({ choices: [{ delta: { content: 'one' } }] });
    for (const isCompletions of [true, false]) {
      const reader = createUsageReader('text/event-stream', isCompletions);
      reader.feed(Buffer.from(text));
      assert.equal(reader.failure?.(), isCompletions ? 'incomplete' : undefined);
      reader.feed(Buffer.from(DONE));
      assert.equal(reader.failure?.(), undefined);
    }
  });

  for (const [name, [contentType, events, error]] of Object.entries(OTHER_STREAMS)) {
    const size = fc.integer({ min: 1, max: 200 });

    test(`${name}: complete with its terminal event, in pieces of any size`, () => {
      fc.assert(
        fc.property(size, (bytes) => {
          assert.equal(failureOf(Buffer.concat(events), bytes, contentType), undefined);
        }),
      );
    });

    test(`${name}: incomplete without it, wherever it ends`, () => {
      const [first] = events;
      const whole = Buffer.concat(events);
      const longest = whole.length - (events.at(-1)?.length ?? 0);
      const cut = fc.integer({ min: first?.length ?? 0, max: longest });
      fc.assert(
        fc.property(cut, size, (length, bytes) => {
          assert.equal(failureOf(whole.subarray(0, length), bytes, contentType), 'incomplete');
        }),
      );
    });

    test(`${name}: an error at any later place is a failure`, () => {
      // Nothing follows the end of a list.
      const max = events.length - (String(events.at(-1)) === ']' ? 1 : 0);
      fc.assert(
        fc.property(fc.integer({ min: 1, max }), size, (at, bytes) => {
          const all = Buffer.concat([...events.slice(0, at), error, ...events.slice(at)]);
          assert.equal(failureOf(all, bytes, contentType), 'error');
        }),
      );
    });
  }

  test('a malformed event stream of AWS is incomplete', () => {
    const long = awsMessage({}, { ':event-type': 'x'.repeat(300) });
    assert.equal(failureOf(long, 7, AWS), undefined);
    // The name of the header ends behind the headers.
    const wrong = Buffer.from(long);
    wrong[12] = 0xff;
    wrong.fill(0x07, 13, 280);
    for (const bytes of [wrong, Buffer.alloc(12, 0xff), Buffer.from('no such stream')]) {
      assert.equal(failureOf(bytes, 7, AWS), 'incomplete');
    }
  });

  test('errors of single results do not fail a list or the results of a batch', () => {
    const result = { id: 'r', custom_id: 'c', error: { message: 'refused' } };
    assert.equal(failureOf(`${JSON.stringify(result)}\n`, 7, 'application/jsonl'), undefined);
    assert.equal(failureOf(JSON.stringify([result]), 7, 'application/json'), undefined);
    assert.equal(failureOf(JSON.stringify(result), 7, 'application/json'), undefined);
  });

  test('the text of a message cannot end or fail a stream', () => {
    const text = '[DONE]\n\nevent: error\ndata: {"error":1} "finishReason" message_stop';
    assert.equal(failureOf(delta(text), 7), 'incomplete');
    assert.equal(failureOf([delta(text), DONE].join(''), 7), undefined);
    const gemini = event({ usageMetadata: {}, candidates: [{ content: text }] });
    assert.equal(failureOf(gemini, 7), 'incomplete');
  });

  test('a stream without a complete event is incomplete', () => {
    for (const text of ['', ': ping\n\n', 'event: ping\n\n', 'data: {"tick":', '{"error":{}}']) {
      assert.equal(failureOf(text, 3), 'incomplete', text);
    }
  });

  test('escapes in the name of a member hide no error', () => {
    const escaped = Array.from('error', (letter) =>
      fc.constantFrom(letter, `\\u00${letter.charCodeAt(0).toString(16)}`),
    );
    fc.assert(
      fc.property(fc.tuple(...escaped), fc.nat(50), (letters, size) => {
        const text = [delta('one'), `data: {"${letters.join('')}":{"message":"x"}}\n\n`, DONE];
        assert.equal(failureOf(text.join(''), size + 1), 'error');
      }),
    );
    assert.equal(failureOf(`${CHAT.join('')}data: {"\\u00":1}\n\n`, 7), undefined);
  });

  test('JSON that ends before its last bracket is malformed', () => {
    const text = JSON.stringify({ choices: [{ message: { content: 'one "]}' } }], usage: {} });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: text.length }), fc.nat(50), (length, size) => {
        const expected = length === text.length ? undefined : 'malformed';
        assert.equal(failureOf(text.slice(0, length), size + 1, 'application/json'), expected);
      }),
    );
  });

  for (const type of ['text/plain; charset=utf-8', 'application/octet-stream', '']) {
    test(`an event stream with the content type "${type}" is judged as one`, () => {
      for (const size of [1, 5, 6, 50]) {
        assert.equal(failureOf(CHAT.join(''), size, type), undefined);
        assert.equal(failureOf(CHAT.slice(0, 2).join(''), size, type), 'incomplete');
        assert.equal(failureOf(`${delta('one')}${event({ error: ERROR })}`, size, type), 'error');
        assert.equal(failureOf('a plain text: data: {', size, type), undefined);
      }
    });
  }

  test('a byte order mark hides no error', () => {
    for (const size of [1, 2, 3, 50]) {
      const text = `\ufeff${event({ error: ERROR })}${event({ tick: 1 })}`;
      assert.equal(failureOf(text, size), 'error');
      assert.equal(failureOf(`\ufeff${CHAT.join('')}`, size), undefined);
    }
  });

  test('a stream of an unknown API is complete, unless it contains an error', () => {
    assert.equal(failureOf(event({ tick: 1 }), 7), undefined);
    assert.equal(failureOf(event({ error: null }), 7), undefined);
    assert.equal(new StreamOutcome().failure, undefined);
  });
});

describe('a failed stream', () => {
  let bench: ScriptedBench;
  before(async () => {
    bench = await startScripted('sqlite');
    await bench.createGateway('cached', { cache_ttl: 600 });
  });
  after(() => bench.stop());

  const call = (model: string) =>
    bench.complete(model, { 'cf-aig-gateway-id': 'cached' }, { stream: true, max_tokens: 5 });

  const CASES = [
    ['chat-whole', 'openai/', CHAT, true],
    ['chat-cut', 'openai/', CHAT.slice(0, 2), false],
    ['chat-error', 'openai/', [delta('one'), event({ error: ERROR }), DONE], false],
    ['claude-whole', 'anthropic/', ANTHROPIC, true],
    ['claude-cut', 'anthropic/', ANTHROPIC.slice(0, 3), false],
    [
      'claude-error',
      'anthropic/',
      [...ANTHROPIC.slice(0, 2), typed('error', { error: ERROR })],
      false,
    ],
  ] as const;

  for (const [name, provider, events, isWhole] of CASES) {
    test(`${name} is ${isWhole ? 'cached' : 'not cached'} and logged as a ${isWhole ? 'success' : 'failure'}`, async () => {
      await bench.upstream.set(name, [head(200, EVENT_STREAM), ...events]);
      const first = await call(provider + name);
      assert.deepEqual([first.status, first.headers.get('cf-aig-cache-status')], [200, 'MISS']);
      if (!isWhole) assert.match(first.text, /"error"/);
      const second = await call(provider + name);
      assert.equal(second.headers.get('cf-aig-cache-status'), isWhole ? 'HIT' : 'MISS');
      const [row] = (await bench.logs('cached')).filter(({ model }) => model.endsWith(name));
      assert.equal(row.success, isWhole);
      assert.equal(row.status_code, isWhole ? 200 : 502);
    });
  }

  for (const [name, texts, isWhole] of [
    ['lines-whole', lines({ done: false }, { done: true }), true],
    ['lines-cut', lines({ done: false }, { done: false }), false],
    ['lines-error', [...lines({ done: false }), LINE_ERROR], false],
  ] as const) {
    test(`${name} is ${isWhole ? 'cached' : 'not cached'}`, async () => {
      const type = head(200, { 'content-type': 'application/x-ndjson' });
      await bench.upstream.set(name, [type, ...texts.map(String)]);
      const first = call(`openai/${name}`);
      if (name === 'lines-cut') await assert.rejects(first);
      else assert.equal((await first).status, 200);
      const second = await call(`openai/${name}`).catch(() => undefined);
      assert.equal(second?.headers.get('cf-aig-cache-status') === 'HIT', isWhole);
      const [row] = (await bench.logs('cached')).filter(({ model }) => model.endsWith(name));
      assert.deepEqual([row.success, row.status_code], isWhole ? [true, 200] : [false, 502]);
    });
  }

  test('a truncated JSON body reaches the client, is not cached, and is logged as a failure', async () => {
    const text = '{"choices":[{"message":{"content":"one"';
    await bench.upstream.set('json-cut', [head(200, { 'content-type': 'application/json' }), text]);
    for (const status of ['MISS', 'MISS']) {
      const answer = await bench.complete('openai/json-cut', { 'cf-aig-gateway-id': 'cached' });
      assert.deepEqual([answer.status, answer.text], [200, text]);
      assert.equal(answer.headers.get('cf-aig-cache-status'), status);
    }
    const [row] = (await bench.logs('cached')).filter(({ model }) => model.endsWith('json-cut'));
    assert.deepEqual([row.success, row.status_code], [false, 502]);
  });

  for (const encoding of ['gzip', 'unknown', 'gzip, gzip']) {
    test(`a body that ends within its encoding ${encoding} is not cached`, async () => {
      const name = `encoded-${encoding.replaceAll(/\W/g, '')}`;
      const type = head(200, { ...EVENT_STREAM, 'content-encoding': encoding });
      await bench.upstream.set(name, [type, ...CHAT]);
      await call(`openai/${name}`).catch(() => undefined);
      const second = await call(`openai/${name}`).catch(() => undefined);
      assert.notEqual(second?.headers.get('cf-aig-cache-status'), 'HIT');
      const [row] = (await bench.logs('cached')).filter(({ model }) => model.endsWith(name));
      assert.equal(row.success, false);
    });
  }

  test('analytics count a failed stream as an error', async () => {
    const { text } = await bench.server.call(
      'GET',
      `${bench.server.account}/ai-gateway/gateways/cached/analytics?group_by=model`,
    );
    assert.match(text, /"errors":[1-9]/);
  });
});
