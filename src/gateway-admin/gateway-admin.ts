import type { ManagementRoute } from '../iam/route.ts';
import type { ReportTrouble } from '../storage/invalidation.ts';
import type { PeriodicWork } from '../storage/periodic-work.ts';
import type { GatewayAdminServices } from './admin-services.ts';
import { addGatewayPurge } from './gateways/purge-deleted-gateways.ts';
import { gatewayAdminRoutes } from './routes.ts';

interface GatewayAdminParts extends GatewayAdminServices {
  report: ReportTrouble;
  work: PeriodicWork;
}

/**
 * Creates the management of gateways, and adds its jobs.
 * @returns its routes
 */
export function createGatewayAdmin(parts: GatewayAdminParts): ManagementRoute[] {
  addGatewayPurge(parts);
  return gatewayAdminRoutes(parts);
}
