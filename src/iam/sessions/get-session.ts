import { Type } from 'typebox';
import { notFound } from '../../http/errors.ts';
import type { IamServices } from '../iam-services.ts';
import { defineSessionRoute } from '../route.ts';
import { csrfTokenOf, readCookie } from './session-cookie.ts';
import { SessionParams, sessionIdOf } from './session-params.ts';
import { SessionSchema, presentSession } from './session-presenter.ts';
import { findSession } from './session-store.ts';

export const getSessionRoute = ({ database, clock, cookies }: IamServices) =>
  defineSessionRoute({
    method: 'GET',
    path: '/user/sessions/:session_id',
    operationId: 'get-session',
    section: 'Sessions',
    summary: 'Get one of your sessions',
    access: 'session',
    params: SessionParams,
    result: Type.Object({
      ...SessionSchema.properties,
      csrf_token: Type.Optional(
        Type.String({ description: 'True for the session of this request' }),
      ),
    }),
    async handler({ principal, params, request }) {
      const sessionId = sessionIdOf(params, principal);
      const row = await findSession(database.read, principal.user.id, sessionId, clock.now());
      if (row === undefined) throw notFound(request.path);
      const secret = readCookie(request.headers.cookie, cookies.session) ?? '';
      const presented = presentSession(row, principal);
      return {
        result: presented.current ? { ...presented, csrf_token: csrfTokenOf(secret) } : presented,
      };
    },
  });
