import { useSuspenseQuery } from '@tanstack/react-query';
import { Badge, Callout } from '../../ui/badge.tsx';
import { userQuery } from '../../api/people.ts';
import { ownSessionQuery } from '../../api/sessions.ts';
import { passkeysQuery, totpQuery } from '../../api/factors.ts';
import { Card, Fact, Facts } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';
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
      <Card title="What protects you now">
        <Facts>
          <Fact name="Second factor">
            <Badge tone={isOn ? 'good' : 'warning'}>{isOn ? 'On' : 'Off'}</Badge> <SecondFactors />
          </Fact>
          <Fact name="This session">
            Begun with {describeMethods(session.methods)}, <Time value={session.created_on} />
          </Fact>
          <Fact name="Last proof">
            {session.authenticated_on === null ? (
              'Unknown'
            ) : (
              <Time value={session.authenticated_on} />
            )}
            . To change a factor takes a proof of who you are from the last 15 minutes: you are
            asked for one when it is older.
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
    ...(count === 0 ? [] : [count === 1 ? 'one passkey' : `${count} passkeys`]),
  ];
  if (factors.length === 0) return 'Your password alone lets somebody in.';
  return (
    <span>
      {new Intl.ListFormat('en').format(factors)}; {totp.recovery_codes_left} recovery{' '}
      {totp.recovery_codes_left === 1 ? 'code' : 'codes'} left
    </span>
  );
}

function NoSecondFactor({ isDemanded }: { isDemanded: boolean }) {
  if (!isDemanded) {
    return (
      <Callout tone="info" title="Add a second factor">
        With an authenticator app or a passkey, nobody can sign in as you who only knows your
        password.
      </Callout>
    );
  }
  return (
    <Callout tone="warning" title="One of your accounts demands a second factor">
      It grants you nothing until you have set one up: an authenticator app or a passkey, below.
    </Callout>
  );
}
