import { GatewayParams } from '../../iam/gateway-operations.ts';
import { Type } from 'typebox';
import { notFound } from '../../http/errors.ts';
import { accountTokens } from '../../iam/api-tokens/token-ownership.ts';
import { checkWithinCreator } from '../../iam/api-tokens/check-within-creator.ts';
import { issueToken } from '../../iam/api-tokens/issue-token.ts';
import { parseTokenInput } from '../../iam/api-tokens/parse-token-input.ts';
import { CreateTokenSchema, CreatedTokenSchema } from '../../iam/api-tokens/token-schemas.ts';
import { forbidden } from '../../iam/access/authorize.ts';
import { iamBodyFaults, iamErrors } from '../../iam/iam-errors.ts';
import { findPermissionBySlug } from '../../iam/permissions.ts';
import { formatResourceName } from '../../iam/policy.ts';
import { holds } from '../../iam/principal.ts';
import { defineRoute } from '../../iam/route.ts';
import type { GatewayAdminServices } from '../admin-services.ts';
import { findGatewayName } from './gateway-store.ts';

const {
  name,
  not_before: notBefore,
  expires_on: expiresOn,
  condition,
} = CreateTokenSchema.properties;

const RUN = 'ai-gateway.run';

export const createGatewayTokenRoute = ({ brand, changes, clock }: GatewayAdminServices) =>
  defineRoute({
    method: 'POST',
    path: '/accounts/:account_id/ai-gateway/gateways/:gateway_id/tokens',
    operationId: 'create-gateway-token',
    section: 'AI gateway',
    summary: 'Create an API token for requests through this gateway',
    description:
      'The result is an account-owned API token, listed and revoked like the others. Only this response contains its `value`. This operation also requires `api-tokens.write` (Account API Tokens Write), and the client needs every permission that the token gets: `ai-gateway.run` on this gateway, valid no longer than the token of the client, and from no other addresses.',
    access: 'ai-gateway.write',
    params: GatewayParams,
    body: Type.Object(
      { name, not_before: notBefore, expires_on: expiresOn, condition },
      { additionalProperties: false },
    ),
    bodyFaults: iamBodyFaults,
    result: CreatedTokenSchema,
    errors: [iamErrors.invalidTimes, iamErrors.exceedsCreator, iamErrors.tooManyTokens],
    async handler({ principal, params, body, request }) {
      const { account_id: accountId, gateway_id: gatewayId } = params;
      const owner = { accountId };
      if (!holds(principal, 'api-tokens.write', owner)) {
        throw forbidden('api-tokens.write', principal);
      }
      const nowMs = clock.now();
      const policy = {
        effect: 'allow' as const,
        permission_groups: [{ id: findPermissionBySlug(RUN)?.id ?? '' }],
        resources: { [formatResourceName(brand, { accountId, gatewayId })]: '*' as const },
      };
      const definition = parseTokenInput({ ...body, policies: [policy] }, owner, nowMs);
      checkWithinCreator(principal, definition);
      return changes.make({ principal, request, body }, async (tools) => {
        // Without a lock, because transactions that delete the account lock in the other order.
        const found = await findGatewayName(tools.tx, accountId, gatewayId);
        if (found === undefined) throw notFound(request.path);
        const token = { owner, ...definition };
        const issued = await issueToken(tools, accountTokens, token, { principal, brand, nowMs });
        return { result: issued };
      });
    },
  });
