import { hash } from 'node:crypto';
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
  return hash('sha256', `${previousHash}\n${canonicalRow(row)}`);
}

/** Of texts, whole numbers and nulls RFC 8785 is what JSON.stringify writes, with the members in order. */
function canonicalRow(row: Omit<AuditRow, 'hash'>): string {
  const inOrder = {
    account_name: row.account_name,
    action_description: row.action_description,
    action_result: row.action_result,
    action_type: row.action_type,
    actor_context: row.actor_context,
    actor_email: row.actor_email,
    actor_id: row.actor_id,
    actor_ip_address: row.actor_ip_address,
    actor_token_id: row.actor_token_id,
    actor_token_name: row.actor_token_name,
    actor_type: row.actor_type,
    chain_id: row.chain_id,
    created_at: row.created_at,
    id: row.id,
    request_id: row.request_id,
    request_method: row.request_method,
    request_status_code: row.request_status_code,
    request_uri: row.request_uri,
    request_user_agent: row.request_user_agent,
    resource_id: row.resource_id,
    resource_product: row.resource_product,
    resource_request: row.resource_request,
    resource_response: row.resource_response,
    resource_scope: row.resource_scope,
    resource_type: row.resource_type,
    seq: row.seq,
  } satisfies Omit<AuditRow, 'hash'>;
  return JSON.stringify(inOrder);
}
