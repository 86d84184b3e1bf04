import type { ManagementRoute } from '../iam/route.ts';
import { getAccountLimitsRoute } from './account-limits/get-account-limits.ts';
import { getAccountSpendRoute } from './account-limits/get-account-spend.ts';
import { putAccountLimitsRoute } from './account-limits/put-account-limits.ts';
import { createCustomProviderRoute } from './custom-providers/create-custom-provider.ts';
import { deleteCustomProviderRoute } from './custom-providers/delete-custom-provider.ts';
import { getCustomProviderRoute } from './custom-providers/get-custom-provider.ts';
import { listCustomProvidersRoute } from './custom-providers/list-custom-providers.ts';
import { updateCustomProviderRoute } from './custom-providers/update-custom-provider.ts';
import type { GatewayAdminServices } from './admin-services.ts';
import { createGatewayTokenRoute } from './gateways/create-gateway-token.ts';
import { createGatewayRoute } from './gateways/create-gateway.ts';
import { deleteGatewayRoute } from './gateways/delete-gateway.ts';
import { getGatewaySpendRoute } from './gateways/get-gateway-spend.ts';
import { getGatewayUrlRoute } from './gateways/get-gateway-url.ts';
import { getGatewayRoute } from './gateways/get-gateway.ts';
import { listGatewaysRoute } from './gateways/list-gateways.ts';
import { updateGatewayRoute } from './gateways/update-gateway.ts';
import { createProviderConfigRoute } from './provider-keys/create-provider-config.ts';
import { deleteProviderConfigRoute } from './provider-keys/delete-provider-config.ts';
import { getProviderConfigRoute } from './provider-keys/get-provider-config.ts';
import { listProviderConfigsRoute } from './provider-keys/list-provider-configs.ts';
import { updateProviderConfigRoute } from './provider-keys/update-provider-config.ts';

/** Returns the routes of the operations on gateways, provider keys, custom providers and spend limits. */
export function gatewayAdminRoutes(services: GatewayAdminServices): ManagementRoute[] {
  return [
    createGatewayRoute(services),
    listGatewaysRoute(services),
    getGatewayRoute(services),
    updateGatewayRoute(services),
    deleteGatewayRoute(services),
    getGatewayUrlRoute(services),
    getGatewaySpendRoute(services),
    getAccountLimitsRoute(services),
    putAccountLimitsRoute(services),
    getAccountSpendRoute(services),
    createGatewayTokenRoute(services),
    createProviderConfigRoute(services),
    listProviderConfigsRoute(services),
    getProviderConfigRoute(services),
    updateProviderConfigRoute(services),
    deleteProviderConfigRoute(services),
    createCustomProviderRoute(services),
    listCustomProvidersRoute(services),
    getCustomProviderRoute(services),
    updateCustomProviderRoute(services),
    deleteCustomProviderRoute(services),
  ];
}
