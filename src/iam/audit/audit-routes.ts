import type { IamServices } from '../iam-services.ts';
import type { ManagementRoute } from '../route.ts';
import { listAuditLogsRoute, listUserAuditLogsRoute } from './list-audit-logs.ts';
import { listProductCategoriesRoute } from './list-product-categories.ts';

/** Every operation on the audit log. */
export function auditRoutes(services: IamServices): ManagementRoute[] {
  return [
    listAuditLogsRoute(services),
    listUserAuditLogsRoute(services),
    listProductCategoriesRoute(),
  ];
}
