import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import path from 'node:path';
import { DATABASE_FILE } from '../../storage/database.ts';
import { LOG_FILE } from '../../storage/log-file.ts';

/** Name of the file that makes a directory a backup: it is written last. */
export const MANIFEST_FILE = 'manifest.json';

/** Of the layout of a backup: one that knows more refuses to be read by one that knows less. */
const FORMAT = 1;

/** The databases that a backup may hold. */
const FILE_NAMES: readonly string[] = [DATABASE_FILE, LOG_FILE];

/** One database of a backup. */
export interface BackupFile {
  name: string;
  bytes: number;
  /** In hex. */
  sha256: string;
  /** The schema: names of the migrations that it has. */
  migrations: string[];
  /** What it holds is as it was then; RFC 3339. */
  taken_at: string;
}

/** What a backup says of itself. */
export interface Manifest {
  format: typeof FORMAT;
  /** Version of Latchkey that made it. */
  latchkey: string;
  /** Tells which master key its secrets are sealed under; null: none was made yet. */
  master_key_fingerprint: string | null;
  has_master_key: boolean;
  files: BackupFile[];
}

/** The text of the file. */
export function formatManifest(manifest: Omit<Manifest, 'format'>): string {
  return `${JSON.stringify({ format: FORMAT, ...manifest }, undefined, 2)}\n`;
}

/** @throws Error in one line when there is none, or it was not written by a version that we understand */
export async function readManifest(directory: string): Promise<Manifest> {
  const file = path.join(directory, MANIFEST_FILE);
  let content: unknown;
  try {
    content = JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      throw new Error(`${directory} is not a backup: it has no ${MANIFEST_FILE}`, { cause: error });
    }
    throw new Error(`cannot read ${file}: ${(error as Error).message}`, { cause: error });
  }
  if (isObject(content) && typeof content.format === 'number' && content.format > FORMAT) {
    throw new Error(`the backup ${directory} was made by a newer version of latchkey`);
  }
  if (!isManifest(content)) throw new Error(`${file} was not written by \`latchkey backup\``);
  return content;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isManifest(value: unknown): value is Manifest {
  if (!isObject(value) || value.format !== FORMAT || !Array.isArray(value.files)) return false;
  const { latchkey, master_key_fingerprint: fingerprint, has_master_key: hasKey, files } = value;
  const names = files.map((file: unknown) => (isObject(file) ? file.name : undefined));
  return (
    typeof latchkey === 'string' &&
    (fingerprint === null || typeof fingerprint === 'string') &&
    typeof hasKey === 'boolean' &&
    files.every(isBackupFile) &&
    names[0] === DATABASE_FILE &&
    new Set(names).size === names.length
  );
}

function isBackupFile(value: unknown): value is BackupFile {
  return (
    isObject(value) &&
    typeof value.name === 'string' &&
    // It becomes a path.
    FILE_NAMES.includes(value.name) &&
    typeof value.bytes === 'number' &&
    typeof value.sha256 === 'string' &&
    typeof value.taken_at === 'string' &&
    Array.isArray(value.migrations) &&
    value.migrations.every((name) => typeof name === 'string')
  );
}

/** SHA-256 of a file, in hex. */
export async function digestFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
