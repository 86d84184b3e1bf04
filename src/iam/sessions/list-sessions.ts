import { Type } from 'typebox';
import type { IamServices } from '../iam-services.ts';
import { defineSessionRoute } from '../route.ts';
import { SessionSchema, presentSession } from './session-presenter.ts';
import { listSessions } from './session-store.ts';

export const listSessionsRoute = ({ database, clock }: IamServices) =>
  defineSessionRoute({
    method: 'GET',
    path: '/user/sessions',
    operationId: 'list-sessions',
    section: 'Sessions',
    summary: 'List your sessions',
    description: 'Newest first, at most 50.',
    access: 'session',
    result: Type.Array(SessionSchema),
    async handler({ principal }) {
      const rows = await listSessions(database.read, principal.user.id, clock.now());
      return { result: rows.map((row) => presentSession(row, principal)) };
    },
  });
