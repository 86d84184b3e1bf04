import type { OAuthClient } from '../../../api/oauth-clients.ts';
import { labels } from './labels.ts';

/** What another home page does to this client; undefined while it has none. */
export function homePageNote(client: OAuthClient): string | undefined {
  const { client_uri: uri, client_uri_verification: verification, visibility } = client;
  if (uri === undefined || verification === undefined) return undefined;
  const { host } = verification;
  if (visibility === 'public') return labels.theHostStaysYouCan(host);
  return verification.status === 'verified'
    ? labels.isVerifiedAChangedUrl(host)
    : labels.isNotVerifiedAChanged(host);
}
