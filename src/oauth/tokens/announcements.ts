import type { Announcement } from '../../storage/invalidation.ts';

/** Under it ends of single access tokens are announced, by digest. */
export const ACCESS_TOKEN_TOPIC = 'oauth_access_token';

/** To announce when one access token ends before its time. */
export function accessTokenAnnouncement(digest: string): Announcement {
  return { topic: ACCESS_TOKEN_TOPIC, key: digest };
}
