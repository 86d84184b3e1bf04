import { type ApiError, apiError } from '../../http/errors.ts';
import { formatTime } from '../../lib/clock.ts';
import { iamErrors } from '../iam-errors.ts';
import { impliedPermissions, permissionName } from '../permissions.ts';
import { EVERY_ACCOUNT, type PolicyResource, type StoredPolicy } from '../policy.ts';
import { PolicyIndex } from '../policy-index.ts';
import { type Principal, tokenOf, userOf } from '../principal.ts';
import { isConditionWithin } from '../request-ip.ts';
import type { TokenDefinition } from './parse-token-input.ts';

/**
 * A token can never hold more than its creator holds: not in what it allows, nor for longer, nor from
 * elsewhere. Otherwise a short-lived token could make itself a successor that is none.
 * @throws ApiError 3012 that says what is too much
 */
export function checkWithinCreator(creator: Principal, token: Omit<TokenDefinition, 'name'>): void {
  const held = layersOf(creator);
  for (const [index, policy] of token.policies.entries()) {
    checkPolicy(held, policy, `/policies/${index}/permission_groups`);
  }
  checkExpiry(creator, token);
  checkAddresses(creator, token);
}

function exceedsCreator(what: string, pointer: string): ApiError {
  return apiError(iamErrors.exceedsCreator, {
    message: `${iamErrors.exceedsCreator.message}: ${what}`,
    pointer,
  });
}

/** The policies of the creator in layers, all of which must allow what is handed on. */
interface HeldLayers {
  all: PolicyIndex[];
  /** What bounds the creator besides the roles of the person. */
  besidesRoles: PolicyIndex[];
}

function layersOf(creator: Principal): HeldLayers {
  const rolePolicies = userOf(creator)?.policies;
  const all = creator.layers.map((policies) => new PolicyIndex(policies));
  return { all, besidesRoles: all.filter((_, index) => creator.layers[index] !== rolePolicies) };
}

function checkPolicy(held: HeldLayers, policy: StoredPolicy, pointer: string): void {
  if (policy.effect === 'deny') return;
  // What the new token will hold is what counts: an allowed `.write` brings `.read` with it.
  for (const permission of new Set(policy.permissions.flatMap(impliedPermissions))) {
    for (const resource of policy.resources) {
      const layers = isEveryAccount(resource) ? held.besidesRoles : held.all;
      if (layers.every((layer) => layer.isAllowedThroughout(permission, resource))) continue;
      throw exceedsCreator(`"${permissionName(permission)}" is missing`, pointer);
    }
  }
}

/**
 * A token for all accounts of a person follows the person: what the roles allow is asked at each use.
 * What else bounds the creator, such as the policies of the token that it presents, counts now.
 */
function isEveryAccount(resource: PolicyResource): boolean {
  return 'accountId' in resource && resource.accountId === EVERY_ACCOUNT;
}

function checkExpiry(
  creator: Principal,
  { expiresAtMs }: Pick<TokenDefinition, 'expiresAtMs'>,
): void {
  const endMs = endOf(creator);
  if (endMs === undefined || (expiresAtMs !== undefined && expiresAtMs <= endMs)) return;
  throw exceedsCreator(
    `expires_on must not be later than the expiry of the creating token, ${formatTime(endMs)}`,
    '/expires_on',
  );
}

/**
 * When what the creator presents is over. Of an OAuth client it is the access token: what the client
 * makes must not go on for long when the person takes back what it was allowed.
 */
function endOf(creator: Principal): number | undefined {
  if (creator.type === 'oauth') return creator.authorization.expiresAtMs;
  return tokenOf(creator)?.expiresAtMs;
}

function checkAddresses(
  creator: Principal,
  { requestIp }: Pick<TokenDefinition, 'requestIp'>,
): void {
  const outer = tokenOf(creator)?.requestIp;
  if (outer === undefined || isConditionWithin(requestIp, outer)) return;
  throw exceedsCreator(
    'condition.request_ip must be within the addresses of the creating token: each range of "in" must be within one of its ranges, and "not_in" must include all of its exceptions',
    '/condition/request_ip',
  );
}
