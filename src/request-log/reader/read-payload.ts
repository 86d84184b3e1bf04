import { type RawBuilder, sql } from 'kysely';
import { timeOfUuidV7 } from '../../lib/ids.ts';
import type { Db } from '../../storage/schema.ts';
import type { LogDialect } from '../log-dialect.ts';
import type { LogKey, StoredPayload } from '../log-query.ts';

/**
 * Reads the bodies of one log by the primary keys; undefined: the log stores none, does not exist, or is not visible.
 * @param headBytes limits each body to its beginning
 */
export async function readPayload(
  db: Db,
  dialect: LogDialect,
  { accountId, gatewayId, id, sinceMs }: LogKey,
  headBytes?: number,
): Promise<StoredPayload | undefined> {
  if (timeOfUuidV7(id) < sinceMs) return undefined;
  const scope = await dialect.findScope(db, accountId, gatewayId);
  if (scope === undefined) return undefined;
  const column = dialect.toColumn(id);
  const bodies = await db
    .selectFrom('gateway_log_bodies')
    .select([
      part('request', headBytes).as('request'),
      part('response', headBytes).as('response'),
      sql<number>`length(request)`.as('request_length'),
      sql<number>`length(response)`.as('response_length'),
      'request_is_whole',
      'response_is_whole',
      'request_headers',
      'response_headers',
    ])
    .where((eb) => eb.and(scope))
    .where('id', '=', column)
    .executeTakeFirst();
  const entry = await db
    .selectFrom('gateway_log_entries')
    .select('context_id')
    .where((eb) => eb.and(scope))
    .where('id', '=', column)
    .executeTakeFirst();
  if (bodies === undefined || entry === undefined) return undefined;
  const context = await db
    .selectFrom('gateway_log_contexts')
    .select(['request_content_type', 'response_content_type'])
    .where((eb) => eb.and(scope))
    .where('context_id', '=', entry.context_id)
    .executeTakeFirst();
  return {
    request: {
      body: bodies.request,
      isWhole: bodies.request_is_whole === 1 && bodies.request.length === bodies.request_length,
      contentType: context?.request_content_type ?? null,
    },
    response: {
      body: bodies.response,
      isWhole: bodies.response_is_whole === 1 && bodies.response.length === bodies.response_length,
      contentType: context?.response_content_type ?? null,
    },
    requestHeaders: bodies.request_headers,
    responseHeaders: bodies.response_headers,
  };
}

function part(column: 'request' | 'response', bytes: number | undefined): RawBuilder<Uint8Array> {
  if (bytes === undefined) return sql.ref(column);
  // SQLite returns null for an empty part.
  return sql`coalesce(substr(${sql.ref(column)}, 1, ${bytes}), ${sql.ref(column)})`;
}
