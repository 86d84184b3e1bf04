import { ApiError, type ErrorEntry, apiError, errorEntry } from '../../http/errors.ts';
import { MAX_REPORTED_FAULTS } from '../../http/validation.ts';
import { createId } from '../../lib/ids.ts';
import { parseRfc3339 } from '../../lib/rfc3339.ts';
import { iamErrors } from '../iam-errors.ts';
import { type PermissionSlug, findPermissionById } from '../permissions.ts';
import { type PolicyResource, type StoredPolicy, parseResourceName } from '../policy.ts';
import { type RequestIpCondition, parseRange } from '../request-ip.ts';
import type { CreateTokenInput } from './token-schemas.ts';
import type { TokenOwner } from './token-store.ts';

/** A token's definition after every check that needs no database. */
export interface TokenDefinition {
  name: string;
  policies: StoredPolicy[];
  requestIp: RequestIpCondition | undefined;
  notBeforeMs: number | undefined;
  expiresAtMs: number | undefined;
}

// Of all policies of one token together. A few do in practice; what may be is what each request with
// the token, each token made by it and each list of tokens costs.
const MAX_RESOURCES_IN_ALL = 200;
const MAX_GROUPS_IN_ALL = 300;

/**
 * Turns the body of a request into a definition.
 * @param stored the token that the request changes: its policies keep their ids, and an expiry in the past may stay
 * @throws ApiError with the faults of the body at once
 */
export function parseTokenInput(
  input: Omit<CreateTokenInput, 'status'>,
  owner: TokenOwner,
  nowMs: number,
  stored?: Pick<TokenDefinition, 'policies' | 'expiresAtMs'>,
): TokenDefinition {
  checkSize(input);
  const faults: ErrorEntry[] = [];
  const ids = new Set(stored?.policies.map(({ id }) => id));
  const policies = input.policies.map((policy, index) => ({
    // Each id is used once.
    id: policy.id !== undefined && ids.delete(policy.id) ? policy.id : createId(),
    effect: policy.effect,
    ...readGroups(policy.permission_groups, `/policies/${index}`, faults),
    resources: readResources(policy.resources, owner, `/policies/${index}`, faults),
  }));
  const notBeforeMs = readTime(input.not_before, '/not_before', faults);
  const expiresAtMs = readTime(input.expires_on, '/expires_on', faults);
  const isKept = expiresAtMs === stored?.expiresAtMs;
  const earliestMs = Math.max(isKept ? 0 : nowMs, notBeforeMs ?? 0);
  if (expiresAtMs !== undefined && expiresAtMs <= earliestMs) {
    faults.push(
      errorEntry(iamErrors.invalidTimes, {
        message: `${iamErrors.invalidTimes.message}: expires_on must be in the future and after not_before`,
        pointer: '/expires_on',
      }),
    );
  }
  const requestIp = readCondition(input, faults);
  if (faults.length > 0) {
    throw new ApiError(iamErrors.invalidField.status, faults.slice(0, MAX_REPORTED_FAULTS));
  }
  return { name: input.name, policies, requestIp, notBeforeMs, expiresAtMs };
}

/** @throws ApiError 3001 when the policies name too much together */
function checkSize({ policies }: Pick<CreateTokenInput, 'policies'>): void {
  const sumOf = (countIn: (policy: CreateTokenInput['policies'][number]) => number): number =>
    policies.reduce((sum, policy) => sum + countIn(policy), 0);
  const resources = sumOf((policy) => Object.keys(policy.resources).length);
  const groups = sumOf((policy) => policy.permission_groups.length);
  if (resources > MAX_RESOURCES_IN_ALL) throw tooLarge(MAX_RESOURCES_IN_ALL, 'resources');
  if (groups > MAX_GROUPS_IN_ALL) throw tooLarge(MAX_GROUPS_IN_ALL, 'permission groups');
}

