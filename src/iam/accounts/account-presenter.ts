import { type AuditView, showMembers } from '../audit/audit-view.ts';
import type { Static } from 'typebox';
import { formatTime } from '../../lib/clock.ts';
import type { AuditedChange } from '../changes.ts';
import type { AccountSchema } from './account-schemas.ts';
import type { Account } from './account-store.ts';

/** An account as the API shows it. */
export function presentAccount(account: Account): Static<typeof AccountSchema> {
  return {
    id: account.id,
    name: account.name,
    type: 'standard',
    created_on: formatTime(account.createdAtMs),
    settings: {
      enforce_twofactor: account.enforceTwoFactor,
      ...(account.abuseContactEmail !== undefined && {
        abuse_contact_email: account.abuseContactEmail,
      }),
    },
  };
}

const ACCOUNT_VIEW: AuditView = {
  ...showMembers('id', 'name', 'type', 'created_on', 'standalone'),
  settings: showMembers('enforce_twofactor', 'abuse_contact_email'),
};

/** A change of an account, for its audit log. */
export function accountChange(accountId: string, type: string, description: string): AuditedChange {
  return {
    chain: { accountId },
    type,
    description,
    resource: { type: 'account', id: accountId, product: 'accounts' },
    shows: { request: ACCOUNT_VIEW, response: ACCOUNT_VIEW },
  };
}
