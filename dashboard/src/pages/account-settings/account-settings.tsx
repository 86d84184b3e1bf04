import { useSuspenseQuery } from '@tanstack/react-query';
import { accountQuery, useAccountOfPage } from '../../api/accounts.ts';
import { baseUrl } from '../../lib/site.ts';
import { CopyText } from '../../ui/copy.tsx';
import { Card, Fact, Facts, Page } from '../../ui/page.tsx';
import { formatTime } from '../../ui/time.tsx';
import { ReadOnly } from '../role-needed.tsx';
import { DeleteAccount } from './delete-account.tsx';
import { NameForm } from './name-form.tsx';
import { SecondFactorRule } from './second-factor-rule.tsx';

/** What an account is called, how people sign in for it, and its end. */
export function AccountSettings() {
  const access = useAccountOfPage();
  const { accountId } = access;
  const { data: account } = useSuspenseQuery(accountQuery(accountId));
  const mayChange = access.can('account-settings.write');
  return (
    <Page title="Settings" isNarrow>
      <ReadOnly access={access} permission="account-settings.write" deed="change the settings" />
      {mayChange ? (
        <NameForm account={account} />
      ) : (
        <Card title="Name and contact">
          <Facts>
            <Fact name="Name">{account.name}</Fact>
            <Fact name="Abuse contact">{account.settings.abuse_contact_email ?? 'None'}</Fact>
          </Facts>
        </Card>
      )}
      <Card title="For programs" lead="What the API needs to know of this account.">
        <Facts>
          <Fact name="Account ID">
            <CopyText text={accountId} label="Copy account ID" />
          </Fact>
          <Fact name="Base URL">
            <CopyText text={baseUrl} label="Copy base URL" />
          </Fact>
          <Fact name="Created">{formatTime(account.created_on)}</Fact>
        </Facts>
      </Card>
      <SecondFactorRule account={account} />
      <DeleteAccount account={account} />
    </Page>
  );
}
