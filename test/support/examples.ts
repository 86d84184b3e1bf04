import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.join(import.meta.dirname, '../..');
// Packages of the tests are visible from there, as those of an application are to its code.
const APPLICATION = path.join(import.meta.dirname, '../node_modules/.cache/latchkey/examples');

/**
 * Copies a program of `examples/` to where an application would have it.
 * @param name of the file
 * @returns its path
 */
export function placeExample(name: string): string {
  mkdirSync(APPLICATION, { recursive: true });
  const manifest = path.join(APPLICATION, 'package.json');
  if (!existsSync(manifest)) writeFileSync(manifest, '{"type":"module"}\n');
  const file = path.join(APPLICATION, name);
  copyFileSync(path.join(ROOT, 'examples', name), file);
  return file;
}
