import { Type } from 'typebox';
import type { IamServices } from '../iam-services.ts';
import { defineSessionRoute } from '../route.ts';
import { lockUser } from '../users/user-store.ts';
import { endSessions } from './end-sessions.ts';

export const deleteOtherSessionsRoute = ({ changes }: IamServices) =>
  defineSessionRoute({
    method: 'DELETE',
    path: '/user/sessions',
    operationId: 'delete-other-sessions',
    section: 'Sessions',
    summary: 'End all your other sessions',
    access: 'session',
    result: Type.Object({ ended: Type.Integer({ description: 'Number of ended sessions' }) }),
    async handler({ principal, request }) {
      const { user, session } = principal;
      return changes.make({ principal, request }, async (tools) => {
        await lockUser(tools.tx, user.id);
        const ended = await endSessions(tools, user.id, { exceptId: session.id });
        if (ended === 0) tools.unchanged();
        else {
          tools.audit({
            chain: { userId: user.id },
            type: 'revoke',
            description: 'Ended all other sessions',
            resource: { type: 'session', id: undefined, product: 'sessions' },
            shows: { response: { ended: true } },
          });
        }
        return { result: { ended } };
      });
    },
  });
