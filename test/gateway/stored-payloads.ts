import assert from 'node:assert/strict';
import { readFile, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { eventually } from '../support/eventually.ts';
import { createDataDir } from '../support/server.ts';
import { type ScriptedBench, startScripted } from './scripted.ts';
import { LOG_FILE } from '../../src/storage/log-file.ts';

/** The bodies of a log row as they lie in its store. */
export interface StoredPayload {
  request: string;
  response: string;
  isRequestWhole: boolean;
  isResponseWhole: boolean;
  requestSize: number;
  responseSize: number;
  requestHeaders: Record<string, string>;
  responseHeaders: Record<string, string>;
}

/** A {@link ScriptedBench} whose stored bodies can be looked at. */
export interface PayloadBench extends ScriptedBench {
  /** Undefined: the row has none. */
  payload(logId: string | null | undefined): Promise<StoredPayload | undefined>;
  /** The same for a row that is sure to have one, though it may come a moment later than its answer. */
  kept(logId: string | null | undefined): Promise<StoredPayload>;
  /** All that lies in the files of the databases, after the server has stopped. */
  filesAfterStop(): Promise<Buffer>;
}

export async function startPayloads(settings: Record<string, string> = {}): Promise<PayloadBench> {
  const dataDir = await createDataDir();
  const bench = await startScripted('sqlite', { settings: { DATA_DIR: dataDir, ...settings } });
  let isStopped = false;
  const stopOnce = async (): Promise<void> => {
    if (!isStopped) await bench.stop();
    isStopped = true;
  };
  const payloads: PayloadBench = {
    ...bench,
    async payload(logId) {
      assert.ok(logId);
      // Whoever lists logs sees all that went before.
      await bench.logs();
      return readPayload(path.join(dataDir, LOG_FILE), logId);
    },
    async kept(logId) {
      let payload: StoredPayload | undefined;
      await eventually('the row has bodies', async () => {
        payload = await payloads.payload(logId);
        return payload !== undefined;
      });
      assert.ok(payload);
      return payload;
    },
    async filesAfterStop() {
      await stopOnce();
      const names = (await readdir(dataDir)).filter((name) => name.includes('.db'));
      assert.ok(names.length > 0);
      return Buffer.concat(
        await Promise.all(names.map((name) => readFile(path.join(dataDir, name)))),
      );
    },
    async stop() {
      await stopOnce();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
  return payloads;
}

function readPayload(file: string, logId: string): StoredPayload | undefined {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    const row = db
      .prepare(
        `select b.*, e.request_size, e.response_size from gateway_log_bodies b
         join gateway_log_entries e on e.gateway_key = b.gateway_key and e.id = b.id where b.id = ?`,
      )
      .get(Buffer.from(logId.replaceAll('-', ''), 'hex'));
    if (row === undefined) return undefined;
    const text = (column: string): string => Buffer.from(row[column] as Uint8Array).toString();
    return {
      request: text('request'),
      response: text('response'),
      isRequestWhole: row.request_is_whole === 1,
      isResponseWhole: row.response_is_whole === 1,
      requestSize: row.request_size as number,
      responseSize: row.response_size as number,
      requestHeaders: JSON.parse(String(row.request_headers)),
      responseHeaders: JSON.parse(String(row.response_headers)),
    };
  } finally {
    db.close();
  }
}
