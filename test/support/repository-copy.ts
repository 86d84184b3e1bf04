import { cpSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const ROOT = path.join(import.meta.dirname, '../..');

/**
 * Copies the parts of the repository that a build of the server needs into a fresh directory, with links to
 * the packages.
 * @param copied packages to copy instead, so that a test can change them
 * @returns the directory; the test removes it
 */
export function copyRepository(copied: readonly string[] = []): string {
  const root = mkdtempSync(path.join(tmpdir(), 'latchkey-copy-'));
  for (const name of ['bin', 'src', 'scripts', 'package.json']) {
    cpSync(path.join(ROOT, name), path.join(root, name), {
      recursive: true,
      filter: (file) => path.basename(file) !== 'node_modules',
    });
  }
  const packages = path.join(ROOT, 'node_modules');
  const target = path.join(root, 'node_modules');
  mkdirSync(target);
  for (const name of readdirSync(packages)) {
    // The launcher keeps its cache there too.
    if (name.startsWith('.')) continue;
    const place = path.join(target, name);
    if (copied.includes(name)) cpSync(path.join(packages, name), place, { recursive: true });
    else symlinkSync(path.join(packages, name), place);
  }
  return root;
}
