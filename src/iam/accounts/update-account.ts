import { isDeepStrictEqual } from 'node:util';
import type { Static } from 'typebox';
import { type ApiError, apiError, notFound } from '../../http/errors.ts';
import { isMailAddress } from '../../lib/mail-address.ts';
import { iamBodyFaults, iamErrors } from '../iam-errors.ts';
import type { IamServices } from '../iam-services.ts';
import { listMemberUserIds } from '../members/member-store.ts';
import { AccountParams, defineRoute } from '../route.ts';
import { userAnnouncement } from '../users/user-directory.ts';
import { accountChange, presentAccount } from './account-presenter.ts';
import { ACCOUNT_RECORD, AccountSchema, UpdateAccountSchema } from './account-schemas.ts';
import { type Account, findAccount, lockAccount, updateAccount } from './account-store.ts';

export const updateAccountRoute = ({ changes, tagging }: IamServices) =>
  defineRoute({
    method: 'PUT',
    path: '/accounts/:account_id',
    operationId: 'update-account',
    section: 'Accounts',
    summary: 'Change the name and the settings of an account',
    description:
      'Omitted settings do not change. A person without a second factor who enables `enforce_twofactor` also loses access to the account until they set up a second factor.',
    access: 'account-settings.write',
    params: AccountParams,
    body: UpdateAccountSchema,
    bodyFaults: iamBodyFaults,
    record: ACCOUNT_RECORD,
    result: AccountSchema,
    async handler({ principal, params, body, request, checkRecord }) {
      const accountId = params.account_id;
      return changes.make({ principal, request, body }, async (tools) => {
        const { tx, announce, audit, unchanged } = tools;
        await lockAccount(tx, accountId);
        const stored = await findAccount(tx, accountId);
        if (stored === undefined) throw notFound(request.path);
        checkRecord(presentAccount(stored));
        const account = withChanges(stored, body);
        if (isDeepStrictEqual(account, stored)) {
          unchanged();
          return { result: presentAccount(account) };
        }
        await updateAccount(tx, account);
        if (account.name !== stored.name) {
          await tagging.renamed(tx, { accountId, type: 'account', id: accountId }, account.name);
        }
        if (account.enforceTwoFactor !== stored.enforceTwoFactor) {
          const userIds = await listMemberUserIds(tx, accountId);
          for (const userId of userIds) announce(userAnnouncement(userId));
        }
        audit(accountChange(accountId, 'update', 'Changed the account'));
        return { result: presentAccount(account) };
      });
    },
  });

/** @throws ApiError 3001 when the address is none */
function withChanges(stored: Account, body: Static<typeof UpdateAccountSchema>): Account {
  const { enforce_twofactor: enforceTwoFactor, abuse_contact_email: email } = body.settings ?? {};
  const isTakenAway = email === null || email === '';
  if (email !== undefined && !isTakenAway && !isMailAddress(email)) {
    throw invalidField(
      'settings.abuse_contact_email is not an email address',
      '/settings/abuse_contact_email',
    );
  }
  return {
    ...stored,
    name: body.name,
    enforceTwoFactor: enforceTwoFactor ?? stored.enforceTwoFactor,
    abuseContactEmail: isTakenAway ? undefined : (email ?? stored.abuseContactEmail),
  };
}

function invalidField(fault: string, pointer: string): ApiError {
  return apiError(iamErrors.invalidField, {
    message: `${iamErrors.invalidField.message}: ${fault}`,
    pointer,
  });
}
