import type { IamServices } from '../iam-services.ts';
import type { ManagementRoute } from '../route.ts';
import { confirmSessionRoute } from './confirm-session.ts';
import { createSessionRoute } from './create-session.ts';
import { deleteOtherSessionsRoute } from './delete-other-sessions.ts';
import { deleteSessionRoute } from './delete-session.ts';
import { getSessionRoute } from './get-session.ts';
import { listSessionsRoute } from './list-sessions.ts';

/** Signing in, signing out, and what a person may do with sessions. */
export function sessionRoutes(services: IamServices): ManagementRoute[] {
  return [
    createSessionRoute(services),
    listSessionsRoute(services),
    deleteOtherSessionsRoute(services),
    confirmSessionRoute(services),
    getSessionRoute(services),
    deleteSessionRoute(services),
  ];
}
