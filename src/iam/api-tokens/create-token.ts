import { Type } from 'typebox';
import { apiError } from '../../http/errors.ts';
import { createId } from '../../lib/ids.ts';
import { createSecret, digestSecret } from '../../lib/secrets.ts';
import { API_TOKEN_TOPIC } from '../credentials.ts';
import { iamBodyFaults, iamErrors } from '../iam-errors.ts';
import type { IamServices } from '../iam-services.ts';
import { AccountParams, defineRoute } from '../route.ts';
import { checkWithinCreator } from './check-within-creator.ts';
import { parseTokenInput } from './parse-token-input.ts';
import { presentToken } from './token-presenter.ts';
import { CreateTokenSchema, TokenSchema } from './token-schemas.ts';
import { type ApiToken, insertToken, lockAndCountTokens } from './token-store.ts';

// Far above what people and machines need; a loop that creates tokens is stopped by it.
const MAX_TOKENS_PER_ACCOUNT = 5_000;

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
      checkWithinCreator(principal, definition);
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
        if ((await lockAndCountTokens(tx, params.account_id)) >= MAX_TOKENS_PER_ACCOUNT) {
          throw apiError(iamErrors.tooManyTokens);
        }
        await insertToken(tx, token, digest);
        announce({ topic: API_TOKEN_TOPIC, key: digest });
      });
      return { result: { ...presentToken(token, brand, nowMs), value } };
    },
  });
