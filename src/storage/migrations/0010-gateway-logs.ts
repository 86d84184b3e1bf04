import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/**
 * What a gateway's owner says of its logs: how many rows are kept, whether any bodies are, and where
 * else they go.
 *
 * `otel` is JSON, read whole and never searched: addresses with the headers that are sent to them, each
 * value encrypted with AES-256-GCM under a key derived from the master key (src/lib/sealing.ts) and
 * beside it what people recognise it by.
 */
export const gatewayLogSettings: Migration = {
  name: '0010-gateway-logs',
  async up(tx, { text }) {
    const added = [
      ['log_management', sql`integer`],
      ['log_management_strategy', text],
      ['zdr', sql`smallint not null default 0`],
      ['otel', text],
    ] as const;
    for (const [name, type] of added) {
      await tx.schema.alterTable('gateways').addColumn(name, type).execute();
    }
  },
};
