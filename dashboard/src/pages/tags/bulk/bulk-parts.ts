import {
  type BulkBody,
  type BulkItem,
  type BulkQuery,
  bulkFilter,
  listTagged,
  readTagged,
  sendBulk,
} from '../../../api/bulk-tags.ts';
import { type ResourceRef, type TaggedResource, wireRef } from '../../../api/resource-tags.ts';
import { type BulkEdit, patchFor } from './bulk-draft.ts';

/** The resources that are changed together: some that were chosen, or all that match a filter. */
export type BulkSelection =
  | { kind: 'resources'; resources: readonly ResourceRef[] }
  | { kind: 'filter'; parameters: BulkQuery };

/** One bulk change, or the trial of one. */
export interface BulkJob {
  accountId: string;
  selection: BulkSelection;
  edit: BulkEdit;
  /** Whether it only tells what it would come to. */
  isDry: boolean;
  /** Tells its requests from those of all others. */
  key: string;
}

/** What has come of it so far. */
export interface BulkTally {
  changed: number;
  unchanged: number;
  failures: readonly BulkItem[];
  /** The first ones that change. */
  samples: readonly ResourceRef[];
}

/** Where a job goes on: how many of the chosen are done, or the cursor of the API. */
type Position = { offset: number } | { cursor: string | undefined };

/** One request of a job. */
interface Part {
  body: BulkBody;
  /** Where the next one begins, given the cursor of the answer; undefined after the last. */
  next: (cursor: string | undefined) => Position | undefined;
}

/** How far a job has come. After a failure it goes on with the very request that failed. */
export interface BulkProgress {
  tally: BulkTally;
  parts: number;
  /** Undefined when it is done. */
  position: Position | undefined;
  pending: Part | undefined;
}

// As many as the API takes at once.
const OPERATIONS = 1_000;
// Those are read before, and names of resources are long.
const REPLACED = 250;
const REPLACED_BY_NAME = 50;
const SAMPLES = 5;

/** A job that is about to begin. */
export function beginBulk({ selection }: BulkJob): BulkProgress {
  return {
    tally: { changed: 0, unchanged: 0, failures: [], samples: [] },
    parts: 0,
    position: selection.kind === 'filter' ? { cursor: undefined } : { offset: 0 },
    pending: undefined,
  };
}

/** How many resources have been gone over. */
export function doneBy({ changed, unchanged, failures }: BulkTally): number {
  return changed + unchanged + failures.length;
}

/** What the next request of a job is; it may have to read first. */
export async function prepareBulk(
  job: BulkJob,
  progress: BulkProgress,
  signal: AbortSignal,
): Promise<BulkProgress> {
  if (progress.pending !== undefined || progress.position === undefined) return progress;
  return { ...progress, pending: await partAt(job, progress.position, signal) };
}

/** Sends it. @throws ApiFailure and the same can be tried again */
export async function sendPart(
  job: BulkJob,
  progress: BulkProgress,
  signal: AbortSignal,
): Promise<BulkProgress> {
  const { pending, parts, tally } = progress;
  if (pending === undefined) return progress;
  const { next, body } = pending;
  if (body.operations?.length === 0) {
    return { ...progress, pending: undefined, position: next(undefined) };
  }
  const idempotencyKey = job.isDry ? undefined : `${job.key}-${parts}`;
  const answer = await sendBulk(
    job.accountId,
    { ...body, ...(job.isDry && { dry_run: true }) },
    { idempotencyKey, signal },
  );
  return {
    tally: added(tally, answer.items),
    parts: parts + 1,
    position: next(answer.next),
    pending: undefined,
  };
}

function added(tally: BulkTally, items: readonly BulkItem[]): BulkTally {
  const changed = items.filter((item) => item.changed === true);
  const failures = items.filter(({ success }) => !success);
  const samples = changed.flatMap(({ resource_type: type, resource_id: id }) =>
    type === undefined || id === undefined ? [] : [{ type, id }],
  );
  return {
    changed: tally.changed + changed.length,
    unchanged: tally.unchanged + items.length - changed.length - failures.length,
    failures: [...tally.failures, ...failures],
    samples: [...tally.samples, ...samples].slice(0, SAMPLES),
  };
}

function partAt(job: BulkJob, position: Position, signal: AbortSignal): Part | Promise<Part> {
  const { selection, edit } = job;
  if (selection.kind === 'resources') {
    const start = 'offset' in position ? position.offset : 0;
    return edit.mode === 'merge'
      ? chosenPart(selection.resources, edit, start)
      : replacedPart(job, selection.resources, start, signal);
  }
  const cursor = 'cursor' in position ? position.cursor : undefined;
  return edit.mode === 'merge'
    ? matchingPart(selection.parameters, edit, cursor)
    : replacedPage(job, selection.parameters, cursor, signal);
}

function offsetAfter(end: number, count: number) {
  return (): Position | undefined => (end < count ? { offset: end } : undefined);
}

function chosenPart(resources: readonly ResourceRef[], edit: BulkEdit, start: number): Part {
  const end = start + OPERATIONS;
  const operations = resources.slice(start, end).map((ref) => ({
    op: 'patch',
    ...wireRef(ref),
    tags: edit.tags,
  }));
  return { body: { operations }, next: offsetAfter(end, resources.length) };
}

async function replacedPart(
  { accountId, edit }: BulkJob,
  resources: readonly ResourceRef[],
  start: number,
  signal: AbortSignal,
): Promise<Part> {
  const end = start + REPLACED_BY_NAME;
  const found = await readTagged(accountId, resources.slice(start, end), signal);
  const operations = found.map((resource) => replacement(resource, edit));
  return { body: { operations }, next: offsetAfter(end, resources.length) };
}

/** The API merges into what matches: to replace, what there is has to be read. */
async function replacedPage(
  { accountId, edit }: BulkJob,
  filter: BulkQuery,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<Part> {
  const page = await listTagged(accountId, filter, { cursor, limit: REPLACED, signal });
  const operations = page.resources.map((resource) => replacement(resource, edit));
  const next = page.next === undefined ? undefined : { cursor: page.next };
  return { body: { operations }, next: () => next };
}

/** Takes each other tag away by its name, so that all else that is stored of the resource stays. */
function replacement(resource: TaggedResource, edit: BulkEdit) {
  return {
    op: 'patch',
    ...wireRef(resource),
    tags: patchFor(resource.tags, edit),
    if_match: resource.etag,
  };
}

function matchingPart(filter: BulkQuery, edit: BulkEdit, cursor: string | undefined): Part {
  const body = {
    filter: bulkFilter(filter),
    tags: edit.tags,
    ...(cursor !== undefined && { cursor }),
  };
  return {
    body,
    next: (after) => (after === undefined ? undefined : { cursor: after }),
  };
}
