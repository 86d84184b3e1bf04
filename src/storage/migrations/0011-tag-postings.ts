import { sql } from 'kysely';
import { BLOCK_PLACES, BitBlock, blockOf } from '../../lib/bit-block.ts';
import type { DialectTraits } from '../dialect.ts';
import type { Transaction } from '../schema.ts';
import type { Migration } from './migration.ts';

/**
 * Finds resources by sets of places instead of a row for each tag.
 *
 * `tagged_resources.seq`, the place of a resource in every list, now counts from 1 without gaps, so that
 * a set of resources is a set of small numbers. `tag_postings` has such a set for every key, every value
 * of a key, every type, and for all resources; a row holds the places within one block of 4,096
 * (lib/bit-block.ts), which are two bytes each while there are few and one bit each when there are many.
 * Conditions are combined block by block. The table takes the place of `resource_tags` with its two
 * indexes; the tags themselves are in `tagged_resources`.
 *
 * `tag_heads` is locked by every change of an account's tags, so that these come one after the other:
 * that gives places without gaps, and `tag_changes` positions in the order of the commits, so that a
 * reader who has seen one has seen all before it. The index on `changed_at` finds what is too old.
 */
export const tagPostings: Migration = {
  name: '0011-tag-postings',
  async up(tx, traits) {
    await createTables(tx, traits);
    await numberResources(tx, traits);
    await fillPostings(tx);
    await sql`insert into tag_heads (account_id, last_seq, last_position, purged_position)
      select account_id, max(seq), 0, 0 from tagged_resources group by account_id`.execute(tx);
    await sql`drop table resource_tags`.execute(tx);
    await sql`drop table tag_places`.execute(tx);
  },
};

async function createTables(tx: Transaction, traits: DialectTraits): Promise<void> {
  const { text, clustered } = traits;
  await tx.schema
    .createTable('tag_heads')
    .addColumn('account_id', text, (column) => column.primaryKey())
    .addColumn('last_seq', sql`bigint`, (column) => column.notNull())
    .addColumn('last_position', sql`bigint`, (column) => column.notNull())
    .addColumn('purged_position', sql`bigint`, (column) => column.notNull())
    .execute();
  await tx.schema
    .createTable('tag_postings')
    .addColumn('account_id', text, (column) => column.notNull())
    .addColumn('term', text, (column) => column.notNull())
    .addColumn('block', sql`bigint`, (column) => column.notNull())
    .addColumn('places', traits.name === 'sqlite' ? sql`blob` : sql`bytea`, (column) =>
      column.notNull(),
    )
    .addPrimaryKeyConstraint('tag_postings_pk', ['account_id', 'term', 'block'])
    .modifyEnd(clustered)
    .execute();
  await tx.schema
    .createTable('tag_changes')
    .addColumn('account_id', text, (column) => column.notNull())
    .addColumn('position', sql`bigint`, (column) => column.notNull())
    .addColumn('resource_type', text, (column) => column.notNull())
    .addColumn('resource_id', text, (column) => column.notNull())
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('etag', text, (column) => column.notNull())
    .addColumn('patch', text, (column) => column.notNull())
    .addColumn('changed_at', sql`bigint`, (column) => column.notNull())
    .addColumn('request_id', text)
    .addPrimaryKeyConstraint('tag_changes_pk', ['account_id', 'position'])
    .execute();
  await tx.schema
    .createIndex('tag_changes_changed_at')
    .on('tag_changes')
    .columns(['changed_at'])
    .execute();
}

const COLUMNS = sql.raw(`resource_type, resource_id, name, name_folded, etag, tags_updated_at,
  worker_id, zone_id, access_application_id, tags`);

