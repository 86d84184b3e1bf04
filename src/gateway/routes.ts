import type { ManagementRoute } from '../iam/route.ts';
import type { GatewayServices } from './gateway-services.ts';
import { createGatewayRoute } from './gateways/create-gateway.ts';
import { getGatewayRoute } from './gateways/get-gateway.ts';
import { listGatewaysRoute } from './gateways/list-gateways.ts';
import { listLogsRoute } from './logs/list-logs.ts';

/** Every operation that manages gateways. */
export function gatewayRoutes(services: GatewayServices): ManagementRoute[] {
  return [
    createGatewayRoute(services),
    listGatewaysRoute(services),
    getGatewayRoute(services),
    listLogsRoute(services),
  ];
}
