import { useSuspenseQuery } from '@tanstack/react-query';
import { userQuery } from '../../api/people.ts';
import { Page } from '../../ui/page.tsx';
import { labels } from './labels.ts';
import { PasskeysCard } from './passkeys-card.tsx';
import { PasswordCard } from './password-card.tsx';
import { RecoveryCodesCard } from './recovery-codes-card.tsx';
import { SecuritySummary } from './security-summary.tsx';
import { TotpCard } from './totp-card.tsx';

/** What the person signs in with. */
export function Security() {
  const { data: user } = useSuspenseQuery(userQuery);
  return (
    <Page title={labels.signInAndSecurity} lead={labels.yourSignInMethods} isNarrow>
      <SecuritySummary />
      <PasswordCard email={user.email} />
      <TotpCard />
      <PasskeysCard />
      {user.two_factor_authentication_enabled && <RecoveryCodesCard />}
    </Page>
  );
}
