import { Type } from 'typebox';
import { pageQuery, pageReply, readPage } from '../../http/paging.ts';
import type { IamServices } from '../iam-services.ts';
import { accountsOf, holds, reachesAccount } from '../principal.ts';
import { defineRoute } from '../route.ts';
import { presentAccount } from './account-presenter.ts';
import { AccountSchema } from './account-schemas.ts';
import { listAccounts } from './account-store.ts';

const ListedAccountSchema = Type.Object({
  ...AccountSchema.properties,
  settings: Type.Optional(AccountSchema.properties.settings),
});

const MAX_PER_PAGE = 100;
const PERMISSION = 'account-settings.read';

export const listAccountsRoute = ({ database }: IamServices) =>
  defineRoute({
    method: 'GET',
    path: '/accounts',
    operationId: 'list-accounts',
    section: 'Accounts',
    summary: 'List the accounts that the client can access',
    description:
      'Members that require Account Settings Read are omitted for accounts in which the client lacks it.',
    access: 'authenticated',
    query: Type.Object({
      ...pageQuery(MAX_PER_PAGE),
      name: Type.Optional(Type.String({ description: 'Exact name' })),
      direction: Type.Optional(Type.Enum(['asc', 'desc'], { description: 'By name' })),
    }),
    result: Type.Array(ListedAccountSchema),
    paging: 'page',
    async handler({ principal, query }) {
      const page = readPage(query);
      // A token for one account belongs to it, whatever it may do there.
      const isListed = (accountId: string): boolean =>
        principal.type === 'account_token' || reachesAccount(principal, accountId);
      const ids = accountsOf(principal).filter(isListed);
      const { accounts, totalCount } = await listAccounts(
        database.read,
        { ids, name: query.name, direction: query.direction ?? 'asc' },
        page,
      );
      const shown = accounts.map((account) => {
        const { settings, ...facts } = presentAccount(account);
        const maySee = holds(principal, PERMISSION, { accountId: account.id });
        return maySee ? { ...facts, settings } : facts;
      });
      return pageReply(shown, page, totalCount);
    },
  });
