import type { Announcement } from '../../storage/invalidation.ts';

/** Under it ends of single access tokens are announced, by digest. */
export const ACCESS_TOKEN_TOPIC = 'oauth_access_token';

/** Under it ends and changes of authorizations are announced, by id of the family. */
export const FAMILY_TOPIC = 'oauth_family';

/** To announce when one access token ends before its time. */
export function accessTokenAnnouncement(digest: string): Announcement {
  return { topic: ACCESS_TOKEN_TOPIC, key: digest };
}

/** To announce when an authorization ends, or the grant behind it changes. */
export function familyAnnouncement(familyId: string): Announcement {
  return { topic: FAMILY_TOPIC, key: familyId };
}
