/** The scopes that a person has allowed a client, by the redirect origin to which the codes went. */
export type ScopesByOrigin = Readonly<Record<string, readonly string[]>>;

// Bounds the size of a grant; the oldest origins are removed first.
const MAX_ORIGINS = 50;

/**
 * The destination of a redirect URI: scheme, host and port, or the scheme alone for a private-use scheme
 * (RFC 8252 section 7.1).
 */
export function redirectOriginOf(redirectUri: string): string {
  const { origin, protocol } = new URL(redirectUri);
  return origin === 'null' ? protocol : origin;
}

/**
 * Adds the scopes that a person has allowed for one redirect URI.
 * @param asked the scopes that the person has decided about; the origin loses those that are not in `allowed`
 */
export function withOrigin(
  before: ScopesByOrigin,
  redirectUri: string,
  allowed: readonly string[],
  asked: readonly string[] = allowed,
): ScopesByOrigin {
  const origin = redirectOriginOf(redirectUri);
  const others = Object.entries(before).filter(([name]) => name !== origin);
  const kept = scopesOfOrigin(before, redirectUri).filter((scope) => !asked.includes(scope));
  const all = [...new Set([...kept, ...allowed])];
  return Object.fromEntries([...others.slice(1 - MAX_ORIGINS), [origin, all]]);
}

/** The scopes that a person has allowed for the origin of a redirect URI. */
export function scopesOfOrigin(all: ScopesByOrigin, redirectUri: string): readonly string[] {
  const origin = redirectOriginOf(redirectUri);
  return Object.hasOwn(all, origin) ? (all[origin] ?? []) : [];
}
