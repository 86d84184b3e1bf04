import path from 'node:path';
import { createDirectory } from '../lib/create-directory.ts';
import { SettingError } from './setting-parsers.ts';

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EEXIST: 'the path, or a part of it, is not a directory',
  ENOTDIR: 'a part of the path is not a directory',
  EROFS: 'the file system is read-only',
  ENOENT: 'a part of the path does not exist, or the file system is read-only',
  ENOSPC: 'the file system is full',
  ENAMETOOLONG: 'the path is too long',
};

/**
 * Creates the data directory, which only its owner can open.
 * @throws SettingError that names the setting, the directory and the reason
 */
export function createDataDirectory(directory: string): void {
  try {
    createDirectory(directory);
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    throw new SettingError(
      `LATCHKEY_DATA_DIR: cannot create the directory ${path.resolve(directory)}: ${REASONS[code] ?? code}`,
      { cause: error },
    );
  }
}
