import { setImmediate as nextTurn } from 'node:timers/promises';
import { BLOCK_PLACES, blockOf } from '../../lib/bit-block.ts';
import type { Db } from '../../storage/schema.ts';
import type { PlacedResource } from '../store/tag-store.ts';
import { MAX_SETS_PER_STATEMENT, combineSets, findBlock, readSets } from './read-postings.ts';
import {
  type MeasuredResource,
  NAMES_PER_STATEMENT,
  RESOURCES_PER_STATEMENT,
  filterByName,
  readResources,
} from './read-resources.ts';
import { resolveFilters } from './resolve-filters.ts';
import { type ResourceQuery, matcherOf } from './tag-match.ts';
import { type SearchPlan, countTerms, planSearch } from './tag-plan.ts';

/*
 * How tagged resources are found:
 *
 * 1. Every filter is turned into the names of stored sets of resources, and counted (resolve-filters.ts).
 * 2. The counts may say that nothing matches, or that a filter says nothing. Else the rarest condition
 *    that is not negated drives (tag-plan.ts). Ids drive always: they are few.
 * 3. The blocks of the driver are read from the cursor on, some at a time and with them the sets of the
 *    other conditions, and combined bit by bit (read-postings.ts). What is left are candidates.
 * 4. The candidates are read, those with the wanted name (read-resources.ts), and each is checked
 *    whole (tag-match.ts): the sets save reading, but what is found is right by this check alone.
 * 5. When the page is full, nothing more is read.
 *
 * Each step is bounded, and between two of them other requests get their turn.
 */

/** Which part of a list of resources is wanted. */
export interface PageRange {
  /** The place after which to begin; 0: at the first. */
  after: number;
  /** How many resources at most. */
  limit: number;
  /** How long their tags (as JSON), names and ids may be together; a single resource may be longer. */
  maxBytes: number;
}

export interface ResourcePage {
  resources: PlacedResource[];
  /** The place after which to go on; undefined when the list has ended. */
  next: number | undefined;
}

/**
 * The first resources that match, in the order of their places.
 * @throws ApiError 6010 when case-insensitive filters match too many spellings
 */
export async function searchResources(
  db: Db,
  accountId: string,
  query: ResourceQuery,
  range: PageRange,
): Promise<ResourcePage> {
  const matches = matcherOf(query);
  const page = new Page(range);
  let isFirst = true;
  for await (const candidates of findCandidates(db, accountId, query, range)) {
    if (!isFirst) await nextTurn();
    isFirst = false;
    for await (const found of readResources(db, accountId, candidates)) {
      for (const one of found) {
        if (matches(one.resource) && !page.add(one)) return page.cut();
      }
    }
  }
  return page.whole();
}

/** What has been found for one page. */
class Page {
  readonly #resources: PlacedResource[] = [];
  readonly #range: PageRange;
  #bytes = 0;

  constructor(range: PageRange) {
    this.#range = range;
  }

  /** @returns false when the resource has no place on the page: that it is there tells of a next one */
  add({ resource, bytes }: MeasuredResource): boolean {
    const count = this.#resources.length;
    if (count >= this.#range.limit) return false;
    if (count > 0 && this.#bytes + bytes > this.#range.maxBytes) return false;
    this.#resources.push(resource);
    this.#bytes += bytes;
    return true;
  }

  cut(): ResourcePage {
    return { resources: this.#resources, next: this.#resources.at(-1)?.seq };
  }

  whole(): ResourcePage {
    return { resources: this.#resources, next: undefined };
  }
}

/** Places of resources that may match, in ascending order, as many at a time as one statement reads. */
async function* findCandidates(
  db: Db,
  accountId: string,
  query: ResourceQuery,
  range: PageRange,
): AsyncGenerator<number[]> {
  // The one after the last tells whether there is a next page.
  const wanted = range.limit + 1;
  if (query.ids.length > 0) {
    const seqs = await findPlaces(db, accountId, query.ids, range.after);
    yield* groups(seqs, wanted, RESOURCES_PER_STATEMENT);
    return;
  }
  const resolution = await resolveFilters(db, accountId, query.filters, query);
  const plan = planSearch(resolution, query.types);
  if (plan === undefined) return;
  for await (const seqs of walkBlocks(db, accountId, plan, range.after, wanted)) {
    if (query.name === '') {
      yield* groups(seqs, wanted, RESOURCES_PER_STATEMENT);
      continue;
    }
    for (const some of groups(seqs, 2 * wanted, NAMES_PER_STATEMENT)) {
      const named = await filterByName(db, accountId, some, query.name);
      yield* groups(named, wanted, RESOURCES_PER_STATEMENT);
      await nextTurn();
    }
  }
}

/** Groups of a size at first, since most pages are then full, and ever larger ones. */
function* groups<T>(items: readonly T[], firstSize: number, maxSize: number): Generator<T[]> {
  let size = Math.min(firstSize, maxSize);
  for (let start = 0; start < items.length;) {
    yield items.slice(start, start + size);
    start += size;
    size = Math.min(2 * size, maxSize);
  }
}

/** Resources of several types may have one id. Uses `tagged_resources_by_id`. */
async function findPlaces(
  db: Db,
  accountId: string,
  ids: readonly string[],
  after: number,
): Promise<number[]> {
  const rows = await db
    .selectFrom('tagged_resources')
    .select('seq')
    .where('account_id', '=', accountId)
    .where('resource_id', 'in', ids)
    .execute();
  return rows
    .map(({ seq }) => seq)
    .filter((seq) => seq > after)
    .sort((a, b) => a - b);
}

/** When a stretch of blocks had too few that match, the next one is longer by this. */
const STRETCH_GROWTH = 4;

/** The places that fulfil the conditions of a plan, beginning after one. */
async function* walkBlocks(
  db: Db,
  accountId: string,
  plan: SearchPlan,
  after: number,
  wanted: number,
): AsyncGenerator<number[]> {
  const conditions = [plan.driver, ...plan.probes];
  const terms = [...new Set(conditions.flatMap((condition) => condition.terms))];
  const longest = longestStretch(plan);
  let stretch = Math.min(longest, Math.ceil((2 * wanted) / plan.matchesPerBlock));
  for (let from = blockOf(after + 1); from <= plan.lastBlock;) {
    const until = Math.min(from + stretch, plan.lastBlock + 1);
    let seqs: number[] = [];
    const blocks = await readSets(db, accountId, terms, from, until);
    for (const [block, sets] of blocks) {
      const places = combineSets(conditions, sets)?.places() ?? [];
      for (const place of places) {
        const seq = block * BLOCK_PLACES + place;
        if (seq > after) seqs.push(seq);
      }
      if (seqs.length >= RESOURCES_PER_STATEMENT) {
        yield seqs;
        seqs = [];
      }
    }
    if (seqs.length > 0) yield seqs;
    from = until;
    // Here may be a long way on which all resources are gone.
    if (blocks.length === 0) from = (await findBlock(db, accountId, from)) ?? Infinity;
    stretch = Math.min(longest, stretch * STRETCH_GROWTH);
    if (from <= plan.lastBlock) await nextTurn();
  }
}

/** How many blocks one statement reads: of few resources all, for these are in few sets. */
function longestStretch({ driver, probes, lastBlock }: SearchPlan): number {
  if (probes.length === 0 && driver.count <= MAX_SETS_PER_STATEMENT) return lastBlock + 1;
  return Math.max(1, Math.floor(MAX_SETS_PER_STATEMENT / countTerms([driver, ...probes])));
}
