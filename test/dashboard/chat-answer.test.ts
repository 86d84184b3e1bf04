import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  ChatStream,
  type Piece,
  readCompletion,
} from '../../dashboard/src/pages/gateways/playground/chat-answer.ts';
import {
  EMPTY_DRAFT,
  bodyOf,
  faultsOf,
  headersOf,
} from '../../dashboard/src/pages/gateways/playground/request-draft.ts';

const chunk = (fields: object): string => `data: ${JSON.stringify(fields)}`;
const delta = (fields: object, finish: string | null = null) => ({
  choices: [{ index: 0, delta: fields, finish_reason: finish }],
});

const EVENTS = [
  ': a comment',
  chunk(delta({ role: 'assistant', content: '' })),
  chunk(delta({ reasoning_content: 'hm' })),
  chunk(delta({ content: 'eins ' })),
  `event: chunk\nid: 7\n${chunk(delta({ content: 'zwei 🌍\r\n' }))}`,
  'data: no JSON',
  chunk(delta({}, 'stop')),
  chunk({ choices: [], usage: { prompt_tokens: 11, completion_tokens: 7 } }),
  'data: [DONE]',
];

function summed(pieces: readonly Piece[]) {
  const sum = pieces.reduce((all, piece) => ({
    ...all,
    ...piece,
    text: all.text + piece.text,
    thoughts: all.thoughts + piece.thoughts,
  }));
  return { ...sum };
}

test('a stream says the same however it is cut, and however its lines end', () => {
  for (const lineEnd of ['\n', '\r\n', '\r']) {
    const whole = `${EVENTS.join('\n\n')}\n\n`.replaceAll('\n', lineEnd);
    fc.assert(
      fc.property(fc.array(fc.nat(whole.length)), (cuts) => {
        const places = [0, ...cuts.toSorted((a, b) => a - b), whole.length];
        const stream = new ChatStream();
        const pieces = places.flatMap((place, index) =>
          stream.read(whole.slice(place, places[index + 1] ?? place)),
        );
        assert.deepEqual(summed([...pieces, ...stream.end()]), {
          text: 'eins zwei 🌍\r\n',
          thoughts: 'hm',
          finish: 'stop',
          tokensIn: 11,
          tokensOut: 7,
        });
        assert.ok(stream.hasEnded);
      }),
      { numRuns: 50 },
    );
  }
});

test('a stream that breaks off has no end, and one that fails says why', () => {
  const broken = new ChatStream();
  broken.read(`${chunk(delta({ content: 'eins' }))}\n\ndata: {"choi`);
  broken.end();
  assert.equal(broken.hasEnded, false);
  const [piece] = new ChatStream().read(`${chunk({ error: { message: 'gone' } })}\n\n`);
  assert.deepEqual(piece?.error, { message: 'gone' });
});

test('whole answers: texts, parts, refusals, and what is none', () => {
  const said = (message: object) =>
    readCompletion(JSON.stringify({ choices: [{ message }] }))?.text;
  assert.equal(said({ content: 'well' }), 'well');
  assert.equal(said({ content: [{ type: 'text', text: 'we' }, null, { text: 'll' }] }), 'well');
  assert.equal(said({ content: null, refusal: 'no' }), 'no');
  for (const body of ['', 'null', '[]', '"text"', '{}', '<html>']) {
    assert.equal(readCompletion(body), undefined, body);
  }
});

test('what is typed is checked before it is sent, and sent as the provider names it', () => {
  const draft = { ...EMPTY_DRAFT, model: ' openai/gpt-5 ', maxTokens: '10', isStreaming: false };
  assert.deepEqual(bodyOf(draft, []), {
    model: 'openai/gpt-5',
    messages: [],
    max_completion_tokens: 10,
  });
  assert.deepEqual(bodyOf({ ...EMPTY_DRAFT, model: 'cohere/x', maxTokens: '1' }, []), {
    model: 'cohere/x',
    messages: [],
    max_tokens: 1,
    stream: true,
  });
  assert.deepEqual(headersOf({ ...draft, cacheTtl: '60', metadata: '{ "team": "süd 🌍" }' }), {
    'cf-aig-cache-ttl': '60',
    'cf-aig-metadata': String.raw`{"team":"s\u00fcd \ud83c\udf0d"}`,
  });
  for (const [change, field] of [
    [{ model: ' ' }, 'model'],
    [{ temperature: '2.1' }, 'temperature'],
    [{ temperature: '-1' }, 'temperature'],
    [{ maxTokens: '0' }, 'maxTokens'],
    [{ maxTokens: '1e9' }, 'maxTokens'],
    [{ cacheTtl: '2592001' }, 'cacheTtl'],
    [{ metadata: '[1]' }, 'metadata'],
    [{ metadata: '{"a": {}}' }, 'metadata'],
    [{ metadata: `{"a": "${'ü'.repeat(2_000)}"}` }, 'metadata'],
  ] as const) {
    assert.deepEqual(Object.keys(faultsOf({ ...EMPTY_DRAFT, ...change })), [field]);
  }
  assert.deepEqual(faultsOf({ ...EMPTY_DRAFT, temperature: '0.7', metadata: '{"a": null}' }), {});
});
