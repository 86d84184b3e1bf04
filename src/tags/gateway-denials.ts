import { forbidden } from '../iam/access/authorize.ts';
import type { OwnResourceType } from '../iam/own-resources.ts';
import { type Principal, deniedGateways, holds } from '../iam/principal.ts';
import type { ResourceRef } from './store/tag-store.ts';

// A permission may be denied for single gateways. Their tags have no paths of their own, so the check
// that every request passes knows only of the account.

export const GATEWAY: OwnResourceType = 'ai_gateway';

/** @throws ApiError 403 when the resource is a gateway for which the permission is denied */
export function checkGateway(
  principal: Principal,
  permission: 'tags.read' | 'tags.write',
  { accountId, type, id }: ResourceRef,
): void {
  if (type !== GATEWAY) return;
  if (!holds(principal, permission, { accountId, gatewayId: id })) throw forbidden(permission);
}

/** Returns true if the caller may read the tags of a resource. */
export function canReadTags(principal: Principal, { accountId, type, id }: ResourceRef): boolean {
  const place = type === GATEWAY ? { accountId, gatewayId: id } : { accountId };
  return holds(principal, 'tags.read', place);
}

/**
 * For a merge, which needs `tags.read` too: what it answers tells of the tags that were there.
 * @throws ApiError 403
 */
export function checkMerge(principal: Principal, resource: ResourceRef): void {
  const { accountId } = resource;
  if (!holds(principal, 'tags.read', { accountId })) throw forbidden('tags.read', principal);
  checkGateway(principal, 'tags.read', resource);
  checkGateway(principal, 'tags.write', resource);
}

/**
 * The resource types whose keys and values a caller may see. These are counted by type, not by
 * resource: who is denied a gateway sees those of no gateway, rather than what only that one has.
 * @param wanted none: all
 * @returns undefined for every type
 */
export function visibleTypes(
  principal: Principal,
  accountId: string,
  wanted: readonly string[],
  known: ReadonlySet<string>,
): readonly string[] | undefined {
  const types = wanted.length > 0 ? wanted : undefined;
  if (deniedGateways(principal, 'tags.read', accountId).length === 0) return types;
  return (types ?? [...known]).filter((type) => type !== GATEWAY);
}

/** For the reference of the lists of keys and values. */
export const WITHOUT_GATEWAYS =
  'The result excludes gateways if the client is denied `tags.read` for any gateway.';
