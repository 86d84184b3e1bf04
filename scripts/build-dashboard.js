// Builds the dashboard: `npm run build`, and `npm install` at its end. It is plain JavaScript, since
// `npm install --omit=dev` runs it too, perhaps with a Node that is too old for the rest.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const DASHBOARD = fileURLToPath(new URL('../dashboard/', import.meta.url));

/** Whether it is all right to build nothing. */
const isOptional = process.argv.includes('--if-possible');

/** @returns {string | undefined} undefined where what only developers need is not installed */
function findVite() {
  try {
    const manifest = createRequire(path.join(DASHBOARD, 'package.json')).resolve(
      'vite/package.json',
    );
    return path.join(path.dirname(manifest), 'bin/vite.js');
  } catch {
    return undefined;
  }
}

function build() {
  const vite = findVite();
  if (vite === undefined) {
    process.stderr.write(
      'The dashboard is not built: Vite is missing, which `npm install` brings.\n',
    );
    return isOptional ? 0 : 1;
  }
  const quiet = isOptional ? ['--logLevel', 'warn'] : [];
  const { status } = spawnSync(process.execPath, [vite, 'build', ...quiet], {
    cwd: DASHBOARD,
    stdio: 'inherit',
  });
  return status ?? 1;
}

process.exitCode = build();
