import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';

/** What the thread of checkpoints is told. */
export type CheckpointCall = 'checkpoint' | 'close';

/** What it answers to `checkpoint`. */
export interface CheckpointAnswer {
  /** In words, of SQLite: a disk that is full, or broken. */
  failure: string | undefined;
}

const url = pathToFileURL(workerData as string);
// A file that is gone must not be made anew.
url.searchParams.set('mode', 'rw');
const database = new DatabaseSync(url);
// The pages must be on disk before the log is overwritten.
database.exec('pragma synchronous = full');
const checkpoint = database.prepare('pragma wal_checkpoint(passive)');

parentPort?.on('message', (call: CheckpointCall) => {
  if (call === 'close') {
    database.close();
    parentPort?.close();
    return;
  }
  const answer: CheckpointAnswer = { failure: tryCheckpoint() };
  parentPort?.postMessage(answer);
});

function tryCheckpoint(): string | undefined {
  try {
    checkpoint.get();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
