import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { Selectable } from 'kysely';
import type { AuditLogsTable } from '../../storage/schema.ts';

export type AuditRow = Selectable<AuditLogsTable>;

/** What the first row of every chain continues. */
export const GENESIS_HASH = '0'.repeat(64);

/**
 * The link of a row into its chain: SHA-256 over the hash of the row before and the canonical JSON
 * (RFC 8785) of everything else in this one. Whoever changes, removes or inserts a row breaks every
 * link after it.
 * @param row without its own hash
 */
export function chainHash(previousHash: string, row: Omit<AuditRow, 'hash'>): string {
  return createHash('sha256')
    .update(`${previousHash}\n${canonicalize(row)}`)
    .digest('hex');
}
