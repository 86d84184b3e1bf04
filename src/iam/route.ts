import { Type } from 'typebox';
import { type AnyRoute, createRouteDefiner } from '../http/route.ts';
import type { PermissionSlug } from './permissions.ts';
import type { AnonymousPrincipal, CredentialPrincipal, SessionPrincipal } from './principal.ts';

/**
 * What a route demands.
 * - a permission of the catalogue: on the account (and gateway) in its path
 * - `anyAccount`: the permission in at least one account; the operation looks at each by itself
 * - `self`: the permission on what is the caller's own, for credentials of a person
 * - `authenticated`: any valid credential; where the path names an account, that account's own tokens
 * - `session`: a person who is signed in, no token: for what guards the person's other credentials
 * - `public`: nothing
 */
export type Access =
  | PermissionSlug
  | { anyAccount: PermissionSlug }
  | { self: PermissionSlug }
  | 'authenticated'
  | 'session'
  | 'public';

/** One operation of the management API, whoever may use it. */
export type ManagementRoute = AnyRoute<never, Access>;

/** Declares an operation for callers with a credential. */
export const defineRoute = createRouteDefiner<
  CredentialPrincipal,
  Exclude<Access, 'session' | 'public'>
>();

/** Declares an operation for people who are signed in. */
export const defineSessionRoute = createRouteDefiner<SessionPrincipal, 'session'>();

/** Declares an operation that needs no credential. Each stands on a short list that a test keeps. */
export const definePublicRoute = createRouteDefiner<AnonymousPrincipal, 'public'>();

/** Path parameters of an operation on an account. */
export const AccountParams = Type.Object({
  account_id: Type.String({ description: 'Account id: 32 hex digits' }),
});
