import { sql } from 'kysely';
import { BLOCK_PLACES, BitBlock, blockOf } from '../../lib/bit-block.ts';
import { compareText } from '../../lib/compare-text.ts';
import { PARAMETER, RowStatement } from '../../storage/row-statement.ts';
import type { Transaction } from '../../storage/schema.ts';
import { inChunks, inLargeChunks, pauseIfLarge, sortInTurns } from '../event-loop-turns.ts';
import type { Term } from './tag-terms.ts';

/** A resource that comes into a set, or leaves it. */
export interface PostingChange {
  term: Term;
  seq: number;
  isMember: boolean;
}

interface BlockChange {
  term: Term;
  block: number;
  places: { place: number; isMember: boolean }[];
}

/**
 * Brings the sets of resources to what they are after a change of tags; part of its transaction, which
 * has locked the tags of the account. Uses the primary key of `tag_postings`.
 */
export async function updatePostings(
  tx: Transaction,
  accountId: string,
  changes: readonly PostingChange[],
): Promise<void> {
  for await (const chunk of inChunks(await byBlock(changes))) {
    await updateBlocks(tx, accountId, chunk);
  }
}

async function byBlock(changes: readonly PostingChange[]): Promise<BlockChange[]> {
  const blocks = new Map<string, BlockChange>();
  for await (const chunk of inLargeChunks(changes)) {
    for (const { term, seq, isMember } of chunk) {
      const block = blockOf(seq);
      const name = `${block} ${term}`;
      let change = blocks.get(name);
      if (change === undefined) blocks.set(name, (change = { term, block, places: [] }));
      change.places.push({ place: seq % BLOCK_PLACES, isMember });
    }
  }
  await pauseIfLarge(blocks.size);
  // In the order of the table, so that each of its pages is read and written once.
  return sortInTurns([...blocks.values()], (a, b) => compareText(a.term, b.term));
}

// PostgreSQL takes a parameter in a list of values for a text.
const blockNames = sql`(${PARAMETER}, ${PARAMETER}, cast(${PARAMETER} as bigint))`;

const findBlocks = new RowStatement<{ term: string; block: number; places: Uint8Array }>(
  blockNames,
  (rows) => sql`select term, block, places from tag_postings
    where (account_id, term, block) in (values ${rows})`,
);
const storeBlocks = new RowStatement(
  4,
  (rows) => sql`insert into tag_postings (account_id, term, block, places) values ${rows}
    on conflict (account_id, term, block) do update set places = excluded.places`,
);
const deleteBlocks = new RowStatement(
  blockNames,
  (rows) => sql`delete from tag_postings where (account_id, term, block) in (values ${rows})`,
);

async function updateBlocks(
  tx: Transaction,
  accountId: string,
  changes: readonly BlockChange[],
): Promise<void> {
  const named = changes.map(({ term, block }) => [accountId, term, block]);
  const rows = await findBlocks.run(tx, named);
  const stored = new Map(rows.map(({ term, block, places }) => [`${block} ${term}`, places]));
  const kept = [];
  const emptied = [];
  const set = new BitBlock();
  for (const { term, block, places } of changes) {
    set.reset(stored.get(`${block} ${term}`));
    for (const { place, isMember } of places) {
      if (isMember) set.add(place);
      else set.remove(place);
    }
    const bytes = set.toStored();
    if (bytes === undefined) emptied.push([accountId, term, block]);
    else kept.push([accountId, term, block, bytes]);
  }
  if (kept.length > 0) await storeBlocks.run(tx, kept);
  if (emptied.length > 0) await deleteBlocks.run(tx, emptied);
}
