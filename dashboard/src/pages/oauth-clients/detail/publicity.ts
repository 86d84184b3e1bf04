import type { OAuthClient } from '../../../api/oauth-clients.ts';

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
      name: 'A name',
      isMet: client.client_name.trim() !== '',
      place: 'form',
      advice: 'Give it a name',
    },
    { name: 'A logo', isMet: client.logo_uri !== undefined, place: 'form', advice: 'Set a logo' },
    {
      name: 'A home page',
      isMet: client.client_uri !== undefined,
      place: 'form',
      advice: 'Set the home page',
    },
    {
      name: 'A permission among the scopes',
      isMet: client.scopes.some((id) => permissions.has(id)),
      place: 'form',
      advice: 'Add a scope',
    },
    {
      name: 'A verified host',
      isMet: isVerified,
      place: 'verification',
      advice: verification?.status === 'verified' ? 'Put the record back' : 'Verify the host',
    },
  ];
}
