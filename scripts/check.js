// `npm run check`, or one part of it: `npm run check -- types lint`. Stops at the first part that fails.
import { spawnSync } from 'node:child_process';
import path from 'node:path';

const ROOT = path.join(import.meta.dirname, '..');
const TSGOLINT = 'scripts/node_modules/.bin/tsgolint';
const TSC = 'scripts/node_modules/typescript-7/bin/tsc';

/** @type {Readonly<Record<string, readonly (readonly string[])[]>>} Scripts of Node with their arguments */
const PARTS = {
  types: [
    [TSC, '--noEmit'],
    [TSC, '--noEmit', '-p', 'dashboard'],
    [TSC, '--noEmit', '-p', 'dashboard/tsconfig.tools.json'],
    [TSC, '--noEmit', '-p', 'test/dashboard'],
  ],
  lint: [['scripts/node_modules/oxlint/bin/oxlint', '--type-aware', '--deny-warnings']],
  expressions: [['scripts/expressions/check-expressions.ts']],
  words: [['scripts/check-words.ts']],
  format: [['scripts/node_modules/oxfmt/bin/oxfmt', '--check']],
  generated: [['scripts/generate.ts', '--check']],
  openapi: [['scripts/check-openapi.ts']],
};

const wanted = process.argv.slice(2);
const unknown = wanted.find((name) => !Object.hasOwn(PARTS, name));
if (unknown !== undefined) {
  process.stderr.write(`there is no check ${unknown}: use ${Object.keys(PARTS).join(', ')}\n`);
  process.exit(1);
}
for (const [name, commands] of Object.entries(PARTS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  process.stdout.write(`\n> check ${name}\n`);
  for (const command of commands) {
    const { status } = spawnSync(process.execPath, command, {
      cwd: ROOT,
      stdio: 'inherit',
      // oxlint looks for it in the node_modules of the root.
      env: { ...process.env, OXLINT_TSGOLINT_PATH: path.join(ROOT, TSGOLINT) },
    });
    if (status !== 0) process.exit(status ?? 1);
  }
}
