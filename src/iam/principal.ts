import type { PermissionSlug } from './permissions.ts';
import {
  EVERY_ACCOUNT,
  type Policy,
  type PolicyResource,
  deniedGateways as deniedByPolicies,
  isAllowed,
} from './policy.ts';
import { isAllowedThroughout } from './policy-index.ts';
import type { RequestIpCondition } from './request-ip.ts';
import type { UserAccess } from './users/user-access.ts';

/** What is known of a presented API token apart from what it allows. */
export interface TokenFacts {
  id: string;
  name: string;
  requestIp: RequestIpCondition | undefined;
  status: 'active' | 'disabled';
  notBeforeMs: number | undefined;
  expiresAtMs: number | undefined;
}

/** A browser's or a program's sign-in. */
export interface SessionFacts {
  id: string;
  userId: string;
  /** SHA-256 of the cookie's value. */
  digest: string;
  /** When the person last proved who they are. */
  authenticatedAtMs: number;
  createdAtMs: number;
  /** As it was when the session was read; this node may have seen it since. */
  lastSeenAtMs: number;
  expiresAtMs: number;
  /** Names the session to OAuth clients; undefined in sessions of earlier versions. */
  sid: string | undefined;
}

/** What a person has let an OAuth client do, as of now. */
export interface OAuthAuthorization {
  /** One authorization by the person, with all tokens that came from it. */
  familyId: string;
  /** The consent behind it, see oauth/grants. */
  grantId: string;
  clientId: string;
  clientName: string;
  /** What the access token is good for: its own scopes, as far as client and grant still have them. */
  scopes: readonly string[];
  /** Origins whose pages may read what the API answers to the token. */
  corsOrigins: readonly string[];
  /** In which accounts of the person. */
  accountIds: readonly string[];
  expiresAtMs: number;
}

interface Grants {
  /** Each layer is a set of policies; what is done must be allowed by every one of them. */
  readonly layers: readonly (readonly Policy[])[];
}

/** A program that presented an account-owned API token. */
export interface AccountTokenPrincipal extends Grants {
  type: 'account_token';
  token: TokenFacts;
  accountId: string;
}

/** A program that presented a token of a person: what the token allows and the person holds now. */
export interface UserTokenPrincipal extends Grants {
  type: 'user_token';
  token: TokenFacts;
  user: UserAccess;
}

/** A person who is signed in. */
export interface SessionPrincipal extends Grants {
  type: 'user';
  session: SessionFacts;
  user: UserAccess;
}

/** Nobody in particular, on the few routes that are there for everybody. */
export interface AnonymousPrincipal extends Grants {
  type: 'anonymous';
}

/** An OAuth client that acts for a person: what both the person and the consent allow now. */
export interface OAuthPrincipal extends Grants {
  type: 'oauth';
  authorization: OAuthAuthorization;
  user: UserAccess;
}

/** Whoever presented a valid credential. */
export type CredentialPrincipal =
  | AccountTokenPrincipal
  | UserTokenPrincipal
  | SessionPrincipal
  | OAuthPrincipal;

/** Whoever a request acts for. */
export type Principal = CredentialPrincipal | AnonymousPrincipal;

export const ANONYMOUS: AnonymousPrincipal = { type: 'anonymous', layers: [[]] };

/** The person behind a credential, if it is a person's. */
export function userOf(principal: Principal): UserAccess | undefined {
  return 'user' in principal ? principal.user : undefined;
}

/** The person behind a request where the access check lets only credentials of people in. */
export function callerOf(principal: Principal): UserAccess {
  const user = userOf(principal);
  if (user === undefined) throw new Error('the access check accepted a credential without a user');
  return user;
}

/** The API token behind a request, if it is one. */
export function tokenOf(principal: Principal): TokenFacts | undefined {
  return 'token' in principal ? principal.token : undefined;
}

/** Whether a principal holds a permission on something now. */
export function holds(
  principal: Principal,
  permission: PermissionSlug,
  target: PolicyResource,
): boolean {
  return principal.layers.every((layer) => isAllowed(layer, permission, target));
}

/** The same for a resource with everything below it, see policy-index.ts. */
export function holdsThroughout(
  layers: readonly (readonly Policy[])[],
  permission: PermissionSlug,
  resource: PolicyResource,
): boolean {
  return layers.every((layer) => isAllowedThroughout(layer, permission, resource));
}

/** The gateways of an account for which a permission is denied one by one. */
export function deniedGateways(
  principal: Principal,
  permission: PermissionSlug,
  accountId: string,
): string[] {
  return principal.layers.flatMap((layer) => deniedByPolicies(layer, permission, accountId));
}

/** The accounts in which a principal may hold anything at all. */
export function accountsOf(principal: Principal): string[] {
  if (principal.type === 'account_token') return [principal.accountId];
  const accountIds = userOf(principal)?.memberships.map(({ accountId }) => accountId) ?? [];
  if (principal.type !== 'oauth') return accountIds;
  return accountIds.filter((id) => principal.authorization.accountIds.includes(id));
}

/** Returns true if a principal has a permission in the account, be it only for one gateway. */
export function reachesAccount(principal: Principal, accountId: string): boolean {
  return principal.layers.every((policies) =>
    policies.some(
      ({ effect, resources }) =>
        effect === 'allow' &&
        resources.some(
          (one) => 'accountId' in one && [accountId, EVERY_ACCOUNT].includes(one.accountId),
        ),
    ),
  );
}

/** Whether the person behind a request is a Super Administrator of the account. Programs never are. */
export function isSuperAdministrator(principal: Principal, accountId: string): boolean {
  if (principal.type === 'oauth') return false;
  const membership = userOf(principal)?.memberships.find((held) => held.accountId === accountId);
  return membership?.isSuperAdministrator ?? false;
}
