import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';

const PRIVATE = 0o700;

/**
 * Creates a directory that only its owner can open, and its missing parents. `mkdirSync` with
 * `recursive` does not return if an existing parent reports ENOENT for a new entry, as /proc does.
 * @throws the error of the file system; EEXIST if a part of the path is not a directory
 */
export function createDirectory(directory: string): void {
  create(path.resolve(directory));
}

function create(directory: string): void {
  if (isDirectory(directory)) return;
  const parent = path.dirname(directory);
  try {
    if (parent !== directory) create(parent);
    mkdirSync(directory, { mode: PRIVATE });
  } catch (error) {
    // Another process may have created it in the meantime.
    if (!isDirectory(directory)) throw error;
  }
}

function isDirectory(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
