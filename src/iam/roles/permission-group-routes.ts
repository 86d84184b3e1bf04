import { type Static, Type } from 'typebox';
import { notFound } from '../../http/errors.ts';
import { pageQuery, pageReply, readPage } from '../../http/paging.ts';
import {
  type Permission,
  findPermissionById,
  permissions,
  publicCategory,
} from '../permissions.ts';
import { AccountParams, type ManagementRoute, defineRoute } from '../route.ts';

const MAX_PER_PAGE = 100;

const PermissionGroupSchema = Type.Object({
  id: Type.String(),
  name: Type.String(),
  meta: Type.Object({
    label: Type.String({ description: 'Slug, such as `tags_read`' }),
    scopes: Type.String({ description: '`com.<brand>.api.account` or `.user`' }),
    category: Type.String(),
  }),
});

/**
 * Returns the operations that list the permission catalogue in the format of the identity API. Permission groups of
 * tokens have the same ids.
 * @param brand as in the names of resources
 */
export function permissionGroupRoutes(brand: string): ManagementRoute[] {
  return [listRoute(brand), getRoute(brand)];
}

const listRoute = (brand: string) =>
  defineRoute({
    method: 'GET',
    path: '/accounts/:account_id/iam/permission_groups',
    operationId: 'list-iam-permission-groups',
    section: 'Members',
    summary: 'List the permission groups',
    access: 'account-settings.read',
    params: AccountParams,
    query: Type.Object(
      {
        ...pageQuery(MAX_PER_PAGE),
        id: Type.Optional(Type.String({ maxLength: 32 })),
        name: Type.Optional(Type.String({ description: 'Exact name', maxLength: 120 })),
        label: Type.Optional(Type.String({ description: 'Exact label', maxLength: 120 })),
      },
      { additionalProperties: false },
    ),
    result: Type.Array(PermissionGroupSchema),
    paging: 'page',
    handler({ query }) {
      const page = readPage(query);
      const groups = permissions
        .filter(({ id }) => query.id === undefined || findPermissionById(query.id)?.id === id)
        .filter(({ name }) => query.name === undefined || query.name === name)
        .map((permission) => present(permission, brand))
        .filter(({ meta }) => query.label === undefined || query.label === meta.label);
      const shown = groups.slice(page.offset, page.offset + page.perPage);
      return Promise.resolve(pageReply(shown, page, groups.length));
    },
  });

const getRoute = (brand: string) =>
  defineRoute({
    method: 'GET',
    path: '/accounts/:account_id/iam/permission_groups/:permission_group_id',
    operationId: 'get-iam-permission-group',
    section: 'Members',
    summary: 'Get one permission group',
    access: 'account-settings.read',
    params: Type.Object({
      ...AccountParams.properties,
      permission_group_id: Type.String({ description: 'Permission group id: 32 hex digits' }),
    }),
    result: PermissionGroupSchema,
    async handler({ params, request }) {
      const permission = findPermissionById(params.permission_group_id);
      if (permission === undefined) throw notFound(request.path);
      return { result: present(permission, brand) };
    },
  });

function present(
  { id, name, slug, scope, category }: Permission,
  brand: string,
): Static<typeof PermissionGroupSchema> {
  const label = slug.replaceAll(/[.-]/g, '_');
  return {
    id,
    name,
    meta: { label, scopes: `com.${brand}.api.${scope}`, category: publicCategory({ category }) },
  };
}