function tooLarge(limit: number, what: string): ApiError {
  return apiError(iamErrors.invalidField, {
    message: `${iamErrors.invalidField.message}: policies must contain at most ${limit} ${what} in total`,
    pointer: '/policies',
  });
}

function readGroups(
  groups: readonly { id: string }[],
  pointer: string,
  faults: ErrorEntry[],
): Pick<StoredPolicy, 'permissions' | 'publicIds'> {
  const slugs = new Set<PermissionSlug>();
  const publicIds: NonNullable<StoredPolicy['publicIds']> = {};
  for (const [index, { id }] of groups.entries()) {
    const permission = findPermissionById(id);
    if (permission === undefined) {
      faults.push(
        errorEntry(iamErrors.unknownPermissionGroup, {
          message: `${iamErrors.unknownPermissionGroup.message}: ${id}`,
          pointer: `${pointer}/permission_groups/${index}/id`,
        }),
      );
    } else {
      if (id !== permission.id && !slugs.has(permission.slug)) publicIds[permission.slug] = id;
      slugs.add(permission.slug);
    }
  }
  const permissions = [...slugs];
  return Object.keys(publicIds).length > 0 ? { permissions, publicIds } : { permissions };
}

function readResources(
  resources: Readonly<Record<string, string>>,
  owner: TokenOwner,
  pointer: string,
  faults: ErrorEntry[],
): PolicyResource[] {
  const parsed: PolicyResource[] = [];
  for (const name of Object.keys(resources)) {
    const resource = parseResourceName(name);
    if (resource === undefined || !isNameable(resource, owner)) {
      const nameable =
        'accountId' in owner
          ? 'this account or a gateway of it'
          : 'an account, a gateway of one, all your accounts or yourself';
      faults.push(
        errorEntry(iamErrors.invalidResource, {
          message: `${iamErrors.invalidResource.message}: ${name.slice(0, 200)} is not ${nameable}`,
          pointer: `${pointer}/resources`,
        }),
      );
    } else {
      parsed.push(resource);
    }
  }
  return parsed;
}

/** An account's token lives in its account: it can name nothing outside. */
function isNameable(resource: PolicyResource, owner: TokenOwner): boolean {
  if ('accountId' in owner) {
    return 'accountId' in resource && resource.accountId === owner.accountId;
  }
  return !('userId' in resource) || resource.userId === owner.userId;
}

function readTime(
  text: string | undefined,
  pointer: string,
  faults: ErrorEntry[],
): number | undefined {
  if (text === undefined) return undefined;
  const timeMs = parseRfc3339(text);
  if (timeMs === undefined) {
    const message = `${iamErrors.invalidField.message}: ${pointer.slice(1)} must be an RFC 3339 date-time`;
    faults.push(errorEntry(iamErrors.invalidField, { message, pointer }));
  }
  return timeMs;
}

function readCondition(
  input: Pick<CreateTokenInput, 'condition'>,
  faults: ErrorEntry[],
): RequestIpCondition | undefined {
  // The clients spell it request_ip, older policies "request.ip".
  const { request_ip: current, 'request.ip': older } = input.condition ?? {};
  if (current !== undefined && older !== undefined) {
    // To pick one would drop a restriction that the caller asked for.
    const message = `${iamErrors.invalidField.message}: condition has both request_ip and request.ip`;
    faults.push(errorEntry(iamErrors.invalidField, { message, pointer: '/condition/request.ip' }));
  }
  const spelling = current === undefined ? 'request.ip' : 'request_ip';
  const condition = current ?? older;
  if (condition?.in === undefined && condition?.not_in === undefined) return undefined;
  for (const list of ['in', 'not_in'] as const) {
    for (const [index, range] of (condition[list] ?? []).entries()) {
      if (parseRange(range) !== undefined) continue;
      faults.push(
        errorEntry(iamErrors.invalidField, {
          message: `${iamErrors.invalidField.message}: ${range} is neither an address nor a CIDR range`,
          pointer: `/condition/${spelling}/${list}/${index}`,
        }),
      );
    }
  }
  return condition;
}
