import { GatewayParams } from '../../iam/gateway-operations.ts';
import { Type } from 'typebox';
import { notFound } from '../../http/errors.ts';
import { defineRoute } from '../../iam/route.ts';
import type { GatewayAdminServices } from '../admin-services.ts';
import { findGatewayName } from './gateway-store.ts';

export const getGatewayUrlRoute = ({ database, gatewayUrl }: GatewayAdminServices) =>
  defineRoute({
    method: 'GET',
    path: '/accounts/:account_id/ai-gateway/gateways/:gateway_id/url/:provider',
    operationId: 'get-gateway-url',
    section: 'AI gateway',
    summary: 'Get the gateway URL of a provider',
    access: 'ai-gateway.read',
    params: Type.Object({
      ...GatewayParams.properties,
      provider: Type.String({
        maxLength: 128,
        pattern: '^[a-z0-9-]{1,128}$',
        description: 'Slug of the provider; `compat` for the OpenAI API of all providers',
      }),
    }),
    result: Type.String(),
    async handler({ params, request }) {
      const { account_id: accountId, gateway_id: gatewayId, provider } = params;
      const name = await findGatewayName(database.read, accountId, gatewayId);
      if (name === undefined) throw notFound(request.path);
      return { result: `${gatewayUrl()}/v1/${accountId}/${gatewayId}/${provider}` };
    },
  });
