import { type ApiError, apiError } from '../../http/errors.ts';
import type { Db } from '../../storage/schema.ts';
import { WORKER_VERSION, isOtherWorker, isOwnResourceType } from '../resource-types.ts';
import {
  type ResourceFacts,
  type ResourceRef,
  type StoredResource,
  type TaggedResource,
  loadResources,
  resourceKey,
} from '../store/tag-store.ts';
import type { StoredChange } from '../store/tag-feed.ts';
import type { TagHead } from '../store/tag-head.ts';
import { resourceNotFound, tagErrors } from '../tag-errors.ts';
import { taggedResourceReply } from '../tag-presenter.ts';
import { MAX_TAGS_PER_RESOURCE } from '../tag-limits.ts';
import type { TagServices } from '../tag-services.ts';
import { canonicalObject } from '../tag-set/canonical-object.ts';
import { EMPTY_ETAG, tagsMatch } from '../tag-set/etag.ts';
import { inChunks } from '../event-loop-turns.ts';
import { mergeTags } from '../tag-set/merge-tags.ts';
import { changesBetween } from '../tag-set/tag-changes.ts';
import { EMPTY_SET, type TagSet } from '../tag-set/tag-set.ts';
import { NO_LONGER_MATCHES, type TagWrite, type TagWriteOutcome } from './tag-write.ts';

/** The services that writes use. */
export type WriteServices = Pick<
  TagServices,
  'clock' | 'findResourceName' | 'notFoundStatus' | 'bodyLimitBytes'
>;

/** A resource before and after the writes; undefined while it is not tagged. */
export interface ResourceState {
  ref: ResourceRef;
  /** The name of the record, for a resource of this server; undefined if there is no record or no write needs it. */
  ownName: string | undefined;
  before: StoredResource | undefined;
  after: StoredResource | undefined;
}

/** The maximum that single requests share. Their evaluation takes a few milliseconds. */
const WRITES_PER_TURN = 64;

/** The result of an evaluation. */
export interface Evaluation {
  outcomes: TagWriteOutcome[];
  states: ResourceState[];
  /** The changes of tags, for the list of changes. */
  changes: StoredChange[];
  /** Includes the numbers that the evaluation assigned. */
  head: TagHead;
}

/**
 * Evaluates writes to the resources of an account in memory, one after the other. Each write sees the results of the
 * earlier ones. A refused write changes nothing.
 * @param head the last assigned numbers
 * @param maxLongBytes see {@link loadResources}
 * @returns undefined if the stored tags are too large to evaluate these writes together
 */
export async function evaluate(
  db: Db,
  services: WriteServices,
  accountId: string,
  writes: readonly TagWrite[],
  head: TagHead,
  maxLongBytes = Infinity,
): Promise<Evaluation | undefined> {
  const states = await loadStates(db, services, accountId, writes, maxLongBytes);
  if (states === undefined) return undefined;
  const evaluation: Evaluation = {
    outcomes: [],
    states: [...states.values()],
    changes: [],
    head: { ...head },
  };
  const nowMs = services.clock.now();
  for await (const chunk of inChunks(writes, WRITES_PER_TURN)) {
    for (const write of chunk) {
      const state = states.get(resourceKey(write.resource)) as ResourceState;
      const next = afterWrite(write, state, services);
      evaluation.outcomes.push(
        'refusal' in next ? next : takeOver(evaluation, write, state, next, nowMs),
      );
    }
  }
  return evaluation;
}

async function loadStates(
  db: Db,
  { findResourceName }: WriteServices,
  accountId: string,
  writes: readonly TagWrite[],
  maxLongBytes: number,
): Promise<Map<string, ResourceState> | undefined> {
  const states = new Map<string, ResourceState>();
  for (const { resource: ref } of writes) {
    const state = { ref, ownName: undefined, before: undefined, after: undefined };
    states.set(resourceKey(ref), state);
  }
  const loaded = await loadResources(db, accountId, writes, maxLongBytes);
  if (loaded === undefined) return undefined;
  for (const [key, stored] of loaded) {
    Object.assign(states.get(key) as ResourceState, { before: stored, after: stored });
  }
  for await (const chunk of inChunks(writes)) {
    for (const { operation, resource } of chunk) {
      const { type, id } = resource;
      if (operation === 'delete' || !isOwnResourceType(type)) continue;
      const state = states.get(resourceKey(resource)) as ResourceState;
      state.ownName ??= await findResourceName(db, { accountId, type, id });
    }
  }
  return states;
}

/** The intended state of a resource. */
interface Wanted {
  facts: ResourceFacts;
  tagSet: TagSet;
}

