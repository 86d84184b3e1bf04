import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { UsageChunkStripper } from '../../src/gateway/response/usage-chunk-stripper.ts';

/** Ends a stream that is complete. */
function end(stripper: UsageChunkStripper): Buffer {
  return stripper.end(false) ?? assert.fail('the stream cannot end');
}

const LINE_ENDS = ['\n', '\r\n', '\r'] as const;

const data = (value: unknown) =>
  `data: ${typeof value === 'string' ? value : JSON.stringify(value)}`;
const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };
const chunk = (content: string) => ({ id: '1', choices: [{ index: 0, delta: { content } }] });

/** Events that must pass, whatever is asked for. */
const PASSING = [
  data(chunk('Grüße 🌍')),
  data({ ...chunk('x'), usage: null }),
  data({ ...chunk('{"choices":[],"usage":{}}'), usage }),
  data(chunk('"choices":[]')),
  data({ choices: [], prompt_filter_results: [{}] }),
  data({ choices: [], usage: null }),
  data({ choices: [{ delta: { choices: [] } }], usage }),
  data({ error: { message: 'overloaded' } }),
  data('{"choices":[],"usage":{"broken'),
  data('[DONE]'),
  ': OPENROUTER PROCESSING',
  data({ choices: [], usage: [] }),
];

/** The chunk that is taken out, in the ways that it is written. */
const TAKEN_OUT = [
  data({ id: '1', choices: [], usage }),
  data({ usage, choices: [] }),
  `id: 7\nevent: chunk\ndata:{"choices" :\t[ ] ,"usage": {"total_tokens":3}}`,
  data(JSON.stringify({ choices: [], usage }, null, 1)).replaceAll('\n', '\ndata: '),
];

const events = fc.array(
  fc.oneof(
    fc.record({ text: fc.constantFrom(...PASSING), isTaken: fc.constant(false) }),
    fc.record({ text: fc.constantFrom(...TAKEN_OUT), isTaken: fc.constant(true) }),
  ),
  { maxLength: 8 },
);

const streams = fc.record({
  events,
  lineEnd: fc.constantFrom(...LINE_ENDS),
  cuts: fc.array(fc.nat({ max: 1_500 }), { maxLength: 12 }),
});

function feedAll(filter: UsageChunkStripper, pieces: readonly Buffer[]): string {
  const out = pieces.map((piece) => filter.write(piece));
  return Buffer.concat([...out, end(filter)]).toString();
}

function piecesOf(text: string, cuts: readonly number[]): Buffer[] {
  const bytes = Buffer.from(text);
  const places = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
  return places.slice(1).map((end, index) => bytes.subarray(places[index], end));
}

test('everything but the chunk with the usage passes, wherever the stream is cut', () => {
  fc.assert(
    fc.property(streams, ({ events: list, lineEnd, cuts }) => {
      const write = ({ text }: { text: string }) =>
        text.replaceAll('\n', lineEnd) + lineEnd + lineEnd;
      const stream = list.map(write).join('');
      const expected = list.filter(({ isTaken }) => !isTaken).map(write);
      assert.equal(feedAll(new UsageChunkStripper(), piecesOf(stream, cuts)), expected.join(''));
    }),
    { numRuns: 800 },
  );
});

for (const lineEnd of LINE_ENDS) {
  test(`byte by byte, with lines that end in ${JSON.stringify(lineEnd)}`, () => {
    const write = (text: string) => text.replaceAll('\n', lineEnd) + lineEnd + lineEnd;
    const stream = [...PASSING, ...TAKEN_OUT, data('[DONE]')].map(write).join('');
    const bytes = [...Buffer.from(stream)].map((byte) => Buffer.from([byte]));
    const expected = [...PASSING, data('[DONE]')].map(write).join('');
    assert.equal(feedAll(new UsageChunkStripper(), bytes), expected);
  });
}

test('whole events are not held back, nor copied', () => {
  const filter = new UsageChunkStripper();
  const block = Buffer.from(`${data(chunk('a'))}\n\n${data(chunk('b'))}\n\n`);
  assert.equal(filter.write(block), block);
  assert.equal(end(filter).length, 0);
});

test('an event passes as soon as it is known to be another one', () => {
  const filter = new UsageChunkStripper();
  assert.equal(filter.write(Buffer.from('data: {"id":"1",')).toString(), '');
  const rest = '"choices":[{"delta":{"content":"and so';
  assert.equal(filter.write(Buffer.from(rest)).toString(), `data: {"id":"1",${rest}`);
  assert.equal(filter.write(Buffer.from(' on"}}]}\n')).toString(), ' on"}}]}');
  assert.equal(filter.write(Buffer.from('\ndata: [DO')).toString(), '\n\n');
  assert.equal(end(filter).toString(), 'data: [DO');
});

test('one that is too long to be that chunk is not held for ever', () => {
  const limit = 32 * 1024;
  const filter = new UsageChunkStripper();
  const begin = Buffer.from(`data: ${'x'.repeat(limit - 6)}`);
  assert.equal(filter.write(begin).length, 0);
  assert.equal(filter.write(Buffer.from('y')).length, limit + 1);
  assert.equal(filter.write(Buffer.from('z\n\n')).toString(), 'z\n\n');
});

test('the chunk is taken out of a stream without its last line end, or that breaks off in it', () => {
  const [first = ''] = TAKEN_OUT;
  const ended = new UsageChunkStripper();
  assert.equal(ended.write(Buffer.from(first)).length, 0);
  assert.equal(end(ended).length, 0);
  const broken = new UsageChunkStripper();
  broken.write(Buffer.from('data: {"choices":[],"usage":{"prom'));
  assert.equal(broken.abort().length, 0);
  const other = new UsageChunkStripper();
  other.write(Buffer.from('data: {"cho'));
  assert.equal(other.abort().toString(), 'data: {"cho');
});
