import type { Db, Transaction } from '../../storage/schema.ts';
import { CountChanges, updateCounts } from '../store/tag-counts.ts';
import { appendChanges } from '../store/tag-feed.ts';
import { type TagHead, lockTags, moveHead } from '../store/tag-head.ts';
import { type PostingChange, updatePostings } from '../store/tag-postings.ts';
import { removeResources, resourceKey, storeResources } from '../store/tag-store.ts';
import { EVERY_RESOURCE, keyTerm, typeTerm, valueTerm } from '../store/tag-terms.ts';
import { valueKeyOf } from '../store/value-key.ts';
import {
  type Evaluation,
  type ResourceState,
  type WriteServices,
  evaluate,
} from './evaluate-writes.ts';
import { inChunks } from '../event-loop-turns.ts';
import { type TagChange, changesBetween } from '../tag-set/tag-changes.ts';
import { NO_TAGS, type TagMap } from '../tag-set/tag-set.ts';
import { type BriefOutcome, LongSets, type TagWrite, type TagWriteOutcome } from './tag-write.ts';

/**
 * Writes to resources of one account, one after the other: each sees what those before it have left. All
 * else that is kept of the tags is brought to where they are then. A refused write changes nothing, and
 * does not keep the others from being made.
 * @param maxLongBytes of the long sets that several of them may replace together; not given: however many
 * @throws LongSets when they are more
 */
export function applyWrites(
  tx: Transaction,
  services: WriteServices,
  accountId: string,
  writes: readonly TagWrite[],
  maxLongBytes?: number,
): Promise<TagWriteOutcome[]> {
  return applyAll(tx, services, accountId, writes, (outcome) => outcome, maxLongBytes);
}

/** The same without telling the tags: for more writes than whose tags all fit into memory. */
export function applyManyWrites(
  tx: Transaction,
  services: WriteServices,
  accountId: string,
  writes: readonly TagWrite[],
): Promise<BriefOutcome[]> {
  return applyAll(tx, services, accountId, writes, briefly);
}

async function applyAll<Told>(
  tx: Transaction,
  services: WriteServices,
  accountId: string,
  writes: readonly TagWrite[],
  tell: (outcome: TagWriteOutcome) => Told,
  maxLongBytes = Infinity,
): Promise<Told[]> {
  const told: Told[] = [];
  const head = await lockTags(tx, accountId);
  const moved = await applyPart(writes, head);
  const isMoved = moved.lastSeq > head.lastSeq || moved.lastPosition > head.lastPosition;
  if (isMoved) await moveHead(tx, accountId, moved);
  return told;

  async function applyPart(part: readonly TagWrite[], from: TagHead): Promise<TagHead> {
    const evaluation = await evaluate(tx, services, accountId, part, from, maxLongBytes);
    if (evaluation === undefined) {
      if (maxLongBytes !== Infinity) throw new LongSets();
      const middle = Math.ceil(part.length / 2);
      return applyPart(part.slice(middle), await applyPart(part.slice(0, middle), from));
    }
    await store(tx, accountId, evaluation);
    told.push(...evaluation.outcomes.map(tell));
    return evaluation.head;
  }
}

async function store(
  tx: Transaction,
  accountId: string,
  { states, changes }: Evaluation,
): Promise<void> {
  const written = states.filter(({ before, after }) => before !== after);
  await storeStates(tx, accountId, written);
  await updateSearch(tx, accountId, written);
  await appendChanges(tx, accountId, changes);
}

function briefly(outcome: TagWriteOutcome): BriefOutcome {
  if ('refusal' in outcome) return outcome;
  const { etag, wasTagged, isChanged, hasOtherFacts } = outcome;
  return { etag, wasTagged, isChanged, hasOtherFacts };
}

/** What {@link applyManyWrites} would answer now; nothing is written. */
export async function evaluateWrites(
  db: Db,
  services: WriteServices,
  accountId: string,
  writes: readonly TagWrite[],
): Promise<BriefOutcome[]> {
  const head = { lastSeq: 0, lastPosition: 0 };
  const evaluation = await evaluate(db, services, accountId, writes, head);
  if (evaluation !== undefined) return evaluation.outcomes.map(briefly);
  // Nothing is left behind for a later part to find: all writes to a resource are in one.
  const byResource = [...Map.groupBy(writes, ({ resource }) => resourceKey(resource)).values()];
  const middle = Math.ceil(byResource.length / 2);
  const outcomes = new Map<TagWrite, BriefOutcome>();
  for (const half of [byResource.slice(0, middle), byResource.slice(middle)]) {
    const part = half.flat();
    const found = await evaluateWrites(db, services, accountId, part);
    for (const [index, outcome] of found.entries()) outcomes.set(part[index] as TagWrite, outcome);
  }
  return writes.map((write) => outcomes.get(write) as BriefOutcome);
}

async function storeStates(
  tx: Transaction,
  accountId: string,
  states: readonly ResourceState[],
): Promise<void> {
  const gone = [];
  const kept = [];
  for (const { ref, before, after } of states) {
    if (before !== undefined && before.seq !== after?.seq) gone.push(before.seq);
    if (after !== undefined) kept.push({ ...ref, ...after });
  }
  // First: a resource that lost its tags and got others has a new place, and there is one row of it.
  await removeResources(tx, accountId, gone);
  await storeResources(tx, accountId, kept);
}

/** Brings what is searched and counted to what the resources have now. */
async function updateSearch(
  tx: Transaction,
  accountId: string,
  states: readonly ResourceState[],
): Promise<void> {
  const postings: PostingChange[] = [];
  const counts = new CountChanges();
  for await (const chunk of inChunks(states)) {
    for (const state of chunk) {
      for (const place of placesOf(state)) note(place, state.ref.type, postings, counts);
    }
  }
  await updatePostings(tx, accountId, postings);
  await updateCounts(tx, accountId, counts);
}

/** What the resource at a place had, and what it has now; none at all: there is nothing. */
interface PlaceChange {
  seq: number;
  from: TagMap;
  to: TagMap;
}

function placesOf({ before, after }: ResourceState): PlaceChange[] {
  const places = [];
  if (before !== undefined && before.seq === after?.seq) {
    if (before.tagSet.canonical === after.tagSet.canonical) return [];
    return [{ seq: before.seq, from: before.tagSet.byKey, to: after.tagSet.byKey }];
  }
  if (before !== undefined)
    places.push({ seq: before.seq, from: before.tagSet.byKey, to: NO_TAGS });
  if (after !== undefined) places.push({ seq: after.seq, from: NO_TAGS, to: after.tagSet.byKey });
  return places;
}

function note(
  { seq, from, to }: PlaceChange,
  type: string,
  postings: PostingChange[],
  counts: CountChanges,
): void {
  const changes = changesBetween(from, to);
  counts.addTags(type, changes);
  for (const change of changes) addPostings(change, seq, postings);
  if (from.size > 0 && to.size > 0) return;
  const isMember = to.size > 0;
  counts.addResource(type, isMember ? 1 : -1);
  for (const term of [EVERY_RESOURCE, typeTerm(type)]) postings.push({ term, seq, isMember });
}

function addPostings(
  { key, before, after }: TagChange,
  seq: number,
  postings: PostingChange[],
): void {
  const isMember = after !== undefined;
  if (isMember !== (before !== undefined)) postings.push({ term: keyTerm(key), seq, isMember });
  if (before !== undefined) {
    postings.push({ term: valueTerm(key, valueKeyOf(before)), seq, isMember: false });
  }
  if (after !== undefined) {
    postings.push({ term: valueTerm(key, valueKeyOf(after)), seq, isMember: true });
  }
}