/** The checks that compare with the stored resource, in the order in which they refuse. */
function afterWrite(
  write: TagWrite,
  state: ResourceState,
  services: WriteServices,
): Wanted | { refusal: ApiError } {
  const { resource, operation, onlyIf } = write;
  const { after: now } = state;
  if (onlyIf !== undefined && (now === undefined || !onlyIf(shown(resource, now)))) {
    return { refusal: NO_LONGER_MATCHES };
  }
  const facts = factsAfter(write, state);
  if (facts === undefined) {
    return { refusal: resourceNotFound(services.notFoundStatus, resource.type, resource.id) };
  }
  if (operation === 'delete') {
    const isOther = now !== undefined && isOtherWorker({ ...resource, ...now }, write.workerId);
    if (isOther) return { refusal: apiError(tagErrors.invalidDeletePayload) };
  } else if (resource.type === WORKER_VERSION && facts.workerId === undefined) {
    return { refusal: apiError(tagErrors.invalidSetPayload) };
  }
  if (!tagsMatch(write.ifMatch, now?.tagSet.etag)) {
    return { refusal: preconditionFailed(write, now) };
  }
  if (operation === 'put') return { facts, tagSet: write.tagSet };
  if (operation === 'delete') return { facts, tagSet: EMPTY_SET };
  const tagSet = mergeTags(now?.tagSet ?? EMPTY_SET, write.patch);
  const refusal = tagSet === now?.tagSet ? undefined : sizeFault(resource, tagSet, services);
  return refusal === undefined ? { facts, tagSet } : { refusal };
}

function preconditionFailed(
  { resource, showsRecord = false }: TagWrite,
  now: StoredResource | undefined,
): ApiError {
  const current = showsRecord && now !== undefined ? taggedResourceReply(shown(resource, now)) : {};
  return apiError(tagErrors.preconditionFailed, current);
}

/**
 * Returns the other members of a resource after a write. A resource of this server must exist, and its name is that of
 * its record.
 * @returns undefined if there is no such resource
 */
function factsAfter(write: TagWrite, state: ResourceState): ResourceFacts | undefined {
  const { after: now } = state;
  const { type, id } = write.resource;
  if (write.operation === 'delete') {
    const { workerId, zoneId, accessApplicationId } = now ?? {};
    return { name: now?.name ?? id, workerId, zoneId, accessApplicationId };
  }
  const given = write.facts;
  const kept = write.operation === 'patch' ? now : undefined;
  const name = isOwnResourceType(type) ? state.ownName : (given.name ?? kept?.name ?? id);
  if (name === undefined) return undefined;
  return {
    name,
    workerId: given.workerId ?? kept?.workerId,
    zoneId: given.zoneId ?? kept?.zoneId,
    accessApplicationId: given.accessApplicationId ?? kept?.accessApplicationId,
  };
}

/** Returns the refusal of a merged set with too many tags, or with more bytes than the body of a PUT can have. */
function sizeFault(
  { type, id }: ResourceRef,
  { byKey, canonical }: TagSet,
  { bodyLimitBytes }: WriteServices,
): ApiError | undefined {
  if (byKey.size > MAX_TAGS_PER_RESOURCE) return apiError(tagErrors.setTooLarge);
  const frame = JSON.stringify({ resource_type: type, resource_id: id, tags: 0 });
  const bytes = Buffer.byteLength(canonical) + Buffer.byteLength(frame) - 1;
  if (bytes <= bodyLimitBytes) return undefined;
  return apiError(tagErrors.setTooLarge, {
    message: `tag set too large (maximum is a body of ${bodyLimitBytes} bytes)`,
  });
}

/** Sets the state of a resource, and records the change. */
function takeOver(
  { head, changes }: Evaluation,
  { resource, requestId }: TagWrite,
  state: ResourceState,
  { facts, tagSet }: Wanted,
  nowMs: number,
): TagWriteOutcome {
  const { after: now } = state;
  const before = now?.tagSet ?? EMPTY_SET;
  const isChanged = tagSet.canonical !== before.canonical;
  // The time of a tag set never decreases, even if the clock is set back.
  const tagsUpdatedAtMs = Math.max(nowMs, now?.tagsUpdatedAtMs ?? 0);
  const isTagged = tagSet.etag !== EMPTY_ETAG;
  const seq = now?.seq ?? (isTagged ? ++head.lastSeq : 0);
  const next = { ...facts, seq, tagSet, tagsUpdatedAtMs };
  state.after = isTagged ? next : undefined;
  if (isChanged) {
    const { type, id } = resource;
    const { name } = facts;
    const { etag } = tagSet;
    const patch = patchBetween(before, tagSet);
    const position = ++head.lastPosition;
    changes.push({
      position,
      type,
      id,
      name,
      etag,
      patch,
      changedAtMs: tagsUpdatedAtMs,
      requestId,
    });
  }
  const hasOtherFacts = isTagged && now !== undefined && differ(facts, now);
  const wasTagged = now !== undefined;
  const { etag } = tagSet;
  return { resource: shown(resource, next), etag, wasTagged, isChanged, hasOtherFacts };
}

function differ(facts: ResourceFacts, before: ResourceFacts): boolean {
  return (
    facts.name !== before.name ||
    facts.workerId !== before.workerId ||
    facts.zoneId !== before.zoneId ||
    facts.accessApplicationId !== before.accessApplicationId
  );
}

/** Returns the JSON merge patch (RFC 7396) from one set to the other. */
function patchBetween(before: TagSet, after: TagSet): string {
  if (before === EMPTY_SET) return after.canonical;
  const changes = changesBetween(before.byKey, after.byKey);
  return canonicalObject(new Map(changes.map(({ key, after: value = null }) => [key, value])));
}

function shown(
  resource: ResourceRef,
  { tagSet, tagsUpdatedAtMs, ...stored }: StoredResource,
): TaggedResource {
  const { name, workerId, zoneId, accessApplicationId } = stored;
  const facts = { name, workerId, zoneId, accessApplicationId };
  return { ...resource, ...facts, tags: tagSet.tags, etag: tagSet.etag, tagsUpdatedAtMs };
}
