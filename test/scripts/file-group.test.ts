import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, test } from 'node:test';

const SUPPORT = path.resolve(import.meta.dirname, '../support/file-group.ts');
const IMPORT = "import { after, before, test } from 'node:test';\n";

interface GroupResult {
  status: number;
  stdout: string;
  stderr: string;
}

/** Runs test files with this content, in so many processes that share them. */
async function runShared(files: Record<string, string>, processes: number): Promise<GroupResult[]> {
  const directory = await mkdtemp(path.join(tmpdir(), 'latchkey-test-'));
  const names = Object.keys(files).map((name) => path.join(directory, name));
  for (const name of names) await writeFile(name, IMPORT + files[path.basename(name)]);
  const claimsDir = path.join(directory, 'claims');
  await mkdir(claimsDir);
  const group = path.join(directory, 'group.mjs');
  await writeFile(
    group,
    `import { runFiles } from ${JSON.stringify(SUPPORT)};\nrunFiles(${JSON.stringify(names)}, ${JSON.stringify(claimsDir)});\n`,
  );
  try {
    return await Promise.all(Array.from({ length: processes }, () => runProcess(group)));
  } finally {
    await rm(directory, { recursive: true });
  }
}

function runProcess(group: string): Promise<GroupResult> {
  // Of the surroundings of a test, Node would take it for a part of this run.
  const options = { env: { PATH: process.env.PATH } };
  const { promise, resolve } = Promise.withResolvers<GroupResult>();
  const child = execFile(
    process.execPath,
    ['--test-reporter=spec', group],
    options,
    (_error, stdout, stderr) => resolve({ status: child.exitCode ?? -1, stdout, stderr }),
  );
  return promise;
}

/** Runs test files with this content in one process. */
async function runGroup(files: Record<string, string>): Promise<GroupResult> {
  const [result] = await runShared(files, 1);
  return result ?? assert.fail('it has run');
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

  test('each file runs in one of the processes that share them', async () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    const content = (name: string): string =>
      `test('x', async () => {
        await new Promise((resolve) => setTimeout(resolve, 200));
        console.log('<${name}>');
      });\n`;
    const files = Object.fromEntries(names.map((name) => [`${name}.mjs`, content(name)]));
    const results = await runShared(files, 2);
    const ran = results.map(({ stdout }) => stdout.match(/<[^>]+>/g) ?? []);
    assert.deepEqual(
      results.map(({ status }) => status),
      [0, 0],
    );
    assert.deepEqual(
      ran.flat().toSorted(),
      names.map((name) => `<${name}>`),
    );
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
