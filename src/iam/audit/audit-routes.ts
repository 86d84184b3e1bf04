import type { IamServices } from '../iam-services.ts';
import type { ManagementRoute } from '../route.ts';
import { getAuditHistoryRoute } from './get-audit-history.ts';
import {
  listAuditLogsByPageRoute,
  listUserAuditLogsByPageRoute,
} from './list-audit-logs-by-page.ts';
import { listAuditLogsRoute, listUserAuditLogsRoute } from './list-audit-logs.ts';
import { listProductCategoriesRoute } from './list-product-categories.ts';

/** Every operation on the audit log. */
export function auditRoutes(services: IamServices): ManagementRoute[] {
  return [
    listAuditLogsRoute(services),
    listUserAuditLogsRoute(services),
    getAuditHistoryRoute(services),
    listAuditLogsByPageRoute(services),
    listUserAuditLogsByPageRoute(services),
    listProductCategoriesRoute(),
  ];
}
