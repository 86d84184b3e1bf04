import type { OAuthClient } from '../../api/oauth-clients.ts';
import type { Tone } from '../../ui/badge.tsx';
import { labels } from './labels.ts';

/** What a client is, by whether it holds a secret. */
export function kindOf({ token_endpoint_auth_method: authMethod }: OAuthClient): string {
  return authMethod === 'none' ? labels.browserMobileOrCommandLine : labels.serverSide;
}

interface State {
  tone: Tone;
  text: string;
}

/** How far the verification of the host is; undefined when there is nothing to verify. */
export function verificationState(client: OAuthClient): State | undefined {
  const verification = client.client_uri_verification;
  if (verification === undefined) return undefined;
  if (verification.warning !== undefined) return { tone: 'warning', text: labels.txtRecordMissing };
  switch (verification.status) {
    case 'verified':
      return { tone: 'good', text: labels.verified };
    case 'failed':
      return { tone: 'danger', text: labels.failed };
    case 'pending':
    case 'in_progress':
      return { tone: 'info', text: labels.waitingForDns };
  }
}
