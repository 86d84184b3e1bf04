import type { OAuthClient } from '../../../api/oauth-clients.ts';

/** What another home page does to this client; undefined while it has none. */
export function homePageNote(client: OAuthClient): string | undefined {
  const { client_uri: uri, client_uri_verification: verification, visibility } = client;
  if (uri === undefined || verification === undefined) return undefined;
  const { host } = verification;
  if (visibility === 'public') return `The host stays ${host}. The path may change.`;
  return verification.status === 'verified'
    ? `${host} is verified. Another address, even with another path alone, has to be verified anew.`
    : `${host} is not verified. Another address makes another TXT record.`;
}
