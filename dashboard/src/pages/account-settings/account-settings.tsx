import { useSuspenseQuery } from '@tanstack/react-query';
import { accountQuery, useAccountOfPage } from '../../api/accounts.ts';
import { baseUrl } from '../../lib/site.ts';
import { CopyText } from '../../ui/copy.tsx';
import { Card, Fact, Facts, Page } from '../../ui/page.tsx';
import { formatTime } from '../../ui/time.tsx';
import { ReadOnly } from '../role-needed.tsx';
import { DeleteAccount } from './delete-account.tsx';
import { labels } from './labels.ts';
import { NameForm } from './name-form.tsx';
import { SecondFactorRule } from './second-factor-rule.tsx';

/** What an account is called, how people sign in for it, and its end. */
export function AccountSettings() {
  const access = useAccountOfPage();
  const { accountId } = access;
  const { data: account } = useSuspenseQuery(accountQuery(accountId));
  const mayChange = access.can('account-settings.write');
  return (
    <Page title={labels.settings} isNarrow>
      <ReadOnly access={access} permission="account-settings.write" deed={labels.readOnlyAction} />
      {mayChange ? (
        <NameForm account={account} />
      ) : (
        <Card title={labels.nameAndContact}>
          <Facts>
            <Fact name={labels.name}>{account.name}</Fact>
            <Fact name={labels.abuseContact}>
              {account.settings.abuse_contact_email ?? labels.none}
            </Fact>
          </Facts>
        </Card>
      )}
      <Card title={labels.forPrograms} lead={labels.identifiersThatApiRequestsNeed}>
        <Facts>
          <Fact name={labels.accountId}>
            <CopyText text={accountId} label={labels.copyAccountId} />
          </Fact>
          <Fact name={labels.baseUrl}>
            <CopyText text={baseUrl} label={labels.copyBaseUrl} />
          </Fact>
          <Fact name={labels.created}>{formatTime(account.created_on)}</Fact>
        </Facts>
      </Card>
      <SecondFactorRule account={account} />
      <DeleteAccount account={account} />
    </Page>
  );
}
