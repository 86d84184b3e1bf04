import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type Account, accountQuery, updateAccount, useAccountOfPage } from '../../api/accounts.ts';
import { membersQuery } from '../../api/members.ts';
import { membershipsQuery, userQuery } from '../../api/people.ts';
import { Badge, Callout } from '../../ui/badge.tsx';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Card } from '../../ui/page.tsx';
import { toast } from '../../ui/toast.tsx';
import { lacksSecondFactor } from '../members/member-words.ts';

/** Whether members need a second factor, and what it would mean to ask for one. */
export function SecondFactorRule({ account }: { account: Account }) {
  const { can } = useAccountOfPage();
  const [isAsked, setIsAsked] = useState(false);
  const isRequired = account.settings.enforce_twofactor;
  const change = useRuleChange(account);
  return (
    <Card
      title={
        <span className="inline-flex flex-wrap items-center gap-2">
          Second factor
          {isRequired ? <Badge tone="good">Required</Badge> : <Badge>Not required</Badge>}
        </span>
      }
      lead="An authenticator app or a passkey, besides the password. With it a stolen password alone opens nothing."
      footer={
        can('account-settings.write') && (
          <Button onClick={() => setIsAsked(true)}>
            {isRequired ? 'Stop requiring it' : 'Require it from everybody'}
          </Button>
        )
      }
    >
      <Missing accountId={account.id} isRequired={isRequired} />
      <Confirm
        isOpen={isAsked}
        onClose={() => setIsAsked(false)}
        title={isRequired ? 'Stop requiring a second factor?' : 'Require a second factor?'}
        label={isRequired ? 'Stop requiring it' : 'Require it'}
        isDangerous={isRequired}
        onConfirm={() => change(!isRequired)}
      >
        {isRequired ? (
          <p>Members will get in with a password alone. Those who have a second factor keep it.</p>
        ) : (
          <Consequences accountId={account.id} />
        )}
      </Confirm>
    </Card>
  );
}

function useRuleChange({ id, name }: Account): (isRequired: boolean) => Promise<void> {
  const queryClient = useQueryClient();
  return async (isRequired) => {
    const changed = await updateAccount(id, { name, settings: { enforce_twofactor: isRequired } });
    queryClient.setQueryData(accountQuery(id).queryKey, changed);
    // Whoever has none may do nothing here from now on.
    await Promise.all([
      queryClient.invalidateQueries({ queryKey: membershipsQuery.queryKey }),
      queryClient.invalidateQueries({ queryKey: userQuery.queryKey, exact: true }),
    ]);
    toast(isRequired ? 'A second factor is required now' : 'A second factor is not required now');
  };
}

/** How many members have none; undefined while that is not known, or not for the person to know. */
function useMissing(accountId: string): { missing: number; all: number } | undefined {
  const { can } = useAccountOfPage();
  const { data } = useQuery({ ...membersQuery(accountId), enabled: can('members.read') });
  if (data === undefined) return undefined;
  const missing = data.filter(lacksSecondFactor).length;
  return { missing, all: data.filter(({ status }) => status === 'accepted').length };
}

function Missing({ accountId, isRequired }: { accountId: string; isRequired: boolean }) {
  const count = useMissing(accountId);
  if (count === undefined) {
    return <p>Members without one hold no rights in an account that requires it.</p>;
  }
  const { missing, all } = count;
  if (missing === 0) {
    return <p>{all === 1 ? 'The only member has one.' : `All ${all} members have one.`}</p>;
  }
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <p>
        {missing} of {all} {all === 1 ? 'member' : 'members'} {missing === 1 ? 'has' : 'have'} none
        {isRequired ? ' and can do nothing here until that is set up.' : '.'}
      </p>
      <LinkButton
        isSmall
        to="/accounts/$accountId/members"
        params={{ accountId }}
        search={{ show: 'no-second-factor' }}
      >
        Show who
      </LinkButton>
    </div>
  );
}

function Consequences({ accountId }: { accountId: string }) {
  const { data: self } = useSuspenseQuery(userQuery);
  const count = useMissing(accountId);
  const isSelfLocked = !self.two_factor_authentication_enabled;
  const others = count === undefined ? undefined : count.missing - (isSelfLocked ? 1 : 0);
  return (
    <>
      <p>
        Members without one can do nothing in this account until they have set one up: neither they
        themselves nor their own API tokens. The tokens of the account go on working.
      </p>
      {others !== undefined && others > 0 && (
        <p>
          <strong>
            {others} other {others === 1 ? 'member' : 'members'} will be locked out at once.
          </strong>{' '}
          They are asked to set one up when they come next.
        </p>
      )}
      {others === 0 && !isSelfLocked && <p>Nobody is locked out: all members have one.</p>}
      {isSelfLocked && (
        <Callout tone="warning" title="You will be locked out yourself">
          You have no second factor, and this account will show you nothing until you have one.{' '}
          <Link to="/profile/security" className="text-accent underline">
            Set one up
          </Link>{' '}
          first, if you can.
        </Callout>
      )}
    </>
  );
}
