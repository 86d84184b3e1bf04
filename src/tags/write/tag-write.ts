import { type ApiError, apiError } from '../../http/errors.ts';
import type { ResourceRef, TaggedResource } from '../store/tag-store.ts';
import { tagErrors } from '../tag-errors.ts';
import type { TagSet } from '../tag-set/tag-set.ts';

/** The members of a request that describe a resource beside its tags; undefined: not sent. */
export interface GivenFacts {
  /** The name of a resource outside of this server. Resources of this server keep the name of their record. */
  name: string | undefined;
  workerId: string | undefined;
  zoneId: string | undefined;
  accessApplicationId: string | undefined;
}

/** A change of some tags of a resource (RFC 7396); null removes the tag. */
export type TagPatch = ReadonlyMap<string, string | null>;

interface WriteOf<Operation extends string> {
  operation: Operation;
  resource: ResourceRef;
  /** The header, or the member of a bulk operation. */
  ifMatch: string | undefined;
  /** The client may read the tags, so a failed `If-Match` returns them. */
  showsRecord?: boolean;
  /** A condition on the current resource, for writes to the results of a search. If it fails, nothing is written. */
  onlyIf?: (resource: TaggedResource) => boolean;
  /** The ID of the request, for the list of changes; undefined: no request. */
  requestId: string | undefined;
}

/** Replaces the tags and all other members of a resource. */
export interface PutWrite extends WriteOf<'put'> {
  facts: GivenFacts;
  tagSet: TagSet;
}

/** Changes some tags, and the members that the request contains. */
export interface PatchWrite extends WriteOf<'patch'> {
  facts: GivenFacts;
  patch: TagPatch;
}

export interface DeleteWrite extends WriteOf<'delete'> {
  /** For a `worker_version`, the stored worker ID; undefined: any. */
  workerId: string | undefined;
}

/** One change of the tags of one resource, after the checks that need no stored data. */
export type TagWrite = PutWrite | PatchWrite | DeleteWrite;

/** The result of an accepted write, without the tags. */
export interface BriefMadeWrite {
  /** The ETag after the write. */
  etag: string;
  /** The resource had tags before the write. */
  wasTagged: boolean;
  /** A tag has changed. */
  isChanged: boolean;
  /** A member other than the tags has changed. */
  hasOtherFacts: boolean;
}

/** The result of an accepted write, with the tags. */
export interface MadeWrite extends BriefMadeWrite {
  /** The resource after the write. Its tags are empty if the resource is untagged. */
  resource: TaggedResource;
}

/** The result of a write. A refused write changes nothing. */
export type TagWriteOutcome = MadeWrite | { refusal: ApiError };

/** The result of one of many writes. */
export type BriefOutcome = BriefMadeWrite | { refusal: ApiError };

/** The refusal of a write whose `onlyIf` fails. Compare it by identity. */
export const NO_LONGER_MATCHES: ApiError = apiError(tagErrors.preconditionFailed);

/** Several writes would replace sets that are too long together to share a transaction. */
export class LongSets extends Error {}
