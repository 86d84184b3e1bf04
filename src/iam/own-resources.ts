import type { Announcement } from '../storage/invalidation.ts';
import type { Db, Transaction } from '../storage/schema.ts';

/** The resource types that live in this server; all others live outside and are known by id only. */
export type OwnResourceType = 'account' | 'ai_gateway' | 'api_token' | 'oauth_client';

export interface OwnResource {
  accountId: string;
  type: OwnResourceType;
  id: string;
}

/** The topic under which changes of the tags of our own resources are announced. */
export const TAGS_TOPIC = 'tags of own resources';

/** The announcement that the tags of one of our own resources have changed. */
export function tagsAnnouncement({ accountId, type, id }: OwnResource): Announcement {
  return { topic: TAGS_TOPIC, key: `${type}/${accountId}/${id}` };
}

/** The name of one of our own resources, or undefined when there is none of that id. */
export type FindResourceName = (db: Db, resource: OwnResource) => Promise<string | undefined>;

/** What a domain calls, within its transaction, so that the tags of its resources stay true. */
export interface ResourceTagging {
  renamed(tx: Transaction, resource: OwnResource, name: string): Promise<void>;
  /** @param requestId of the request that deletes it, for the list of changes */
  deleted(tx: Transaction, resource: OwnResource, requestId: string): Promise<void>;
  /** The tags of one resource; none for a resource without tags. */
  tagsOf(db: Db, resource: OwnResource): Promise<Readonly<Record<string, string>>>;
  /** The values that a tag has on resources of one type, by the resource's id; none for those without it. */
  valuesOf(
    db: Db,
    accountId: string,
    type: OwnResourceType,
    ids: readonly string[],
    key: string,
  ): Promise<ReadonlyMap<string, string>>;
}
