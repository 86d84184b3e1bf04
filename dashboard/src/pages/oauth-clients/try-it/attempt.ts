import { useEffect, useState } from 'react';
import type { OAuthClient } from '../../../api/oauth-clients.ts';
import { challengeOf, randomText } from '../../../lib/pkce.ts';
import { splitLoopback } from '../../../lib/registered-redirect.ts';
import { readStored, writeStored } from '../../../lib/stored-text.ts';

/** What one tries a client with. */
export interface Attempt {
  /** As it is registered. */
  redirectUri: string;
  /** For a loopback address of a client without a secret; empty for the registered one. */
  port: string;
  scopes: string[];
  state: string;
  nonce: string;
  verifier: string;
  prompt: string;
  loginHint: string;
  maxAge: string;
}

/** What an application makes anew for each person. */
export function freshValues(): Pick<Attempt, 'state' | 'nonce' | 'verifier'> {
  return { state: randomText(), nonce: randomText(), verifier: randomText() };
}

function firstAttempt(client: OAuthClient): Attempt {
  return {
    redirectUri: client.redirect_uris[0] ?? '',
    port: '',
    scopes: client.scopes,
    ...freshValues(),
    prompt: '',
    loginHint: '',
    maxAge: '',
  };
}

/** The attempt from before in this tab. */
function storedAttempt(key: string, client: OAuthClient): Attempt {
  const first = firstAttempt(client);
  try {
    return { ...first, ...(JSON.parse(readStored('sessionStorage', key) ?? '{}') as Attempt) };
  } catch {
    return first;
  }
}

/** An attempt as far as the client still is as it was then: another tab may change it at any time. */
function fitted(attempt: Attempt, client: OAuthClient): Attempt {
  const { redirect_uris: uris, scopes } = client;
  return {
    ...attempt,
    redirectUri: uris.includes(attempt.redirectUri) ? attempt.redirectUri : (uris[0] ?? ''),
    scopes: attempt.scopes.filter((id) => scopes.includes(id)),
  };
}

/**
 * The attempt of this tab. It outlives a reload, because the way to the application and back may lead through
 * the same tab, and only who has the verifier can go on.
 */
export function useAttempt(client: OAuthClient): [Attempt, (change: Partial<Attempt>) => void] {
  const key = `latchkey:attempt:${client.client_id}`;
  const [attempt, setAttempt] = useState(() => storedAttempt(key, client));
  useEffect(() => writeStored('sessionStorage', key, JSON.stringify(attempt)), [key, attempt]);
  return [
    fitted(attempt, client),
    (change) => setAttempt((current) => ({ ...current, ...change })),
  ];
}

/** The challenge of a verifier; undefined for the moment that it takes. */
export function useChallenge(verifier: string): string | undefined {
  const [known, setKnown] = useState({ verifier: '', challenge: '' });
  useEffect(() => {
    let isWanted = true;
    void challengeOf(verifier).then((challenge) => {
      if (isWanted) setKnown({ verifier, challenge });
    });
    return () => {
      isWanted = false;
    };
  }, [verifier]);
  return known.verifier === verifier ? known.challenge : undefined;
}

/** Whether the application may choose the port of the redirect URI (RFC 8252 section 7.3). */
export function hasFreePort(client: OAuthClient, redirectUri: string): boolean {
  return client.token_endpoint_auth_method === 'none' && splitLoopback(redirectUri) !== undefined;
}

/** The redirect URI that the attempt sends. */
export function sentRedirectUri(client: OAuthClient, { redirectUri, port }: Attempt): string {
  const parts = splitLoopback(redirectUri);
  if (parts === undefined || port === '' || !hasFreePort(client, redirectUri)) return redirectUri;
  return `${parts.host}:${port}${parts.rest}`;
}
