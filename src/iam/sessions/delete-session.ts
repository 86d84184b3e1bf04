import { Type } from 'typebox';
import { notFound } from '../../http/errors.ts';
import type { RequestFacts } from '../../http/route.ts';
import type { IamServices } from '../iam-services.ts';
import type { SessionPrincipal } from '../principal.ts';
import { defineSessionRoute } from '../route.ts';
import { lockUser } from '../users/user-store.ts';
import { endSession } from './end-sessions.ts';
import { SessionParams, sessionIdOf } from './session-params.ts';
import { clearedSessionCookies } from './start-session.ts';

/** Ends the session behind a request. */
export async function signOut(
  services: IamServices,
  principal: SessionPrincipal,
  request: RequestFacts,
) {
  return revokeSession(services, principal, request, principal.session.id);
}

export const deleteSessionRoute = (services: IamServices) =>
  defineSessionRoute({
    method: 'DELETE',
    path: '/user/sessions/:session_id',
    operationId: 'delete-session',
    section: 'Sessions',
    summary: 'Sign out, or end another session',
    description:
      'The session ends within one second on every node. Signing out also deletes the cookies.',
    access: 'session',
    params: SessionParams,
    result: Type.Object({ id: Type.String() }),
    handler: ({ principal, params, request }) =>
      revokeSession(services, principal, request, sessionIdOf(params, principal)),
  });

async function revokeSession(
  { changes, cookies }: IamServices,
  principal: SessionPrincipal,
  request: RequestFacts,
  sessionId: string,
) {
  const isOwn = sessionId === principal.session.id;
  const { id: userId } = principal.user;
  return changes.make({ principal, request }, async (tools) => {
    await lockUser(tools.tx, userId);
    if (!(await endSession(tools, userId, sessionId))) throw notFound(request.path);
    tools.audit({
      chain: { userId },
      type: isOwn ? 'sign_out' : 'revoke',
      description: isOwn ? 'Signed out' : 'Ended a session',
      resource: { type: 'session', id: sessionId, product: 'sessions' },
      shows: { response: { id: true } },
    });
    const headers = isOwn ? { headers: { 'set-cookie': clearedSessionCookies(cookies) } } : {};
    return { result: { id: sessionId }, ...headers };
  });
}
