import { randomUUID } from 'node:crypto';
import { type FileHandle, open, realpath, rename, rm, stat } from 'node:fs/promises';

/** Where a command writes many lines to. */
export interface LineOutput {
  /** Writes whole lines. Resolves when they are gone, so that nothing piles up. */
  write(lines: string): Promise<void>;
  /** All is written, and kept. */
  end(): Promise<void>;
  /**
   * It does not come to its end: takes back what can be taken back.
   * @returns what became of it; undefined: whoever reads it sees that
   */
  abandon(): Promise<string | undefined>;
}

/** Whoever read the output has seen enough. */
export class OutputClosed extends Error {}

/** Standard output. Lines that are written are whole, whatever happens. */
export function createStandardOutput(): LineOutput {
  const { stdout } = process;
  // Each write hears of its own failure; an error event that nobody hears would end the process.
  stdout.on('error', () => {});
  return {
    async write(lines) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      stdout.write(lines, (error) => {
        if (!error) resolve();
        else if (codeOf(error) === 'EPIPE') reject(new OutputClosed('the output is closed'));
        else reject(error);
      });
      await promise;
    },
    end: () => Promise.resolve(),
    abandon: () => Promise.resolve(undefined),
  };
}

const OWNER_ONLY_MODE = 0o600;

/**
 * A file that only its owner may read. One that is there already is replaced at the end, so that
 * until then it is what it was.
 * @param mayReplace `--force`
 * @throws Error when it is there and may not be replaced, or cannot be made
 */
export async function createFileOutput(file: string, mayReplace: boolean): Promise<LineOutput> {
  const former = mayReplace ? await findFile(file) : undefined;
  const written = former === undefined ? file : `${former}.${randomUUID()}.partial`;
  const handle = await openNew(written);
  return {
    write: (lines) => handle.appendFile(lines),
    async end() {
      await handle.sync();
      await handle.close();
      if (former !== undefined) await rename(written, former);
    },
    async abandon() {
      // What went wrong is told; that it cannot be closed either is no news.
      await handle.close().catch(() => {});
      try {
        await rm(written, { force: true });
      } catch {
        return `${written} is incomplete`;
      }
      return former === undefined ? `${file} was removed` : `${file} is unchanged`;
    },
  };
}

/** The file itself, where links lead to; undefined: it is not there. */
async function findFile(file: string): Promise<string | undefined> {
  try {
    const found = await realpath(file);
    if ((await stat(found)).isFile()) return found;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
  throw new Error(`${file} is not a regular file`);
}

async function openNew(file: string): Promise<FileHandle> {
  try {
    return await open(file, 'wx', OWNER_ONLY_MODE);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    throw new Error(`${file} already exists; --force replaces it`, { cause: error });
  }
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
