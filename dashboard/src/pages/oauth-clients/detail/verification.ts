import type { OAuthClient } from '../../../api/oauth-clients.ts';

export type Verification = NonNullable<OAuthClient['client_uri_verification']>;

/** Whether the host can never be verified, such as localhost: then it has failed without a look. */
export function isUnverifiable({ status, last_checked_at: checkedAt }: Verification): boolean {
  return status === 'failed' && checkedAt === null;
}
