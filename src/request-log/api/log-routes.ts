import type { ManagementRoute } from '../../iam/route.ts';
import { getAccountAnalyticsRoute } from './get-account-analytics.ts';
import { getGatewayAnalyticsRoute } from './get-gateway-analytics.ts';
import type { LogServices } from './log-services.ts';
import { deleteLogsRoute } from './delete-logs.ts';
import { getLogRequestRoute, getLogResponseRoute } from './get-log-body.ts';
import { getLogRoute } from './get-log.ts';
import { listLogsRoute } from './list-logs.ts';
import { updateLogRoute } from './update-log.ts';

/** Returns the routes of the operations on logs and analytics. */
export function logRoutes(services: LogServices): ManagementRoute[] {
  return [
    listLogsRoute(services),
    deleteLogsRoute(services),
    getLogRoute(services),
    updateLogRoute(services),
    getLogRequestRoute(services),
    getLogResponseRoute(services),
    getGatewayAnalyticsRoute(services),
    getAccountAnalyticsRoute(services),
  ];
}
