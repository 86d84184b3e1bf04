import type { PermissionSlug } from './permissions.ts';
import { EVERY_ACCOUNT, type Policy, type PolicyResource } from './policy.ts';

/**
 * Whether the policies allow a permission on a resource and on everything below it: what a creator
 * must hold to hand the permission on. A denial for one gateway thus forbids handing on the account.
 * Whoever asks about many resources makes one {@link PolicyIndex}.
 */
export function isAllowedThroughout(
  policies: readonly Policy[],
  permission: PermissionSlug,
  resource: PolicyResource,
): boolean {
  return new PolicyIndex(policies).isAllowedThroughout(permission, resource);
}

/** Answers {@link isAllowedThroughout} for many resources without going over all policies each time. */
export class PolicyIndex {
  readonly #policies: readonly Policy[];
  readonly #extents = new Map<PermissionSlug, Record<Policy['effect'], Extent>>();

  constructor(policies: readonly Policy[]) {
    this.#policies = policies;
  }

  isAllowedThroughout(permission: PermissionSlug, resource: PolicyResource): boolean {
    const { allow, deny } = this.#extentsOf(permission);
    return !deny.overlaps(resource) && allow.covers(resource);
  }

  #extentsOf(permission: PermissionSlug): Record<Policy['effect'], Extent> {
    const known = this.#extents.get(permission);
    if (known !== undefined) return known;
    const extents = { allow: new Extent(), deny: new Extent() };
    for (const { effect, permissions, resources } of this.#policies) {
      if (permissions.has(permission)) extents[effect].add(resources);
    }
    this.#extents.set(permission, extents);
    return extents;
  }
}

/** All that the policies of one effect name for one permission. */
class Extent {
  /** Whole ones; may have {@link EVERY_ACCOUNT}. */
  readonly #accounts = new Set<string>();
  readonly #gateways = new Set<string>();
  /** Of the gateways. */
  readonly #gatewayAccounts = new Set<string>();
  readonly #gatewayIds = new Set<string>();
  readonly #users = new Set<string>();

  add(resources: readonly PolicyResource[]): void {
    for (const resource of resources) {
      if ('userId' in resource) {
        this.#users.add(resource.userId);
      } else if (resource.gatewayId === undefined) {
        this.#accounts.add(resource.accountId);
      } else {
        this.#gateways.add(gatewayKey(resource.accountId, resource.gatewayId));
        this.#gatewayAccounts.add(resource.accountId);
        this.#gatewayIds.add(resource.gatewayId);
      }
    }
  }

  /** Whether the whole resource lies within one of these. */
  covers(resource: PolicyResource): boolean {
    if (this.#accounts.has(EVERY_ACCOUNT)) return true;
    if ('userId' in resource) return this.#users.has(resource.userId);
    const { accountId, gatewayId } = resource;
    return (
      this.#accounts.has(accountId) || (gatewayId !== undefined && this.#has(accountId, gatewayId))
    );
  }

  /** Whether something can lie both within the resource and within one of these. */
  overlaps(resource: PolicyResource): boolean {
    if (this.covers(resource)) return true;
    if ('userId' in resource) return false;
    const { accountId, gatewayId } = resource;
    if (accountId !== EVERY_ACCOUNT) {
      const accounts = this.#gatewayAccounts;
      return gatewayId === undefined && (accounts.has(accountId) || accounts.has(EVERY_ACCOUNT));
    }
    // A gateway of that id may be in any account, but nothing of a person's own is in a gateway.
    if (gatewayId !== undefined) return this.#accounts.size > 0 || this.#gatewayIds.has(gatewayId);
    return this.#accounts.size + this.#gateways.size + this.#users.size > 0;
  }

  #has(accountId: string, gatewayId: string): boolean {
    return (
      this.#gateways.has(gatewayKey(accountId, gatewayId)) ||
      this.#gateways.has(gatewayKey(EVERY_ACCOUNT, gatewayId))
    );
  }
}

/** Neither id has a slash. */
function gatewayKey(accountId: string, gatewayId: string): string {
  return `${accountId}/${gatewayId}`;
}
