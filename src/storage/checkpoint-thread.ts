import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';

/** A message to the checkpoint thread. */
export type CheckpointCall = 'checkpoint' | 'close';

/** The answer of the thread to `checkpoint`. */
export interface CheckpointAnswer {
  /** False if a reader or an error kept pages from the database file. */
  isComplete: boolean;
  /** The message of SQLite, for example for a full or broken disk. */
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
  parentPort?.postMessage(tryCheckpoint());
});

function tryCheckpoint(): CheckpointAnswer {
  try {
    const row = checkpoint.get();
    return { isComplete: row?.checkpointed === row?.log, failure: undefined };
  } catch (error) {
    return { isComplete: false, failure: (error as Error).message };
  }
}
