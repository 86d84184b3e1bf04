import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, test } from 'node:test';

const SUPPORT = path.resolve(import.meta.dirname, '../support/file-group.ts');
const IMPORT = "import { after, before, test } from 'node:test';\n";

/** Runs test files with this content in one process. */
async function runGroup(files: Record<string, string>) {
  const directory = await mkdtemp(path.join(tmpdir(), 'latchkey-test-'));
  const names = Object.keys(files).map((name) => path.join(directory, name));
  for (const name of names) await writeFile(name, IMPORT + files[path.basename(name)]);
  const group = path.join(directory, 'group.mjs');
  await writeFile(
    group,
    `import { declareFiles } from ${JSON.stringify(SUPPORT)};\ndeclareFiles(${JSON.stringify(names)});\n`,
  );
  try {
    // Of the surroundings of a test, Node would take it for a part of this run.
    return spawnSync(process.execPath, ['--test-reporter=spec', group], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH },
    });
  } finally {
    await rm(directory, { recursive: true });
  }
}

describe('several test files in one process', () => {
  test('one after the other, each with its own hooks', async () => {
    const content = (name: string): string =>
      ['before', 'after']
        .map((hook) => `${hook}(() => console.log('<${hook} ${name}>'));\n`)
        .join('') + `test('x', () => console.log('<test ${name}>'));\n`;
    const { status, stdout } = await runGroup({ 'a.mjs': content('a'), 'b.mjs': content('b') });
    assert.equal(status, 0, stdout);
    assert.deepEqual(stdout.match(/<[^>]+>/g), [
      '<before a>',
      '<test a>',
      '<after a>',
      '<before b>',
      '<test b>',
      '<after b>',
    ]);
  });

  test('a file that cannot be loaded fails, and the others run', async () => {
    const { status, stdout } = await runGroup({
      'a.mjs': "throw new Error('broken');\n",
      'b.mjs': "test('x', () => console.log('<test b>'));\n",
    });
    assert.equal(status, 1, stdout);
    assert.match(stdout, /✖ .*a\.mjs/);
    assert.match(stdout, /<test b>/);
  });

  test('a process that ends early fails, and says where', async () => {
    const { status, stderr } = await runGroup({
      'a.mjs': "test('x', () => {});\n",
      'b.mjs': "test('x', () => process.exit(0));\n",
      'c.mjs': "test('x', () => {});\n",
    });
    assert.equal(status, 1, stderr);
    assert.match(stderr, /ended too early, in .*b\.mjs\n/);
  });
});
