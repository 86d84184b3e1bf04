import { Type } from 'typebox';
import { notFound } from '../../http/errors.ts';
import { findRoleById } from '../roles.ts';
import { AccountParams, defineRoute } from '../route.ts';
import { RoleSchema, presentRole } from './role-presenter.ts';

export const getRoleRoute = () =>
  defineRoute({
    method: 'GET',
    path: '/accounts/:account_id/roles/:role_id',
    operationId: 'get-role',
    section: 'Members',
    summary: 'Get one role',
    access: 'account-settings.read',
    params: Type.Object({
      ...AccountParams.properties,
      role_id: Type.String({ description: 'Role id: 32 hex digits' }),
    }),
    result: RoleSchema,
    async handler({ params, request }) {
      const role = findRoleById(params.role_id);
      if (role === undefined) throw notFound(request.path);
      return { result: presentRole(role) };
    },
  });
