import { Type } from 'typebox';
import { apiError } from '../../http/errors.ts';
import { createId } from '../../lib/ids.ts';
import { createSecret, digestSecret } from '../../lib/secrets.ts';
import { API_TOKEN_TOPIC } from '../credentials.ts';
import { iamBodyFaults, iamErrors } from '../iam-errors.ts';
import type { IamServices } from '../iam-services.ts';
import { impliedPermissions, permissionName } from '../permissions.ts';
import { type StoredPolicy, isAllowedThroughout } from '../policy.ts';
import type { Principal } from '../principal.ts';
import { defineRoute } from '../route.ts';
import { parseTokenInput } from './parse-token-input.ts';
import { presentToken } from './token-presenter.ts';
import { AccountParams, CreateTokenSchema, TokenSchema } from './token-schemas.ts';
import { type ApiToken, insertToken } from './token-store.ts';

const CreatedTokenSchema = Type.Object({
  ...TokenSchema.properties,
  value: Type.String({ description: 'The token itself. Shown this once.' }),
});

export const createTokenRoute = ({ database, clock, brand }: IamServices) =>
  defineRoute({
    method: 'POST',
    path: '/accounts/:account_id/tokens',
    operationId: 'create-account-token',
    section: 'API tokens',
    summary: 'Create an account-owned API token',
    access: 'api-tokens.write',
    params: AccountParams,
    body: CreateTokenSchema,
    bodyFaults: iamBodyFaults,
    result: CreatedTokenSchema,
    errors: Object.values(iamErrors),
    async handler({ principal, params, body }) {
      const nowMs = clock.now();
      const definition = parseTokenInput(body, params.account_id, nowMs);
      for (const policy of definition.policies) checkWithinCreator(principal, policy);
      const value = createSecret('lkat_');
      const digest = digestSecret(value);
      const token: ApiToken = {
        id: createId(),
        accountId: params.account_id,
        ...definition,
        status: 'active',
        issuedAtMs: nowMs,
        modifiedAtMs: nowMs,
        lastUsedAtMs: undefined,
      };
      await database.transaction(async (tx, announce) => {
        await insertToken(tx, token, digest);
        announce({ topic: API_TOKEN_TOPIC, key: digest });
      });
      return { result: { ...presentToken(token, brand, nowMs), value } };
    },
  });

function checkWithinCreator(creator: Principal, policy: StoredPolicy): void {
  if (policy.effect === 'deny') return;
  // What the new token will hold is what counts: an allowed `.write` brings `.read` with it.
  for (const permission of new Set(policy.permissions.flatMap(impliedPermissions))) {
    for (const resource of policy.resources) {
      if (isAllowedThroughout(creator.policies, permission, resource)) continue;
      throw apiError(iamErrors.exceedsCreator, {
        message: `${iamErrors.exceedsCreator.message}: "${permissionName(permission)}" is missing`,
        pointer: '/policies',
      });
    }
  }
}
