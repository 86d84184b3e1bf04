import { sql } from 'kysely';
import { BitBlock } from '../../lib/bit-block.ts';
import type { Db } from '../../storage/schema.ts';
import { EVERY_RESOURCE, type Term } from '../store/tag-terms.ts';
import { inChunks } from '../event-loop-turns.ts';
import type { Condition } from './tag-plan.ts';

/** The stored sets of one block, by what they are of. */
export type SetsOfBlock = ReadonlyMap<Term, Uint8Array>;

/** So many sets are read in some 5 ms by the embedded database, however they are spread. */
export const MAX_SETS_PER_STATEMENT = 1_000;

/**
 * The sets of these terms in some blocks, by the number of the block, in ascending order. They are of one
 * moment, unless there are more terms than one statement reads. Uses the primary key of `tag_postings`.
 * @param from the first block
 * @param until the one after the last
 */
export async function readSets(
  db: Db,
  accountId: string,
  terms: readonly Term[],
  from: number,
  until: number,
): Promise<[block: number, sets: SetsOfBlock][]> {
  const blocks = new Map<number, Map<Term, Uint8Array>>();
  for await (const some of inChunks(terms, MAX_SETS_PER_STATEMENT)) {
    const { rows } = await sql<{ term: Term; block: number; places: Uint8Array }>`
      select term, block, places from tag_postings where account_id = ${accountId}
      and term in (${sql.join(some)}) and block >= ${from} and block < ${until}`.execute(db);
    for (const { term, block, places } of rows) {
      let sets = blocks.get(block);
      if (sets === undefined) blocks.set(block, (sets = new Map()));
      sets.set(term, places);
    }
  }
  return [...blocks].sort(([a], [b]) => a - b);
}

/** The first block from one on that has any resource. Uses the primary key of `tag_postings`. */
export async function findBlock(
  db: Db,
  accountId: string,
  from: number,
): Promise<number | undefined> {
  const row = await db
    .selectFrom('tag_postings')
    .select('block')
    .where('account_id', '=', accountId)
    .where('term', '=', EVERY_RESOURCE)
    .where('block', '>=', from)
    .orderBy('block')
    .limit(1)
    .executeTakeFirst();
  return row?.block;
}

/** The places of one block that fulfil all conditions, of which the first is not negated; undefined: none. */
export function combineSets(
  conditions: readonly Condition[],
  sets: SetsOfBlock,
): BitBlock | undefined {
  let combined: BitBlock | undefined;
  for (const { terms, negated } of conditions) {
    const union = unionOf(terms, sets);
    if (negated) {
      if (union !== undefined) combined?.subtract(union);
    } else if (union === undefined) {
      return undefined;
    } else if (combined === undefined) {
      combined = union;
    } else {
      combined.intersect(union);
    }
  }
  return combined;
}

/** @returns undefined for the empty set */
function unionOf(terms: readonly Term[], sets: SetsOfBlock): BitBlock | undefined {
  let union: BitBlock | undefined;
  for (const term of terms) {
    const stored = sets.get(term);
    if (stored === undefined) continue;
    union ??= new BitBlock();
    union.addStored(stored);
  }
  return union;
}
