import { statSync } from 'node:fs';
import { FileUnreadable, FileReplaced } from './sqlite-errors.ts';

/**
 * Knows whether the files of an open database are still those that were opened. SQLite goes on with a
 * deleted file as if nothing had happened, and all of it is gone at the next start.
 */
export class FileWatch {
  readonly #files: string[];
  /** What each was when it was first seen; the write-ahead log comes with the first statement. */
  readonly #identities = new Map<string, string>();

  constructor(file: string) {
    this.#files = [file, `${file}-wal`];
  }

  /**
   * Whether a file is gone, or another one has its name. Two system calls, some microseconds.
   * @throws FileUnreadable
   */
  get isReplaced(): boolean {
    return this.#files.some((file) => {
      const identity = identityOf(file);
      const known = this.#identities.get(file);
      if (known === undefined && identity !== undefined) this.#identities.set(file, identity);
      return known !== undefined && known !== identity;
    });
  }

  /** @throws FileReplaced, FileUnreadable */
  check(): void {
    if (!this.isReplaced) return;
    const [file] = this.#files;
    throw new FileReplaced(
      `the database ${file} was deleted or replaced while in use: restore the file or restart the server`,
    );
  }
}

function identityOf(file: string): string | undefined {
  try {
    const stat = statSync(file, { throwIfNoEntry: false });
    return stat && `${stat.dev}:${stat.ino}`;
  } catch (error) {
    throw new FileUnreadable(`database not found: ${file}`, { cause: error });
  }
}
