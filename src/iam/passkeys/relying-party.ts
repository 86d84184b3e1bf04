/** This server as authenticators know it (WebAuthn section 4). */
export interface RelyingParty {
  /** Host name that passkeys are bound to. */
  id: string;
  /** Where pages must have been that used one. */
  origin: string;
  /** As browsers show it. */
  name: string;
}

/** @param services what tells where browsers reach the server, and its name */
export function relyingParty(services: { origin: () => string; brand: string }): RelyingParty {
  const { hostname, origin } = new URL(services.origin());
  return { id: hostname, origin, name: services.brand };
}

/**
 * What authenticators keep to know the person by: the bytes of the id, which tell nothing of them.
 * @returns base64url
 */
export function userHandleOf(userId: string): string {
  return Buffer.from(userId, 'hex').toString('base64url');
}

/** Time to use the authenticator, between the question and the answer. */
export const CEREMONY_MS = 5 * 60_000;

/**
 * Algorithms of COSE that authenticators may use, the best first: EdDSA, ES256, RS256. What Node still
 * calls experimental is not among them.
 */
export const ALGORITHMS = [-8, -7, -257];
