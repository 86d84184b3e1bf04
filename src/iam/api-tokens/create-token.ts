import { iamBodyFaults, tokenErrors } from '../iam-errors.ts';
import type { IamServices } from '../iam-services.ts';
import { defineRoute } from '../route.ts';
import { checkWithinCreator } from './check-within-creator.ts';
import { issueToken } from './issue-token.ts';
import { parseTokenInput } from './parse-token-input.ts';
import type { TokenOwnership } from './token-ownership.ts';
import { TOKEN_RECORD, CreateTokenSchema, CreatedTokenSchema } from './token-schemas.ts';

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
    record: TOKEN_RECORD,
    result: CreatedTokenSchema,
    errors: tokenErrors,
    async handler({ principal, params, body, request }) {
      const nowMs = clock.now();
      const owner = ownership.ownerOf(principal, params);
      const definition = parseTokenInput(body, owner, nowMs);
      checkWithinCreator(principal, definition);
      return changes.make({ principal, request, body }, async (tools) => {
        const token = { owner, ...definition, status: body.status ?? 'active' };
        return { result: await issueToken(tools, ownership, token, { principal, brand, nowMs }) };
      });
    },
  });
