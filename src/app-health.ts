import type { AiGateway } from './gateway/gateway.ts';
import type { Readiness } from './http/health.ts';
import type { Metrics } from './http/metrics.ts';
import type { Database } from './storage/database.ts';

/**
 * What `/readyz` asks.
 * @param state holds why the server should get no traffic now
 */
export function healthOf(
  database: Database,
  gateway: AiGateway,
  state: { refusal: string | undefined },
): Readiness {
  return {
    async ping() {
      await database.ping();
      await gateway.ping();
    },
    troubleOf: (error) => database.troubleOf(error),
    refusal: () => state.refusal,
  };
}

/** What an alarm is set on. */
export function watchStorage(metrics: Metrics, { writes }: Database): void {
  const writable = 'Whether the latest write to the database did not fail because of the database';
  metrics.gauge('latchkey_storage_writable', writable, () => Number(writes.isWritable));
  const failures = 'Writes that failed because of the database: full, read-only, gone, damaged';
  metrics.counted('latchkey_storage_write_failures_total', failures, () => writes.failures);
}
