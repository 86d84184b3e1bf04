// Which code the launcher runs: the bundle that scripts/build-server.js made, where it was made of just
// these sources, or else the sources. Plain JavaScript: the launcher and the build both need it.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Where bundles are, each in a folder of its own, and the description of the one that counts. */
export const BUNDLES = 'dist/server';
export const DESCRIPTION = `${BUNDLES}/bundle.json`;

/**
 * A hash of files by their names and contents. Times would be quicker to compare, but a copy changes
 * them, and an archive may have the same for all.
 * @param {string} root of the repository
 * @param {readonly string[]} files relative to it
 * @throws {Error} when one cannot be read
 */
export function hashFiles(root, files) {
  const hash = createHash('sha256');
  for (const file of files) {
    const content = readFileSync(path.join(root, file));
    hash.update(`${file}\n${content.length}\n`).update(content);
  }
  return hash.digest('hex');
}

/**
 * Finds the module to start with. A repository has the sources too, which may be newer than the bundle; an
 * installed package has the bundle only.
 * @param {string} root of the repository or of the package
 */
export function findMain(root) {
  const source = path.join(root, 'src/main.ts');
  try {
    const { folder, files, hash } = JSON.parse(readFileSync(path.join(root, DESCRIPTION), 'utf8'));
    const main = path.join(root, BUNDLES, folder, 'main.js');
    if (existsSync(main) && (!existsSync(source) || hashFiles(root, files) === hash)) return main;
  } catch {
    // Nothing was built, or a file that it was made of is gone.
  }
  return source;
}
