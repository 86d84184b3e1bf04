import { notFound } from '../../http/errors.ts';
import { defineRoute } from '../../iam/route.ts';
import type { GatewayAdminServices } from '../admin-services.ts';
import { presentProviderConfig } from './provider-config-presenter.ts';
import {
  PROVIDER_CONFIG_RECORD,
  ProviderConfigParams,
  ProviderConfigSchema,
} from './provider-config-schemas.ts';
import { findProviderConfig } from './provider-config-store.ts';

export const getProviderConfigRoute = ({ database }: GatewayAdminServices) =>
  defineRoute({
    method: 'GET',
    path: '/accounts/:account_id/ai-gateway/gateways/:gateway_id/provider_configs/:config_id',
    operationId: 'get-provider-config',
    section: 'AI gateway',
    summary: 'Get a provider key',
    access: 'ai-gateway.read',
    params: ProviderConfigParams,
    record: PROVIDER_CONFIG_RECORD,
    result: ProviderConfigSchema,
    async handler({ params, request }) {
      const { account_id: accountId, gateway_id: gatewayId, config_id: id } = params;
      const config = await findProviderConfig(database.read, { accountId, gatewayId, id });
      if (config === undefined) throw notFound(request.path);
      return { result: presentProviderConfig(config) };
    },
  });
