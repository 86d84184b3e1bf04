import { constants } from 'node:fs';
import { copyFile, open, stat } from 'node:fs/promises';

/** Makes what was written to a file, or the names in a directory, outlive a power loss. */
export async function sync(fileOrDirectory: string): Promise<void> {
  const handle = await open(fileOrDirectory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** A new file that only its owner may read, on disk. */
export async function writePrivateFile(file: string, text: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Copies into a new file that only its owner may read, on disk. */
export async function copyPrivateFile(file: string, copy: string): Promise<void> {
  const handle = await open(copy, 'wx', 0o600);
  try {
    await copyFile(file, copy, constants.COPYFILE_FICLONE);
    await handle.chmod(0o600);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Whether something has that name. */
export async function exists(file: string): Promise<boolean> {
  try {
    await stat(file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
