import type { Readiness } from './http/health.ts';
import type { Metrics } from './http/metrics.ts';
import type { RequestLog } from './request-log/request-log.ts';
import type { Database } from './storage/database.ts';

/**
 * What `/readyz` asks.
 * @param state holds why the server should get no traffic now
 */
export function healthOf(
  database: Database,
  requestLog: RequestLog,
  state: { refusal: string | undefined },
): Readiness {
  return {
    async ping() {
      await database.ping();
      await requestLog.ping();
    },
    troubleOf: (error) => database.troubleOf(error),
    refusal: () => state.refusal,
  };
}

/** What an alarm is set on. */
export function watchStorage(metrics: Metrics, { writes }: Database): void {
  const writable =
    '1 if the database accepts writes; 0 if the latest write failed because of the database';
  metrics.gauge('latchkey_storage_writable', writable, () => Number(writes.isWritable));
  const failures = 'Writes that failed because the database is full, read-only, missing or damaged';
  metrics.counted('latchkey_storage_write_failures_total', failures, () => writes.failures);
}
