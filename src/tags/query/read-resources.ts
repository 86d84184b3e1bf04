import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Selectable, sql } from 'kysely';
import { PARAMETER, RowStatement } from '../../storage/row-statement.ts';
import type { Db } from '../../storage/schema.ts';
import type { TaggedResourcesTable } from '../../storage/tag-tables.ts';
import { foldCase } from '../store/fold.ts';
import { type PlacedResource, findTaggedResources, fromRow } from '../store/tag-store.ts';

/** Resources that one statement reads. */
export const RESOURCES_PER_STATEMENT = 256;
/** Tags of this length come with the others, so that one statement reads 1 MiB at most. */
const MAX_SHORT_BYTES = 4_096;
/** So much is looked at in one go: to parse it and to compare it takes some milliseconds. */
const MAX_BYTES_PER_TURN = 256 * 1024;

/** A resource with the length of its tags as JSON, its name and its id. */
export interface MeasuredResource {
  resource: PlacedResource;
  bytes: number;
}

type MeasuredRow = Omit<Selectable<TaggedResourcesTable>, 'tags' | 'name_folded'> & {
  tags: string | null;
  bytes: number;
};

const findPlaced = new RowStatement<MeasuredRow>(
  PARAMETER,
  (seqs) => sql`
    select account_id, seq, resource_type, resource_id, name, etag, tags_updated_at, worker_id,
      zone_id, access_application_id,
      octet_length(tags) + octet_length(name) + octet_length(resource_id) as bytes,
      case when octet_length(tags) <= ${sql.lit(MAX_SHORT_BYTES)} then tags end as tags
    from tagged_resources where account_id = ${PARAMETER} and seq in (${seqs})
    order by seq`,
);

/**
 * Some resources in the order of their places, as many as are still there. Long tags are read when it is
 * their turn. Uses the primary key of `tagged_resources`.
 * @param seqs RESOURCES_PER_STATEMENT at most
 */
export async function* readResources(
  db: Db,
  accountId: string,
  seqs: readonly number[],
): AsyncGenerator<MeasuredResource[]> {
  const rows = await findPlaced.run(
    db,
    seqs.map((seq) => [seq]),
    [accountId],
  );
  let isFirst = true;
  for (const group of groupsBySize(rows)) {
    if (!isFirst) await nextTurn();
    isFirst = false;
    const long = await readLong(db, accountId, group);
    yield group.flatMap((row) => {
      const resource = isWhole(row) ? fromRow(row) : long.get(row.seq);
      return resource === undefined ? [] : [{ resource, bytes: row.bytes }];
    });
  }
}

/** Groups whose tags are not above MAX_BYTES_PER_TURN together, but for a single one that is. */
function* groupsBySize(rows: readonly MeasuredRow[]): Generator<MeasuredRow[]> {
  let group: MeasuredRow[] = [];
  let total = 0;
  for (const row of rows) {
    if (total > 0 && total + row.bytes > MAX_BYTES_PER_TURN) {
      yield group;
      group = [];
      total = 0;
    }
    group.push(row);
    total += row.bytes;
  }
  if (group.length > 0) yield group;
}

/** Those whose tags are not there yet, by their places. */
async function readLong(
  db: Db,
  accountId: string,
  rows: readonly MeasuredRow[],
): Promise<ReadonlyMap<number, PlacedResource>> {
  const seqs = rows.filter((row) => !isWhole(row)).map(({ seq }) => seq);
  if (seqs.length === 0) return new Map();
  await nextTurn();
  const resources = await findTaggedResources(db, accountId, seqs);
  // To look at many tags may take as long as to parse them.
  await nextTurn();
  return new Map(resources.map((resource) => [resource.seq, resource]));
}

function isWhole(row: MeasuredRow): row is MeasuredRow & { tags: string } {
  return row.tags !== null;
}

/** Resources whose names are looked at by one statement: that takes some 3 ms. */
export const NAMES_PER_STATEMENT = 1_000;
/** Going through all resources of a stretch is faster than picking one out of so many. */
const MAX_STRETCH_PER_NAME = 4;

/**
 * Those of some places whose resources have a text in their names, whatever the case. Uses the primary
 * key of `tagged_resources`.
 * @param seqs in ascending order, NAMES_PER_STATEMENT at most
 */
export async function filterByName(
  db: Db,
  accountId: string,
  seqs: readonly number[],
  text: string,
): Promise<number[]> {
  const [first = 0] = seqs;
  const last = seqs.at(-1) ?? 0;
  const isDense = last - first < seqs.length * MAX_STRETCH_PER_NAME;
  const places = isDense
    ? sql`seq >= ${first} and seq <= ${last}`
    : sql`seq in (${sql.join(seqs)})`;
  // Not LIKE: on SQLite it takes seconds for a long text that is nearly there, and refuses a longer one.
  // Of what else looks for a text, both databases have only this under one name.
  const { rows } = await sql<{ seq: number }>`
    select seq from tagged_resources where account_id = ${accountId} and ${places}
    and replace(name_folded, ${foldCase(text)}, '') <> name_folded order by seq`.execute(db);
  const wanted = new Set(seqs);
  return rows.map(({ seq }) => seq).filter((seq) => wanted.has(seq));
}
