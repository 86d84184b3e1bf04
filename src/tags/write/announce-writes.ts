import { tagsAnnouncement } from '../../iam/own-resources.ts';
import type { Announce } from '../../storage/database.ts';
import { isOwnResourceType } from '../resource-types.ts';
import type { TagWrite } from './tag-write.ts';

/** Announces writes of tags of our own resources, since other domains cache these tags. */
export function announceWrites(writes: readonly TagWrite[], announce: Announce): void {
  for (const { resource } of writes) {
    const { accountId, type, id } = resource;
    if (isOwnResourceType(type)) announce(tagsAnnouncement({ accountId, type, id }));
  }
}
