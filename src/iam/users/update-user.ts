import { httpErrors, notFound } from '../../http/errors.ts';
import { showMembers } from '../audit/audit-view.ts';
import { iamBodyFaults } from '../iam-errors.ts';
import type { IamServices } from '../iam-services.ts';
import { defineSessionRoute } from '../route.ts';
import { USER_RECORD, UpdateUserSchema, UserSchema, presentUser } from './user-presenter.ts';
import { lockUser, updateUser } from './user-store.ts';

const NAME_VIEW = showMembers('id', 'email', 'first_name', 'last_name');

export const updateUserRoute = ({ changes }: IamServices) =>
  defineSessionRoute({
    method: 'PATCH',
    path: '/user',
    operationId: 'update-user',
    section: 'User',
    summary: 'Change your name',
    description: 'Omitted members do not change; null removes a name.',
    access: 'session',
    body: UpdateUserSchema,
    bodyFaults: iamBodyFaults,
    record: USER_RECORD,
    result: UserSchema,
    errors: [httpErrors.notFound],
    async handler({ principal, body, request, checkRecord }) {
      const { user } = principal;
      return changes.make({ principal, request, body }, async ({ tx, audit, unchanged }) => {
        const { first_name: firstName, last_name: lastName } = body;
        await lockUser(tx, user.id);
        const stored = await presentUser(tx, user);
        if (stored === undefined) throw notFound(request.path);
        checkRecord(stored);
        await updateUser(tx, user.id, {
          ...(firstName === undefined ? {} : { firstName: firstName ?? undefined }),
          ...(lastName === undefined ? {} : { lastName: lastName ?? undefined }),
        });
        const shown = await presentUser(tx, user);
        if (shown === undefined) throw notFound(request.path);
        if (firstName === undefined && lastName === undefined) unchanged();
        else {
          audit({
            chain: { userId: user.id },
            type: 'update',
            description: 'Changed their name',
            resource: { type: 'user', id: user.id, product: 'user' },
            shows: { request: NAME_VIEW, response: NAME_VIEW },
          });
        }
        return { result: shown };
      });
    },
  });
