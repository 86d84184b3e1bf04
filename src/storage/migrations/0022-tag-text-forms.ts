import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { BitBlock } from '../../lib/bit-block.ts';
import type { Transaction } from '../schema.ts';
import type { Migration } from './migration.ts';

/**
 * Finds tag values and resource names in Unicode NFC. The composed and the decomposed form of a value now have the same
 * value key, and therefore one set of resources and one count. The tags themselves stay as clients sent them.
 */
export const tagTextForms: Migration = {
  name: '0022-tag-text-forms',
  async up(tx) {
    await foldNames(tx);
    await moveValues(tx);
  },
};

const ROWS_PER_READ = 1_000;

async function foldNames(tx: Transaction): Promise<void> {
  for (let after = { account: '', seq: 0 }, isLast = false; !isLast;) {
    const { rows } = await sql<{ account_id: string; seq: number; name: string; folded: string }>`
      select account_id, seq, name, name_folded as folded from tagged_resources
      where (account_id, seq) > (${after.account}, ${after.seq})
        and octet_length(name) <> length(name)
      order by account_id, seq limit ${ROWS_PER_READ}`.execute(tx);
    for (const { account_id: account, seq, name, folded } of rows) {
      after = { account, seq };
      if (folded === fold(name)) continue;
      await sql`update tagged_resources set name_folded = ${fold(name)}
        where account_id = ${account} and seq = ${seq}`.execute(tx);
    }
    isLast = rows.length < ROWS_PER_READ;
  }
}

interface ValueRow {
  account_id: string;
  key: string;
  value_key: string;
  resource_type: string;
  value: string;
  key_folded: string;
  value_folded: string;
  resource_count: number;
}

/** May read a row again after it has moved it. The second time, the row is in place. */
async function moveValues(tx: Transaction): Promise<void> {
  let after = ['', '', '', ''];
  for (;;) {
    const { rows } = await sql<ValueRow>`
      select * from tag_values
      where (account_id, key, value_key, resource_type) > (${sql.join(after)})
        and octet_length(value) <> length(value)
      order by account_id, key, value_key, resource_type limit ${ROWS_PER_READ}`.execute(tx);
    for (const row of rows) {
      after = [row.account_id, row.key, row.value_key, row.resource_type];
      await moveValue(tx, row);
    }
    if (rows.length < ROWS_PER_READ) return;
  }
}

async function moveValue(tx: Transaction, row: ValueRow): Promise<void> {
  const { account_id: account, key, value_key: before, resource_type: type, value } = row;
  const valueKey = keyOf(value);
  const folded = keyOf(fold(value));
  const isRow = sql`account_id = ${account} and key = ${key} and value_key = ${before}
    and resource_type = ${type}`;
  if (valueKey === before) {
    // Its count may have grown since it was read.
    if (folded === row.value_folded) return;
    await sql`update tag_values set value_folded = ${folded} where ${isRow}`.execute(tx);
    return;
  }
  await sql`delete from tag_values where ${isRow}`.execute(tx);
  await sql`insert into tag_values (account_id, key, value_key, resource_type, value, key_folded,
      value_folded, resource_count)
    values (${account}, ${key}, ${valueKey}, ${type}, ${value}, ${row.key_folded}, ${folded},
      ${row.resource_count})
    on conflict (account_id, key, value_key, resource_type) do update set
      resource_count = tag_values.resource_count + excluded.resource_count`.execute(tx);
  await moveSet(tx, account, `${key}=${before}`, `${key}=${valueKey}`);
}

/** Adds one set of resources to another. The terms are those of tags/store/tag-terms.ts. */
async function moveSet(tx: Transaction, account: string, from: string, to: string): Promise<void> {
  const { rows } = await sql<{ term: string; block: number; places: Uint8Array }>`
    select term, block, places from tag_postings
    where account_id = ${account} and term in (${from}, ${to})`.execute(tx);
  const present = new Map(
    rows.filter(({ term }) => term === to).map(({ block, places }) => [block, places]),
  );
  for (const { term, block, places } of rows) {
    if (term !== from) continue;
    const union = BitBlock.from(present.get(block));
    union.addStored(places);
    await sql`insert into tag_postings (account_id, term, block, places)
      values (${account}, ${to}, ${block}, ${union.toStored()})
      on conflict (account_id, term, block) do update set places = excluded.places`.execute(tx);
  }
  await sql`delete from tag_postings where account_id = ${account} and term = ${from}`.execute(tx);
}

/** As tags/store/fold.ts and value-key.ts are in this version. */
function fold(text: string): string {
  const composed = text.normalize('NFC');
  return composed.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ');
}

function keyOf(text: string): string {
  const composed = text.normalize('NFC');
  if (composed.length <= 128) return composed;
  const digest = createHash('sha256').update(composed).digest('base64url');
  return `${Array.from(composed.slice(0, 200)).slice(0, 100).join('')}~${digest}`;
}
