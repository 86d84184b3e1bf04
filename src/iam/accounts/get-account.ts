import { notFound } from '../../http/errors.ts';
import type { IamServices } from '../iam-services.ts';
import { AccountParams, defineRoute } from '../route.ts';
import { presentAccount } from './account-presenter.ts';
import { ACCOUNT_RECORD, AccountSchema } from './account-schemas.ts';
import { findAccount } from './account-store.ts';

export const getAccountRoute = ({ database }: IamServices) =>
  defineRoute({
    method: 'GET',
    path: '/accounts/:account_id',
    operationId: 'get-account',
    section: 'Accounts',
    summary: 'Get one account',
    access: 'account-settings.read',
    params: AccountParams,
    record: ACCOUNT_RECORD,
    result: AccountSchema,
    async handler({ params, request }) {
      const account = await findAccount(database.read, params.account_id);
      // Only one that was deleted a moment ago.
      if (account === undefined) throw notFound(request.path);
      return { result: presentAccount(account) };
    },
  });
