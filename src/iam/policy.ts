import { type PermissionSlug, impliedPermissions } from './permissions.ts';

/** Stands for every account in which the owner of a token is a member. */
export const EVERY_ACCOUNT = '*';

interface NamedResource {
  /** The name before `.api.`, as it was sent. Default: that of this server's brand. */
  namespace?: string;
}

/** A whole account, or one gateway of it. */
export interface AccountResource extends NamedResource {
  /** May be {@link EVERY_ACCOUNT}. */
  accountId: string;
  /** Absent: everything in the account. */
  gatewayId?: string;
}

/** What belongs to a person rather than to an account. */
export interface UserResource extends NamedResource {
  userId: string;
}

/** What a policy applies to, and what a request is about to touch. */
export type PolicyResource = AccountResource | UserResource;

/** A policy as it is stored with a token. */
export interface StoredPolicy {
  id: string;
  effect: 'allow' | 'deny';
  permissions: PermissionSlug[];
  /** Ids of permission groups as they were sent, where they are those of the public API. */
  publicIds?: Partial<Record<PermissionSlug, string>>;
  resources: PolicyResource[];
}

/** A policy made ready for evaluation. */
export interface Policy {
  effect: 'allow' | 'deny';
  permissions: ReadonlySet<PermissionSlug>;
  resources: readonly PolicyResource[];
}

/** An allowed `.write` also allows `.read`; a denial takes away just what it names. */
export function compilePolicy(stored: StoredPolicy): Policy {
  const slugs =
    stored.effect === 'allow' ? stored.permissions.flatMap(impliedPermissions) : stored.permissions;
  return { effect: stored.effect, permissions: new Set(slugs), resources: stored.resources };
}

function covers(resource: PolicyResource, target: PolicyResource): boolean {
  if ('userId' in resource) return 'userId' in target && resource.userId === target.userId;
  const { accountId, gatewayId } = resource;
  // Who may act in all of a person's accounts may act on what is the person's own.
  if ('userId' in target) return accountId === EVERY_ACCOUNT && gatewayId === undefined;
  return (
    (accountId === EVERY_ACCOUNT || accountId === target.accountId) &&
    (gatewayId === undefined || gatewayId === target.gatewayId)
  );
}

function applies(policy: Policy, permission: PermissionSlug, target: PolicyResource): boolean {
  return (
    policy.permissions.has(permission) &&
    policy.resources.some((resource) => covers(resource, target))
  );
}

/** Explicit deny, then explicit allow, then implicit deny. */
export function isAllowed(
  policies: readonly Policy[],
  permission: PermissionSlug,
  target: PolicyResource,
): boolean {
  let allowed = false;
  for (const policy of policies) {
    if (!applies(policy, permission, target)) continue;
    if (policy.effect === 'deny') return false;
    allowed = true;
  }
  return allowed;
}

/** The gateways of an account for which a permission is denied one by one, whatever else allows it. */
export function deniedGateways(
  policies: readonly Policy[],
  permission: PermissionSlug,
  accountId: string,
): string[] {
  return policies
    .filter(({ effect, permissions }) => effect === 'deny' && permissions.has(permission))
    .flatMap(({ resources }) => resources)
    .flatMap((resource) =>
      'gatewayId' in resource && [accountId, EVERY_ACCOUNT].includes(resource.accountId)
        ? (resource.gatewayId ?? [])
        : [],
    );
}

const ACCOUNT_NAME =
  /^([a-z0-9.-]{1,64})\.api\.account\.([0-9a-f]{32}|\*)(?:\.ai-gateway\.([a-z0-9_-]{1,64}))?$/;
const USER_NAME = /^([a-z0-9.-]{1,64})\.api\.user\.([0-9a-f]{32})$/;

/**
 * Reads the name of a resource, such as `com.latchkey.api.account.<id>.ai-gateway.<gateway>`. Any
 * prefix before `.api.` is accepted, so that policies written for other hosts of this API parse.
 */
export function parseResourceName(name: string): PolicyResource | undefined {
  const [, userNamespace, userId] = USER_NAME.exec(name) ?? [];
  if (userNamespace !== undefined && userId !== undefined) {
    return { userId, namespace: userNamespace };
  }
  const [, namespace, accountId, gatewayId] = ACCOUNT_NAME.exec(name) ?? [];
  if (namespace === undefined || accountId === undefined) return undefined;
  return { accountId, ...(gatewayId !== undefined && { gatewayId }), namespace };
}

/** Returns the name of a resource, by default under this server's brand. */
export function formatResourceName(brand: string, resource: PolicyResource): string {
  const { namespace = `com.${brand}` } = resource;
  if ('userId' in resource) return `${namespace}.api.user.${resource.userId}`;
  const account = `${namespace}.api.account.${resource.accountId}`;
  return resource.gatewayId === undefined ? account : `${account}.ai-gateway.${resource.gatewayId}`;
}
