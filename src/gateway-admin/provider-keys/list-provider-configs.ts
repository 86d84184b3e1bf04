import { GatewayParams } from '../../iam/gateway-operations.ts';
import { Type } from 'typebox';
import { notFound } from '../../http/errors.ts';
import { pageQuery, pageReply, readPage } from '../../http/paging.ts';
import { defineRoute } from '../../iam/route.ts';
import type { GatewayAdminServices } from '../admin-services.ts';
import { findGatewayName } from '../gateways/gateway-store.ts';
import { presentProviderConfig } from './provider-config-presenter.ts';
import { ProviderConfigSchema } from './provider-config-schemas.ts';
import { listProviderConfigs } from './provider-config-store.ts';

const MAX_PER_PAGE = 100;

export const listProviderConfigsRoute = ({ database }: GatewayAdminServices) =>
  defineRoute({
    method: 'GET',
    path: '/accounts/:account_id/ai-gateway/gateways/:gateway_id/provider_configs',
    operationId: 'list-provider-configs',
    section: 'AI gateway',
    summary: 'List the provider keys of a gateway',
    description: 'Sorted by provider and alias, without the keys themselves.',
    access: 'ai-gateway.read',
    params: GatewayParams,
    query: Type.Object(pageQuery(MAX_PER_PAGE)),
    result: Type.Array(ProviderConfigSchema),
    paging: 'page',
    async handler({ params, query, request }) {
      const { account_id: accountId, gateway_id: gatewayId } = params;
      const name = await findGatewayName(database.read, accountId, gatewayId);
      if (name === undefined) throw notFound(request.path);
      const page = readPage(query);
      const { configs, totalCount } = await listProviderConfigs(
        database.read,
        accountId,
        gatewayId,
        page,
      );
      return pageReply(configs.map(presentProviderConfig), page, totalCount);
    },
  });
