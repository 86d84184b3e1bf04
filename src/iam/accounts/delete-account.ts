import { Type } from 'typebox';
import { apiError, notFound } from '../../http/errors.ts';
import { iamErrors } from '../iam-errors.ts';
import type { IamServices } from '../iam-services.ts';
import { checkActsAsSuperAdministrator } from '../members/check-role-change.ts';
import { userOf } from '../principal.ts';
import { AccountParams, defineRoute } from '../route.ts';
import { accountChange, presentAccount } from './account-presenter.ts';
import {
  findAccount,
  lockAccount,
  lockDeletionsAndFindOther,
  markAccountDeleted,
} from './account-store.ts';
import { ACCOUNT_RECORD } from './account-schemas.ts';
import { deleteAccountContents } from './delete-account-contents.ts';

export const deleteAccountRoute = ({
  clock,
  changes,
  deleteAccountData,
  purgeDeletedAccounts,
}: IamServices) =>
  defineRoute({
    method: 'DELETE',
    path: '/accounts/:account_id',
    operationId: 'delete-account',
    section: 'Accounts',
    summary: 'Delete an account and everything in it',
    description:
      'Only Super Administrators can delete an account. This cannot be undone. All credentials of the account stop working within one second on every node. The server removes tags and gateway logs within minutes and keeps the audit log. The only account of an installation cannot be deleted.',
    access: 'account-settings.write',
    params: AccountParams,
    record: ACCOUNT_RECORD,
    result: Type.Object({ id: Type.String() }),
    errors: [iamErrors.needsSuperAdministrator, iamErrors.onlyAccount],
    async handler({ principal, params, request, checkRecord }) {
      const accountId = params.account_id;
      checkActsAsSuperAdministrator(principal, accountId);
      const reply = await changes.make({ principal, request }, async ({ tx, announce, audit }) => {
        const isOnly = !(await lockDeletionsAndFindOther(tx, accountId));
        if (isOnly) throw apiError(iamErrors.onlyAccount);
        await lockAccount(tx, accountId);
        const account = await findAccount(tx, accountId);
        if (account === undefined) throw notFound(request.path);
        checkRecord(presentAccount(account));
        await deleteAccountContents(tx, announce, accountId, deleteAccountData);
        await markAccountDeleted(tx, accountId, clock.now());
        const change = accountChange(accountId, 'delete', `Deleted the account ${account.name}`);
        audit(change);
        // Nobody can read the log of an account that is gone: the person's own tells of it too.
        const userId = userOf(principal)?.id;
        if (userId !== undefined) audit({ ...change, chain: { userId } });
        return { result: { id: accountId } };
      });
      purgeDeletedAccounts();
      return reply;
    },
  });
