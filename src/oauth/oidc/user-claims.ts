import type { User } from '../../iam/users/user-store.ts';

/** The claims of {@link describeUser}, for the discovery document. */
export const USER_CLAIMS = [
  'name',
  'given_name',
  'family_name',
  'preferred_username',
  'email',
  'email_verified',
];

/** Returns true if any of the scopes has claims about the user. */
export function describesUser(scopes: readonly string[]): boolean {
  return scopes.includes('profile') || scopes.includes('email');
}

/**
 * Returns the claims about a user that the granted scopes allow (OpenID Connect Core section 5.4).
 * @param scopes of the access token
 */
export function describeUser(
  { firstName, lastName, email, emailVerifiedAtMs }: User,
  scopes: readonly string[],
): Record<string, unknown> {
  const name = [firstName, lastName].filter(Boolean).join(' ');
  return {
    ...(scopes.includes('profile') && {
      // Applications show the name, and fail without one.
      name: name || email,
      ...(firstName && { given_name: firstName }),
      ...(lastName && { family_name: lastName }),
      preferred_username: email,
    }),
    ...(scopes.includes('email') && { email, email_verified: emailVerifiedAtMs !== undefined }),
  };
}
