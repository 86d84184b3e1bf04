import { apiError, httpErrors } from '../../http/errors.ts';
import { createId } from '../../lib/ids.ts';
import { iamBodyFaults, iamErrors } from '../iam-errors.ts';
import type { IamServices } from '../iam-services.ts';
import { insertMember } from '../members/member-store.ts';
import { checkMembershipRoom } from '../memberships/check-membership-room.ts';
import { userOf } from '../principal.ts';
import { SUPER_ADMINISTRATOR } from '../roles.ts';
import { defineRoute } from '../route.ts';
import { userAnnouncement } from '../users/user-directory.ts';
import { accountChange, presentAccount } from './account-presenter.ts';
import { ACCOUNT_RECORD, AccountSchema, CreateAccountSchema } from './account-schemas.ts';
import { countAdministeredAccounts, insertAccount } from './account-store.ts';

/** Far above what one person can look after, to stop a loop that creates them. */
export const MAX_ACCOUNTS_PER_PERSON = 100;

export const createAccountRoute = ({ clock, changes }: IamServices) =>
  defineRoute({
    method: 'POST',
    path: '/accounts',
    operationId: 'create-account',
    section: 'Accounts',
    summary: 'Create an account',
    description:
      'The person who creates the account becomes its Super Administrator. Account-owned tokens and OAuth clients cannot create accounts.',
    access: { anyAccount: 'account-settings.write' },
    body: CreateAccountSchema,
    bodyFaults: iamBodyFaults,
    record: ACCOUNT_RECORD,
    result: AccountSchema,
    errors: [iamErrors.tooManyAccounts, iamErrors.tooManyMemberships],
    async handler({ principal, body, request }) {
      const user = userOf(principal);
      if (user === undefined || principal.type === 'oauth') {
        const caller = user === undefined ? 'an account-owned token' : 'an OAuth client';
        throw apiError(httpErrors.forbidden, {
          message: `Forbidden: ${caller} cannot create an account; use a session or a user-owned token`,
        });
      }
      const nowMs = clock.now();
      const account = {
        id: createId(),
        name: body.name,
        createdAtMs: nowMs,
        enforceTwoFactor: false,
        abuseContactEmail: undefined,
      };
      return changes.make({ principal, request, body }, async ({ tx, announce, audit }) => {
        await checkMembershipRoom(tx, user.id);
        if ((await countAdministeredAccounts(tx, user.id)) >= MAX_ACCOUNTS_PER_PERSON) {
          throw apiError(iamErrors.tooManyAccounts);
        }
        await insertAccount(tx, account);
        await insertMember(tx, {
          accountId: account.id,
          id: createId(),
          userId: user.id,
          status: 'accepted',
          createdAtMs: nowMs,
          roles: [SUPER_ADMINISTRATOR],
          invitation: undefined,
        });
        announce(userAnnouncement(user.id));
        audit(accountChange(account.id, 'create', 'Created the account'));
        return { result: presentAccount(account) };
      });
    },
  });
