import { Type } from 'typebox';
import { apiError } from '../../http/errors.ts';
import { createId } from '../../lib/ids.ts';
import { createSecret, digestSecret } from '../../lib/secrets.ts';
import { tokenAnnouncement } from '../credentials.ts';
import { iamBodyFaults, iamErrors, tokenErrors } from '../iam-errors.ts';
import type { IamServices } from '../iam-services.ts';
import { defineRoute } from '../route.ts';
import { checkWithinCreator } from './check-within-creator.ts';
import { parseTokenInput } from './parse-token-input.ts';
import { type TokenOwnership, tokenChange } from './token-ownership.ts';
import { presentToken } from './token-presenter.ts';
import { CreateTokenSchema, TokenSchema } from './token-schemas.ts';
import { type ApiToken, insertToken, lockAndCountTokens } from './token-store.ts';

const CreatedTokenSchema = Type.Object({
  ...TokenSchema.properties,
  value: Type.String({ description: 'The token itself. Shown this once.' }),
});

export const createTokenRoute = (
  { clock, brand, changes }: IamServices,
  ownership: TokenOwnership,
) =>
  defineRoute({
    method: 'POST',
    path: ownership.path,
    operationId: `create-${ownership.kind}-token`,
    section: 'API tokens',
    summary: `Create ${ownership.kind === 'account' ? 'an account-owned' : 'a user-owned'} API token`,
    access: ownership.write,
    params: ownership.params,
    body: CreateTokenSchema,
    bodyFaults: iamBodyFaults,
    result: CreatedTokenSchema,
    errors: tokenErrors,
    async handler({ principal, params, body, request }) {
      const nowMs = clock.now();
      const owner = ownership.ownerOf(principal, params);
      const definition = parseTokenInput(body, owner, nowMs);
      checkWithinCreator(principal, definition);
      const value = createSecret(ownership.prefix);
      const digest = digestSecret(value);
      const token: ApiToken = {
        id: createId(),
        owner,
        ...definition,
        status: 'active',
        issuedAtMs: nowMs,
        modifiedAtMs: nowMs,
        lastUsedAtMs: undefined,
      };
      return changes.make({ principal, request, body }, async ({ tx, announce, audit }) => {
        if ((await lockAndCountTokens(tx, owner)) >= ownership.maxTokens) {
          throw apiError(iamErrors.tooManyTokens);
        }
        await insertToken(tx, token, digest);
        announce(tokenAnnouncement(digest));
        audit(tokenChange(token, 'create', 'Created an API token'));
        return { result: { ...presentToken(token, brand, nowMs), value } };
      });
    },
  });
