import { type ApiError, apiError } from '../../http/errors.ts';
import type { ResourceRef, TaggedResource } from '../store/tag-store.ts';
import { tagErrors } from '../tag-errors.ts';
import type { TagSet } from '../tag-set/tag-set.ts';

/** What a caller says of a resource beside its tags; undefined: nothing. */
export interface GivenFacts {
  /** Of a resource that lives outside; our own keep the name of their record. */
  name: string | undefined;
  workerId: string | undefined;
  zoneId: string | undefined;
  accessApplicationId: string | undefined;
}

/** What becomes of some tags of a resource (RFC 7396); null: the tag goes. */
export type TagPatch = ReadonlyMap<string, string | null>;

interface WriteOf<Operation extends string> {
  operation: Operation;
  resource: ResourceRef;
  /** As the header, or the item of a bulk request, has it. */
  ifMatch: string | undefined;
  /** The caller may read the tags, so a failed `If-Match` returns them. */
  showsRecord?: boolean;
  /** The resource as it is must be so, else nothing is written: for writes to what a search has found. */
  onlyIf?: (resource: TaggedResource) => boolean;
  /** Of the request behind it, for the list of changes; undefined: none. */
  requestId: string | undefined;
}

/** Replaces all that is stored of a resource. */
export interface PutWrite extends WriteOf<'put'> {
  facts: GivenFacts;
  tagSet: TagSet;
}

/** Changes some tags, and those facts that are given. */
export interface PatchWrite extends WriteOf<'patch'> {
  facts: GivenFacts;
  patch: TagPatch;
}

export interface DeleteWrite extends WriteOf<'delete'> {
  /** Of a `worker_version`: must be that of its tags. */
  workerId: string | undefined;
}

/** One change of the tags of one resource, checked as far as that can be done before reading. */
export type TagWrite = PutWrite | PatchWrite | DeleteWrite;

/** What came of a write that was not refused, apart from the tags, which may be many. */
export interface BriefMadeWrite {
  /** As it is now. */
  etag: string;
  /** Whether the resource had tags before. */
  wasTagged: boolean;
  /** Whether any tag differs from before. */
  isChanged: boolean;
  /** Whether anything but its tags differs from before. */
  hasOtherFacts: boolean;
}

/** The same with the tags. */
export interface MadeWrite extends BriefMadeWrite {
  /** As it is now; without tags when it has none left, or never had any. */
  resource: TaggedResource;
}

/** What came of a write. After a refusal nothing was written. */
export type TagWriteOutcome = MadeWrite | { refusal: ApiError };

/** The same for those who write to many resources. */
export type BriefOutcome = BriefMadeWrite | { refusal: ApiError };

/** The refusal of a write whose `onlyIf` does not hold: that very object and no other. */
export const NO_LONGER_MATCHES: ApiError = apiError(tagErrors.preconditionFailed);

/** Several writes would replace sets that are too long together to share a transaction. */
export class LongSets extends Error {}
