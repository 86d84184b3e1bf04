import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findRetiredWords } from '../../scripts/find-retired-words.ts';

const found = (file: string, source: string): string[] =>
  findRetiredWords(file, source).map(({ place, word }) => `${place} ${word}`);

test('retired words in Markdown are found with their line', () => {
  const page = '# Title\n\nThe server tells\nthe Caller.\n';
  assert.deepEqual(found('page.md', page), ['page.md:4 Caller', 'page.md:3 tells']);
});

test('code, comments and link targets in Markdown are ignored', () => {
  const page =
    '`caller` of [page](caller.md)\n\n```sh\ncurl caller\n```\n<!-- told -->\n\n| `caller` |\n';
  assert.deepEqual(found('page.md', page), []);
});

test('retired words in strings, templates and JSX are found', () => {
  const source = [
    'const text = "The caller is known";',
    'const more = `It tells ${text} more`;',
    "const label = 'Caller';",
    'const view = <p>Nobody is signed in</p>;',
  ].join('\n');
  assert.deepEqual(found('view.tsx', source), [
    'view.tsx:1 caller',
    'view.tsx:2 tells',
    'view.tsx:3 Caller',
    'view.tsx:4 Nobody',
  ]);
});

test('names, comments, keys and parts of words are ignored', () => {
  const source = [
    '// The caller tells nobody.',
    'const caller = { caller: "caller" };',
    'const text = "A teller of callerships";',
  ].join('\n');
  assert.deepEqual(found('code.ts', source), []);
});

test('a script that cannot be parsed fails', () => {
  assert.throws(() => findRetiredWords('code.ts', 'const = "x y";'));
});
