import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { findRetiredWords } from './find-retired-words.ts';

/** Fails when a text or a page of the documentation uses a retired word: `npm run check -- words`. */
const ROOT = path.join(import.meta.dirname, '..');
const PATHS = ['bin', 'src', 'dashboard/src', 'docs', 'README.md', 'SECURITY.md', 'CHANGELOG.md'];
const READ = /\.(?:[jt]s|tsx|md)$/;

const files = execFileSync('git', ['ls-files', '--', ...PATHS], { cwd: ROOT, encoding: 'utf8' })
  .split('\n')
  .filter((file) => READ.test(file));
const found = files.flatMap((file) =>
  findRetiredWords(file, readFileSync(path.join(ROOT, file), 'utf8')),
);
for (const { place, word, instead } of found) {
  process.stderr.write(`${place}: "${word}" is retired; use: ${instead}\n`);
}
if (found.length > 0) process.exitCode = 1;
else process.stdout.write(`${files.length} files without retired words\n`);
