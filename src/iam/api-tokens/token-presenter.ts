import type { Static } from 'typebox';
import { formatTime } from '../../lib/clock.ts';
import { presentPermissionGroups } from '../permissions.ts';
import { type StoredPolicy, formatResourceName } from '../policy.ts';
import type { TokenSchema, TokenStatusSchema } from './token-schemas.ts';
import type { ApiToken } from './token-store.ts';

/** The status as a reader sees it: `expired` is not stored, it follows from the time. */
export function tokenStatus(
  token: { status: 'active' | 'disabled'; expiresAtMs: number | undefined },
  nowMs: number,
): Static<typeof TokenStatusSchema> {
  if (token.status === 'disabled') return 'disabled';
  return token.expiresAtMs !== undefined && token.expiresAtMs <= nowMs ? 'expired' : 'active';
}

/** `not_before` and `expires_on`, where the token has them. */
export function validityFields(token: {
  notBeforeMs: number | undefined;
  expiresAtMs: number | undefined;
}): { not_before?: string; expires_on?: string } {
  return {
    ...(token.notBeforeMs === undefined ? {} : { not_before: formatTime(token.notBeforeMs) }),
    ...(token.expiresAtMs === undefined ? {} : { expires_on: formatTime(token.expiresAtMs) }),
  };
}

function presentPolicy(policy: StoredPolicy, brand: string) {
  return {
    id: policy.id,
    effect: policy.effect,
    permission_groups: presentPermissionGroups(policy.permissions, policy.publicIds),
    resources: Object.fromEntries(
      policy.resources.map((resource) => [formatResourceName(brand, resource), '*']),
    ),
  };
}

/** The creator of a token of a user is its owner. */
function presentCreator({ owner, createdBy: { email, clientId } }: ApiToken) {
  if ('userId' in owner) return {};
  return {
    ...(email === undefined ? {} : { creator_email_at_creation: email }),
    ...(clientId === undefined ? {} : { provisioner_type: 'oauth', provisioner_id: clientId }),
  };
}

/** Returns an API token as the API shows it, without its value. */
export function presentToken(
  token: ApiToken,
  brand: string,
  nowMs: number,
): Static<typeof TokenSchema> {
  return {
    id: token.id,
    name: token.name,
    status: tokenStatus(token, nowMs),
    issued_on: formatTime(token.issuedAtMs),
    modified_on: formatTime(token.modifiedAtMs),
    ...(token.lastUsedAtMs === undefined ? {} : { last_used_on: formatTime(token.lastUsedAtMs) }),
    ...validityFields(token),
    policies: token.policies.map((policy) => presentPolicy(policy, brand)),
    ...(token.requestIp === undefined ? {} : { condition: { request_ip: token.requestIp } }),
    ...presentCreator(token),
  };
}
