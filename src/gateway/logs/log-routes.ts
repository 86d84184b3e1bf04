import type { ManagementRoute } from '../../iam/route.ts';
import { getAccountAnalyticsRoute } from '../analytics/get-account-analytics.ts';
import { getGatewayAnalyticsRoute } from '../analytics/get-gateway-analytics.ts';
import type { LogServices } from './log-services.ts';
import { deleteLogsRoute } from './operations/delete-logs.ts';
import { getLogRequestRoute, getLogResponseRoute } from './operations/get-log-body.ts';
import { getLogRoute } from './operations/get-log.ts';
import { listLogsRoute } from './operations/list-logs.ts';
import { updateLogRoute } from './operations/update-log.ts';

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
