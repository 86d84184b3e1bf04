import { useSuspenseQuery } from '@tanstack/react-query';
import { Badge, Callout } from '../../ui/badge.tsx';
import { userQuery } from '../../api/people.ts';
import { ownSessionQuery } from '../../api/sessions.ts';
import { passkeysQuery, totpQuery } from '../../api/factors.ts';
import { Card, Fact, Facts } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';
import { labels } from './labels.ts';
import { describeMethods } from './sign-in-methods.ts';

/** So few recovery codes are soon used up. */
export const FEW_CODES = 3;

/** What protects the sign-in now, and what is missing. */
export function SecuritySummary() {
  const { data: user } = useSuspenseQuery(userQuery);
  const { data: session } = useSuspenseQuery(ownSessionQuery);
  const isOn = user.two_factor_authentication_enabled;
  return (
    <>
      {!isOn && <NoSecondFactor isDemanded={user.two_factor_authentication_locked} />}
      <Card title={labels.accountProtection}>
        <Facts>
          <Fact name={labels.secondFactor}>
            <Badge tone={isOn ? 'good' : 'warning'}>{isOn ? labels.on : labels.off}</Badge>{' '}
            <SecondFactors />
          </Fact>
          <Fact name={labels.thisSession}>
            Started with {describeMethods(session.methods)}, <Time value={session.created_on} />
          </Fact>
          <Fact name={labels.lastIdentityConfirmation}>
            {session.authenticated_on === null ? (
              labels.unknown
            ) : (
              <Time value={session.authenticated_on} />
            )}
            . Before you change a factor, you must have confirmed your identity within the last 15
            minutes.
          </Fact>
        </Facts>
      </Card>
    </>
  );
}

function SecondFactors() {
  const { data: totp } = useSuspenseQuery(totpQuery);
  const { data: passkeys } = useSuspenseQuery(passkeysQuery);
  const { length: count } = passkeys;
  const factors = [
    ...(totp.enabled ? ['authenticator app'] : []),
    ...(count === 0 ? [] : [count === 1 ? 'one passkey' : labels.passkeyCount(count)]),
  ];
  if (factors.length === 0) return labels.yourAccountIsProtected;
  return (
    <span>
      {labels.recoveryLeft(
        new Intl.ListFormat('en').format(factors),
        totp.recovery_codes_left,
        totp.recovery_codes_left === 1 ? 'code' : 'codes',
      )}
    </span>
  );
}

function NoSecondFactor({ isDemanded }: { isDemanded: boolean }) {
  if (!isDemanded) {
    return (
      <Callout tone="info" title={labels.addASecondFactor}>
        {labels.withAnAuthenticatorApp}
      </Callout>
    );
  }
  return (
    <Callout tone="warning" title={labels.oneOfYourAccountsRequires}>
      {labels.youHaveNoAccess}
    </Callout>
  );
}
