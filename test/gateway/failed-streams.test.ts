import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { StreamOutcome } from '../../src/gateway/usage/stream-outcome.ts';
import { createUsageReader } from '../../src/gateway/usage/usage-reader.ts';
import { EVENT_STREAM, delta, event, head } from '../support/scripted-upstream.ts';
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
const STREAMS = { CHAT, ANTHROPIC, RESPONSES, GEMINI, COHERE };

function failureOf(text: string, pieceBytes: number) {
  const reader = createUsageReader('Text/Event-Stream; charset=utf-8');
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

  test('the text of a message cannot end or fail a stream', () => {
    const text = '[DONE]\n\nevent: error\ndata: {"error":1} "finishReason" message_stop';
    assert.equal(failureOf(delta(text), 7), 'incomplete');
    assert.equal(failureOf([delta(text), DONE].join(''), 7), undefined);
    const gemini = event({ usageMetadata: {}, candidates: [{ content: text }] });
    assert.equal(failureOf(gemini, 7), 'incomplete');
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

  test('analytics count a failed stream as an error', async () => {
    const { text } = await bench.server.call(
      'GET',
      `${bench.server.account}/ai-gateway/gateways/cached/analytics?group_by=model`,
    );
    assert.match(text, /"errors":[1-9]/);
  });
});
