import { Type } from 'typebox';
import type { IamServices } from '../iam-services.ts';
import { permissions, publicCategory } from '../permissions.ts';
import { defineRoute } from '../route.ts';
import type { TokenOwnership } from './token-ownership.ts';

/** The permission catalogue as permission groups: what a token's policies are made of. */
export const listPermissionGroupsRoute = ({ brand }: IamServices, ownership: TokenOwnership) =>
  defineRoute({
    method: 'GET',
    path: `${ownership.path}/permission_groups`,
    operationId: `list-${ownership.kind}-permission-groups`,
    section: 'API tokens',
    summary: 'List the permission groups that a token can hold',
    access: ownership.read,
    params: ownership.params,
    query: Type.Object({
      name: Type.Optional(Type.String({ description: 'Exact name', maxLength: 120 })),
      scope: Type.Optional(
        Type.String({ description: '`com.<brand>.api.account` or `.user`', maxLength: 120 }),
      ),
    }),
    result: Type.Array(
      Type.Object({
        id: Type.String(),
        name: Type.String(),
        scopes: Type.Array(Type.String()),
        category: Type.String(),
      }),
    ),
    handler({ query }) {
      const groups = permissions
        .map(({ id, name, scope, category }) => ({
          id,
          name,
          scopes: [`com.${brand}.api.${scope}`],
          category: publicCategory({ category }),
        }))
        .filter(
          (group) =>
            (query.name === undefined || group.name === query.name) &&
            (query.scope === undefined || group.scopes.includes(query.scope)),
        );
      return Promise.resolve({ result: groups });
    },
  });
