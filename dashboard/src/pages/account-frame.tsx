import { Outlet, useParams } from '@tanstack/react-router';
import { type Access, useAccess } from '../api/accounts.ts';
import { Callout } from '../ui/badge.tsx';
import { LinkButton } from '../ui/button.tsx';
import { Page } from '../ui/page.tsx';
import { Empty } from '../ui/states.tsx';

/** Around the pages of one account: it is there, and the person may look at it. */
export function AccountFrame() {
  const { accountId } = useParams({ from: '/accounts/$accountId' });
  const access = useAccess(accountId);
  if (access === undefined) return <NoMember />;
  if (access.lacksSecondFactor) return <SecondFactorNeeded access={access} />;
  return <Outlet />;
}

function NoMember() {
  return (
    <Page title="Not one of your accounts">
      <Empty
        title="You are not a member of this account"
        actions={<LinkButton to="/profile/accounts">Your accounts</LinkButton>}
      >
        You may have left the account, or you are signed in as another user.
      </Empty>
    </Page>
  );
}

function SecondFactorNeeded({ access }: { access: Access }) {
  return (
    <Page title={access.accountName} isNarrow>
      <Callout
        tone="warning"
        title="This account requires a second factor"
        actions={
          <LinkButton look="primary" to="/profile/security">
            Set up a second factor
          </LinkButton>
        }
      >
        Your access returns when you set up an authenticator app or a passkey.
      </Callout>
    </Page>
  );
}
