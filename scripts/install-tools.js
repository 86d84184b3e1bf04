// Installs the packages of tests, checks and benchmarks, which a plain `npm install` leaves out: once, and again
// after a change of their lock files. Plain JavaScript without packages: it runs before there are any.
//
//   node scripts/install-tools.js test scripts
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.join(import.meta.dirname, '..');
const STAMP = 'node_modules/.installed';

/** @param {string} folder with a package.json and a lock file */
function hashOf(folder) {
  const hash = createHash('sha256');
  for (const name of ['package.json', 'package-lock.json']) {
    hash.update(readFileSync(path.join(folder, name)));
  }
  return hash.digest('hex');
}

/** @param {string} name relative to the root */
function install(name) {
  const folder = path.join(ROOT, name);
  const stamp = path.join(folder, STAMP);
  const hash = hashOf(folder);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return;
  process.stderr.write(`Installing the packages of ${name}/ once, which takes up to a minute…\n`);
  const isWindows = process.platform === 'win32';
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: isWindows,
  });
  if (status !== 0) {
    process.stderr.write(
      `npm could not install the packages of ${name}/. Is the registry reachable?\n`,
    );
    process.exit(1);
  }
  mkdirSync(path.dirname(stamp), { recursive: true });
  writeFileSync(`${stamp}.new`, hash);
  renameSync(`${stamp}.new`, stamp);
}

for (const name of process.argv.slice(2)) install(name);
