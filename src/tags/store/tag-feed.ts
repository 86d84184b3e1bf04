import { type RawBuilder, sql } from 'kysely';
import { ROWS_PER_PURGE } from '../../storage/housekeeping.ts';
import { RowStatement } from '../../storage/row-statement.ts';
import type { Db, Transaction } from '../../storage/schema.ts';
import { GATEWAY } from '../gateway-denials.ts';
import { inSizedChunks } from '../event-loop-turns.ts';

/** A change of the tags of one resource, as the list of changes keeps it. */
export interface StoredChange {
  /** Greater than that of every change that was committed before. */
  position: number;
  type: string;
  id: string;
  name: string;
  /** After the change. */
  etag: string;
  /** JSON merge patch (RFC 7396): what became of each tag that changed. */
  patch: string;
  changedAtMs: number;
  /** Of the request behind it; undefined: none. */
  requestId: string | undefined;
}

// Patches may be as large as a body: so many characters of them go into one statement, unless one of
// them has more.
const PATCH_UNITS_PER_STATEMENT = 256 * 1024;

const insertChanges = new RowStatement(
  9,
  (
    rows,
  ) => sql`insert into tag_changes (account_id, position, resource_type, resource_id, name, etag,
    patch, changed_at, request_id) values ${rows}`,
);

/** Adds to the list of changes; part of their transaction, which has locked the tags of the account. */
export async function appendChanges(
  tx: Transaction,
  accountId: string,
  changes: readonly StoredChange[],
): Promise<void> {
  const size = ({ patch }: StoredChange): number => patch.length;
  for await (const chunk of inSizedChunks(changes, size, PATCH_UNITS_PER_STATEMENT)) {
    const rows = chunk.map(
      ({ position, type, id, name, etag, patch, changedAtMs, requestId = null }) => [
        accountId,
        position,
        type,
        id,
        name,
        etag,
        patch,
        changedAtMs,
        requestId,
      ],
    );
    await insertChanges.run(tx, rows);
  }
}

/** Where the list of an account's changes begins and ends; all zero before the first one. */
export interface FeedEnds {
  /** Changes up to this one were deleted. */
  purgedPosition: number;
  /** Every change up to this one is committed, and none will come between. */
  lastPosition: number;
}

export async function readFeedEnds(db: Db, accountId: string): Promise<FeedEnds> {
  const row = await db
    .selectFrom('tag_heads')
    .select(['purged_position', 'last_position'])
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return { purgedPosition: row?.purged_position ?? 0, lastPosition: row?.last_position ?? 0 };
}

/** Which changes are wanted. */
export interface ChangeFilter {
  /** Empty: of resources of every type. */
  types: readonly string[];
  /** Gateways that the caller must not see. */
  hiddenGateways: readonly string[];
}

/** A part of the list: positions above the first and up to the second. */
export interface FeedRange {
  after: number;
  until: number;
}

function conditions(
  accountId: string,
  { types, hiddenGateways }: ChangeFilter,
  { after, until }: FeedRange,
): RawBuilder<unknown> {
  const all = [
    sql`account_id = ${accountId} and position > ${after} and position <= ${until}`,
    ...(types.length === 0 ? [] : [sql`resource_type in (${sql.join(types)})`]),
    ...(hiddenGateways.length === 0
      ? []
      : [sql`(resource_type <> ${GATEWAY} or resource_id not in (${sql.join(hiddenGateways)}))`]),
  ];
  return sql.join(all, sql` and `);
}

/** How large the first changes of a range are, without reading their patches. Uses the primary key. */
export async function changeSizes(
  db: Db,
  accountId: string,
  filter: ChangeFilter,
  range: FeedRange,
  limit: number,
): Promise<{ position: number; bytes: number }[]> {
  const { rows } = await sql<{ position: number; bytes: number }>`
    select position, octet_length(patch) + octet_length(name) + octet_length(resource_id) as bytes
    from tag_changes where ${conditions(accountId, filter, range)} order by position limit ${limit}`.execute(
    db,
  );
  return rows;
}

/** The changes of a range in their order. Uses the primary key. */
export async function findChanges(
  db: Db,
  accountId: string,
  filter: ChangeFilter,
  range: FeedRange,
): Promise<StoredChange[]> {
  const { rows } = await sql<{
    position: number;
    type: string;
    id: string;
    name: string;
    etag: string;
    patch: string;
    changed_at: number;
    request_id: string | null;
  }>`
    select position, resource_type as type, resource_id as id, name, etag, patch, changed_at,
      request_id
    from tag_changes
    where ${conditions(accountId, filter, range)} order by position`.execute(db);
  return rows.map(({ changed_at: changedAtMs, request_id: requestId, ...change }) => ({
    ...change,
    changedAtMs,
    requestId: requestId ?? undefined,
  }));
}

/** Tags that one purge deletes, unless a row alone has more: a few ms of the embedded database. */
export const BYTES_PER_PURGE = 2 * 1024 * 1024;

/**
 * Deletes some of the changes that are too old, from the beginning of the list of an account on: also
 * one that is not, by the clock of its node, but comes before one that is. The account's head tells
 * how far. Uses `tag_changes_changed_at` and the primary key.
 * @returns whether there may be more
 */
export async function purgeChanges(tx: Transaction, beforeMs: number): Promise<boolean> {
  const oldest = await tx
    .selectFrom('tag_changes')
    .select(['account_id', 'position'])
    .where('changed_at', '<', beforeMs)
    .orderBy('changed_at')
    .limit(1)
    .executeTakeFirst();
  if (oldest === undefined) return false;
  const { account_id: accountId } = oldest;
  const first = await tx
    .selectFrom('tag_changes')
    .select(['position', 'changed_at', sql<number>`octet_length(patch)`.as('bytes')])
    .where('account_id', '=', accountId)
    .orderBy('position')
    .limit(ROWS_PER_PURGE)
    .execute();
  let purgedPosition = 0;
  let total = 0;
  for (const { position, changed_at: changedAtMs, bytes } of first) {
    if (total > 0 && total + bytes > BYTES_PER_PURGE) break;
    total += bytes;
    if (changedAtMs < beforeMs || position < oldest.position) purgedPosition = position;
  }
  await tx
    .updateTable('tag_heads')
    .set({ purged_position: purgedPosition })
    .where('account_id', '=', accountId)
    .where('purged_position', '<', purgedPosition)
    .execute();
  await tx
    .deleteFrom('tag_changes')
    .where('account_id', '=', accountId)
    .where('position', '<=', purgedPosition)
    .execute();
  return true;
}
