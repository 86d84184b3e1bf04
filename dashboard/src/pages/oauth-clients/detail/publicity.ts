import type { OAuthClient } from '../../../api/oauth-clients.ts';
import { labels } from './labels.ts';

/** One thing that a client needs to become public. */
export interface Requirement {
  name: string;
  isMet: boolean;
  /** Where it can be mended: in the form, or on this page. */
  place: 'form' | 'verification';
  /** What to do while it is not met. */
  advice: string;
}

/** What a client needs to become public, as the server demands it. */
export function requirementsOf(
  client: OAuthClient,
  permissions: ReadonlySet<string>,
): Requirement[] {
  const { client_uri_verification: verification } = client;
  const isVerified = verification?.status === 'verified' && verification.warning === undefined;
  return [
    {
      name: labels.aName,
      isMet: client.client_name.trim() !== '',
      place: 'form',
      advice: labels.enterAName,
    },
    {
      name: labels.aLogo,
      isMet: client.logo_uri !== undefined,
      place: 'form',
      advice: labels.setALogo,
    },
    {
      name: labels.aHomePage,
      isMet: client.client_uri !== undefined,
      place: 'form',
      advice: labels.setTheHomePage,
    },
    {
      name: labels.aPermissionAmongTheScopes,
      isMet: client.scopes.some((id) => permissions.has(id)),
      place: 'form',
      advice: labels.addAScope,
    },
    {
      name: labels.aVerifiedHost,
      isMet: isVerified,
      place: 'verification',
      advice: verification?.status === 'verified' ? labels.restoreTheRecord : labels.verifyTheHost,
    },
  ];
}
