import { httpErrors, notFound } from '../../http/errors.ts';
import { iamErrors } from '../iam-errors.ts';
import type { IamServices } from '../iam-services.ts';
import { callerOf } from '../principal.ts';
import { defineRoute } from '../route.ts';
import { USER_RECORD, UserSchema, presentUser } from './user-presenter.ts';

export const getUserRoute = ({ database }: IamServices) =>
  defineRoute({
    method: 'GET',
    path: '/user',
    operationId: 'get-user',
    section: 'User',
    summary: 'Get your user details',
    access: { self: 'user-details.read' },
    record: USER_RECORD,
    result: UserSchema,
    errors: [httpErrors.notFound, iamErrors.notAUser],
    async handler({ principal, request }) {
      const user = await presentUser(database.read, callerOf(principal));
      if (user === undefined) throw notFound(request.path);
      return { result: user };
    },
  });
