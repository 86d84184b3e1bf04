import { Type } from 'typebox';
import { pageQuery, pageReply, readPage } from '../../http/paging.ts';
import type { IamServices } from '../iam-services.ts';
import { accountsOf, holds } from '../principal.ts';
import { defineRoute } from '../route.ts';
import { presentAccount } from './account-presenter.ts';
import { AccountSchema } from './account-schemas.ts';
import { listAccounts } from './account-store.ts';

const MAX_PER_PAGE = 100;
const PERMISSION = 'account-settings.read';

export const listAccountsRoute = ({ database }: IamServices) =>
  defineRoute({
    method: 'GET',
    path: '/accounts',
    operationId: 'list-accounts',
    section: 'Accounts',
    summary: 'List the accounts that the client can access',
    access: { anyAccount: PERMISSION },
    query: Type.Object({
      ...pageQuery(MAX_PER_PAGE),
      name: Type.Optional(Type.String({ description: 'Exact name' })),
      direction: Type.Optional(Type.Enum(['asc', 'desc'], { description: 'By name' })),
    }),
    result: Type.Array(AccountSchema),
    paging: 'page',
    async handler({ principal, query }) {
      const page = readPage(query);
      const ids = accountsOf(principal).filter((accountId) =>
        holds(principal, PERMISSION, { accountId }),
      );
      const { accounts, totalCount } = await listAccounts(
        database.read,
        { ids, name: query.name, direction: query.direction ?? 'asc' },
        page,
      );
      return pageReply(accounts.map(presentAccount), page, totalCount);
    },
  });