/** Makes `tagged_resources` anew with places without gaps; `tag_places` tells the old ones. */
async function numberResources(tx: Transaction, traits: DialectTraits): Promise<void> {
  const { text } = traits;
  await tx.schema
    .createTable('tag_places')
    .addColumn('account_id', text, (column) => column.notNull())
    .addColumn('old_seq', sql`bigint`, (column) => column.notNull())
    .addColumn('seq', sql`bigint`, (column) => column.notNull())
    .addPrimaryKeyConstraint('tag_places_pk', ['account_id', 'old_seq'])
    .modifyEnd(traits.clustered)
    .execute();
  await sql`insert into tag_places (account_id, old_seq, seq)
    select account_id, seq, row_number() over (partition by account_id order by seq)
    from tagged_resources`.execute(tx);
  await tx.schema
    .createTable('numbered_resources')
    .addColumn('account_id', text, (column) => column.notNull())
    .addColumn('seq', sql`bigint`, (column) => column.notNull())
    .addColumn('resource_type', text, (column) => column.notNull())
    .addColumn('resource_id', text, (column) => column.notNull())
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('name_folded', text, (column) => column.notNull())
    .addColumn('etag', text, (column) => column.notNull())
    .addColumn('tags_updated_at', sql`bigint`, (column) => column.notNull())
    .addColumn('worker_id', text)
    .addColumn('zone_id', text)
    .addColumn('access_application_id', text)
    .addColumn('tags', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('tagged_resources_by_seq', ['account_id', 'seq'])
    // In this order it also finds resources by id alone.
    .addUniqueConstraint('tagged_resources_by_id', ['account_id', 'resource_id', 'resource_type'])
    .execute();
  await sql`insert into numbered_resources (account_id, seq, ${COLUMNS})
    select p.account_id, p.seq, ${COLUMNS} from tag_places as p
    join tagged_resources as r on r.account_id = p.account_id and r.seq = p.old_seq
    order by p.account_id, p.seq`.execute(tx);
  await sql`drop table tagged_resources`.execute(tx);
  await sql`alter table numbered_resources rename to tagged_resources`.execute(tx);
}

/** How many tags are read at a time, and sets of places written. */
const ROWS_PER_READ = 5_000;
const ROWS_PER_INSERT = 500;

interface TagRow {
  account_id: string;
  old_seq: number;
  key: string;
  seq: number;
  value_key: string;
  resource_type: string;
}

/** Reads all tags in the order of places, so that each block is written once it has been read. */
async function fillPostings(tx: Transaction): Promise<void> {
  let last: TagRow | undefined;
  let sets = new Map<string, BitBlock>();
  for (;;) {
    const rows = await readTags(tx, last);
    for (const row of rows) {
      if (
        last !== undefined &&
        (last.account_id !== row.account_id || blockOf(last.seq) !== blockOf(row.seq))
      ) {
        await writeBlock(tx, last.account_id, blockOf(last.seq), sets);
        sets = new Map();
      }
      addTag(sets, row);
      last = row;
    }
    if (rows.length < ROWS_PER_READ) break;
  }
  if (last !== undefined) await writeBlock(tx, last.account_id, blockOf(last.seq), sets);
}

async function readTags(tx: Transaction, last: TagRow | undefined): Promise<TagRow[]> {
  const after =
    last === undefined
      ? sql``
      : sql`where (t.account_id, t.seq, t.key) > (${last.account_id}, ${last.old_seq}, ${last.key})`;
  const { rows } = await sql<TagRow>`
    select t.account_id, t.seq as old_seq, t.key, p.seq, t.value_key, r.resource_type
    from (select * from resource_tags as t ${after}
      order by t.account_id, t.seq, t.key limit ${ROWS_PER_READ}) as t
    join tag_places as p on p.account_id = t.account_id and p.old_seq = t.seq
    join tagged_resources as r on r.account_id = p.account_id and r.seq = p.seq
    order by t.account_id, t.seq, t.key`.execute(tx);
  return rows;
}

/** The terms are those of tags/store/tag-terms.ts. */
function addTag(sets: Map<string, BitBlock>, row: TagRow): void {
  const { key, value_key: valueKey, resource_type: type, seq } = row;
  for (const term of ['', `:${type}`, key, `${key}=${valueKey}`]) {
    let set = sets.get(term);
    if (set === undefined) sets.set(term, (set = new BitBlock()));
    set.add(seq % BLOCK_PLACES);
  }
}

async function writeBlock(
  tx: Transaction,
  accountId: string,
  block: number,
  sets: ReadonlyMap<string, BitBlock>,
): Promise<void> {
  const rows = [...sets].map(
    ([term, set]) => sql`(${accountId}, ${term}, ${block}, ${set.toStored()})`,
  );
  for (let start = 0; start < rows.length; start += ROWS_PER_INSERT) {
    const some = sql.join(rows.slice(start, start + ROWS_PER_INSERT));
    await sql`insert into tag_postings (account_id, term, block, places) values ${some}`.execute(
      tx,
    );
  }
}
