import type { ManagementRoute } from '../iam/route.ts';
import { getAccountLimitsRoute } from './account-limits/get-account-limits.ts';
import { getAccountSpendRoute } from './account-limits/get-account-spend.ts';
import { putAccountLimitsRoute } from './account-limits/put-account-limits.ts';
import { getAccountAnalyticsRoute } from './analytics/get-account-analytics.ts';
import { getGatewayAnalyticsRoute } from './analytics/get-gateway-analytics.ts';
import { createCustomProviderRoute } from './custom-providers/create-custom-provider.ts';
import { deleteCustomProviderRoute } from './custom-providers/delete-custom-provider.ts';
import { getCustomProviderRoute } from './custom-providers/get-custom-provider.ts';
import { listCustomProvidersRoute } from './custom-providers/list-custom-providers.ts';
import { updateCustomProviderRoute } from './custom-providers/update-custom-provider.ts';
import type { GatewayAdminServices } from './gateways/admin-services.ts';
import { createGatewayTokenRoute } from './gateways/create-gateway-token.ts';
import { createGatewayRoute } from './gateways/create-gateway.ts';
import { deleteGatewayRoute } from './gateways/delete-gateway.ts';
import { getGatewaySpendRoute } from './gateways/get-gateway-spend.ts';
import { getGatewayUrlRoute } from './gateways/get-gateway-url.ts';
import { getGatewayRoute } from './gateways/get-gateway.ts';
import { listGatewaysRoute } from './gateways/list-gateways.ts';
import { updateGatewayRoute } from './gateways/update-gateway.ts';
import { createProviderConfigRoute } from './keys/create-provider-config.ts';
import { deleteProviderConfigRoute } from './keys/delete-provider-config.ts';
import { getProviderConfigRoute } from './keys/get-provider-config.ts';
import { listProviderConfigsRoute } from './keys/list-provider-configs.ts';
import { updateProviderConfigRoute } from './keys/update-provider-config.ts';
import { deleteLogsRoute } from './logs/operations/delete-logs.ts';
import { getLogRequestRoute, getLogResponseRoute } from './logs/operations/get-log-body.ts';
import { getLogRoute } from './logs/operations/get-log.ts';
import { listLogsRoute } from './logs/operations/list-logs.ts';
import { updateLogRoute } from './logs/operations/update-log.ts';
import type { LogServices } from './logs/log-services.ts';
import { searchModelsRoute } from './search-models.ts';

/** Returns the routes of the operations on gateways, logs and analytics. */
export function gatewayRoutes(
  services: GatewayAdminServices,
  logs: LogServices,
): ManagementRoute[] {
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
    listLogsRoute(logs),
    deleteLogsRoute(logs),
    getLogRoute(logs),
    updateLogRoute(logs),
    getLogRequestRoute(logs),
    getLogResponseRoute(logs),
    getGatewayAnalyticsRoute(logs),
    getAccountAnalyticsRoute(logs),
    searchModelsRoute(services),
  ];
}
