import { Edit } from '../../api/edit.ts';
import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import {
  type Account,
  accountQuery,
  updateAccount,
  useAccountOfPage,
  readAccount,
} from '../../api/accounts.ts';
import { membersQuery } from '../../api/members.ts';
import { membershipsQuery, userQuery } from '../../api/people.ts';
import { Badge, Callout } from '../../ui/badge.tsx';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Card } from '../../ui/page.tsx';
import { toast } from '../../ui/toast.tsx';
import { lacksSecondFactor } from '../members/member-words.ts';
import { labels } from './labels.ts';

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
          {isRequired ? (
            <Badge tone="good">{labels.required}</Badge>
          ) : (
            <Badge>{labels.notRequired}</Badge>
          )}
        </span>
      }
      lead={labels.anAuthenticatorApp}
      footer={
        can('account-settings.write') && (
          <Button onClick={() => setIsAsked(true)}>
            {isRequired ? labels.stopRequiring : labels.requireForAllMembers}
          </Button>
        )
      }
    >
      <Missing accountId={account.id} isRequired={isRequired} />
      <Confirm
        isOpen={isAsked}
        onClose={() => setIsAsked(false)}
        title={isRequired ? labels.stopRequiringASecondFactor : labels.requireASecondFactor}
        label={isRequired ? labels.stopRequiring : labels.require}
        isDangerous={isRequired}
        onConfirm={() => change(!isRequired)}
      >
        {isRequired ? <p>{labels.membersCanSign}</p> : <Consequences accountId={account.id} />}
      </Confirm>
    </Card>
  );
}

function useRuleChange(account: Account): (isRequired: boolean) => Promise<void> {
  const { id } = account;
  const queryClient = useQueryClient();
  return async (isRequired) => {
    const edit = new Edit(account, () => readAccount(id));
    const settings = { enforce_twofactor: isRequired };
    const changed = await edit.save([], (headers, { name }) =>
      updateAccount(id, { name, settings }, headers),
    );
    queryClient.setQueryData(accountQuery(id).queryKey, changed);
    // Whoever has none may do nothing here from now on.
    await Promise.all([
      queryClient.invalidateQueries({ queryKey: membershipsQuery.queryKey }),
      queryClient.invalidateQueries({ queryKey: userQuery.queryKey, exact: true }),
    ]);
    toast(isRequired ? labels.secondFactorIsNowRequired : labels.secondFactorIsNowOptional);
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
    return <p>{labels.membersWithoutASecondFactor}</p>;
  }
  const { missing, all } = count;
  if (missing === 0) {
    return <p>{all === 1 ? labels.theOnlyMember : labels.allMembersHaveASecond(all)}</p>;
  }
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <p>{labels.missing(missing, all, isRequired)}</p>
      <LinkButton
        isSmall
        to="/accounts/$accountId/members"
        params={{ accountId }}
        search={{ show: 'no-second-factor' }}
      >
        {labels.showMembers}
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
      <p>{labels.membersWithoutASecondFactorAnd}</p>
      {others !== undefined && others > 0 && (
        <p>
          <strong>
            {labels.otherWillLoseAccessImmediately(others, others === 1 ? 'member' : 'members')}
          </strong>{' '}
          They are asked to set up a second factor at their next visit.
        </p>
      )}
      {others === 0 && !isSelfLocked && <p>{labels.allMembersHaveASecondFactor}</p>}
      {isSelfLocked && (
        <Callout tone="warning" title={labels.youWillLoseAccessYourself}>
          You have no second factor, and you lose access to this account until you set one up.{' '}
          <Link to="/profile/security" className="text-accent underline">
            {labels.setUpASecondFactor}
          </Link>{' '}
          first.
        </Callout>
      )}
    </>
  );
}
