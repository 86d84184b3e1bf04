import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { JsonMembers, type WantedMembers } from '../../src/gateway/usage/json-members.ts';

const WANTED: WantedMembers = new Map<string, 'whole' | Set<string>>([
  ['usage', 'whole'],
  ['response', new Set(['usage', 'meta'])],
]);
const LARGEST_VALUE_BYTES = 64 * 1024;

/** What is found in the objects of a text that comes in these pieces. */
function find(pieces: (string | Buffer)[]): object[] {
  const found: object[] = [];
  const members = new JsonMembers(WANTED, (one) => found.push(one));
  for (const piece of pieces) members.feed(Buffer.from(piece));
  members.end();
  return found;
}

type Answer = Record<string, unknown>;

/** The same, by the whole text. */
function expectedOf(answer: Answer): object[] {
  const found: Answer = {};
  const { usage, response } = answer;
  if (usage !== undefined && usage !== null) found.usage = usage;
  if (typeof response === 'object' && response !== null && !Array.isArray(response)) {
    const inner = Object.entries(response).filter(
      ([name, value]) => ['usage', 'meta'].includes(name) && value !== null,
    );
    if (inner.length > 0) found.response = Object.fromEntries(inner);
  }
  return Object.keys(found).length === 0 ? [] : [found];
}

const names = fc.oneof(
  fc.constantFrom('usage', 'response', 'meta', 'usage"', '\\', '{"usage":{"a":1}}', ''),
  fc.string(),
);
const { value: values } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<unknown>(null, true, 0, -1.5e9, '\\"', '"usage":{"a":1}', ',{}[]:', 'ü🌍'),
    fc.string(),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(names, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
}));
const answers = fc.dictionary(names, values, { maxKeys: 6, noNullPrototype: true });

test('what is found is what the whole text says, however it is written and cut', () => {
  fc.assert(
    fc.property(answers, fc.array(fc.nat()), fc.nat({ max: 2 }), (answer, cuts, indent) => {
      const bytes = Buffer.from(JSON.stringify(answer, null, indent));
      const places = cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b);
      const pieces = [0, ...places].map((place, i) => bytes.subarray(place, places[i]));
      assert.deepEqual(find(pieces), expectedOf(answer));
      assert.deepEqual(find([...bytes].map((byte) => Buffer.from([byte]))), expectedOf(answer));
    }),
    { numRuns: 500 },
  );
});

test('of a list, each object by itself', () => {
  fc.assert(
    fc.property(fc.array(answers), (list) => {
      assert.deepEqual(find([JSON.stringify(list)]), list.flatMap(expectedOf));
      assert.deepEqual(
        find([list.map((one) => JSON.stringify(one)).join('\n')]),
        list.flatMap(expectedOf),
      );
    }),
    { numRuns: 200 },
  );
});

test('a text that breaks off says what it has said, and does not disturb the next one', () => {
  const text = '{"usage":{"a":1},"response":{"x":"\\"{[","usage":{"b":2}},"z":["}';
  for (let end = 0; end <= text.length; end++) {
    const [found = {}] = find([text.slice(0, end)]);
    const expected: Answer = {};
    if (end >= '{"usage":{"a":1}'.length) expected.usage = { a: 1 };
    if (end >= text.indexOf(',"z"') - 1) expected.response = { usage: { b: 2 } };
    assert.deepEqual(found, expected, text.slice(0, end));
    const all: object[] = [];
    const members = new JsonMembers(WANTED, (one) => all.push(one));
    members.feed(Buffer.from(text.slice(0, end)));
    members.end();
    members.feed(Buffer.from('{"usage":{"c":3}}'));
    assert.deepEqual(all.at(-1), { usage: { c: 3 } });
  }
});

test('the last one of the same name counts', () => {
  const text = '{"usage":{"a":1},"usage":{"a":2},"response":{"meta":1},"response":{"meta":2}}';
  assert.deepEqual(find([text]), [{ usage: { a: 2 }, response: { meta: 2 } }]);
});

test('what is no JSON is no obstacle', () => {
  const good = '{"usage":{"a":1}}';
  assert.deepEqual(find(['\uFEFF', good]), [{ usage: { a: 1 } }]);
  assert.deepEqual(find(['}]]}', good]), [{ usage: { a: 1 } }]);
  assert.deepEqual(find(['{"usage":{a},"usage":nothing,"usage":}', good]), [{ usage: { a: 1 } }]);
});

test('a value is held up to 64 KiB, and a name up to what is looked for', () => {
  const textOf = (bytes: number) => `{"usage":"${'x'.repeat(bytes - 2)}","response":{"meta":1}}`;
  for (const cut of [20, LARGEST_VALUE_BYTES]) {
    const pieces = (text: string) => [text.slice(0, cut), text.slice(cut)];
    const [largest] = find(pieces(textOf(LARGEST_VALUE_BYTES)));
    assert.deepEqual(Object.keys(largest ?? {}), ['usage', 'response']);
    const [rest] = find(pieces(textOf(LARGEST_VALUE_BYTES + 1)));
    assert.deepEqual(rest, { response: { meta: 1 } });
  }
  const long = `{"${'usage'.repeat(100_000)}":1,"usage":2}`;
  assert.deepEqual(find([long.slice(0, 30), long.slice(30)]), [{ usage: 2 }]);
});
