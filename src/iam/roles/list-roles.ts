import { Type } from 'typebox';
import { pageQuery, pageReply, readPage } from '../../http/paging.ts';
import { roles } from '../roles.ts';
import { AccountParams, defineRoute } from '../route.ts';
import { RoleSchema, presentRole } from './role-presenter.ts';

const MAX_PER_PAGE = 100;

export const listRolesRoute = () =>
  defineRoute({
    method: 'GET',
    path: '/accounts/:account_id/roles',
    operationId: 'list-roles',
    section: 'Members',
    summary: 'List the roles',
    // Who sees an account may know what the roles in it mean.
    access: 'account-settings.read',
    params: AccountParams,
    query: Type.Object(pageQuery(MAX_PER_PAGE)),
    result: Type.Array(RoleSchema),
    paging: 'page',
    handler({ query }) {
      const page = readPage(query);
      const shown = roles.slice(page.offset, page.offset + page.perPage).map(presentRole);
      return Promise.resolve(pageReply(shown, page, roles.length));
    },
  });
