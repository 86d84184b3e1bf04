import { useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Building2, Plus } from '../../ui/icons.tsx';
import { useState } from 'react';
import { SUPER_ADMINISTRATOR, holds } from '../../api/accounts.ts';
import { type Membership, leaveAccount } from '../../api/memberships.ts';
import { membershipsQuery } from '../../api/people.ts';
import { rememberedAccount } from '../../session/remembered-account.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { CopyButton } from '../../ui/copy.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { toast } from '../../ui/toast.tsx';
import { labels } from './labels.ts';
import { CreateAccount } from './own-accounts-create.tsx';
import { Invitations } from './own-accounts-invitations.tsx';

/** The accounts that the person belongs to, or could. */
export function OwnAccounts() {
  const { data: memberships } = useSuspenseQuery(membershipsQuery);
  const [left, setLeft] = useState<Membership>();
  const [isCreating, setIsCreating] = useState(false);
  const accepted = memberships.filter(({ status }) => status === 'accepted');
  const pending = memberships.filter(({ status }) => status === 'pending');
  // The API lets only those create one who could change the settings of another.
  const canCreate = accepted.some(({ permissions }) =>
    holds(permissions, 'account-settings.write'),
  );
  return (
    <Page
      title={labels.yourAccounts}
      lead={labels.anAccountContainsApplicationsTokens}
      actions={
        canCreate && (
          <Button
            look="primary"
            icon={<Plus aria-hidden className="size-4" />}
            onClick={() => setIsCreating(true)}
          >
            {labels.createAccount}
          </Button>
        )
      }
    >
      <Invitations invitations={pending} />
      <Card isFlush>
        {accepted.length === 0 ? (
          <NoAccount hasInvitations={pending.length > 0} />
        ) : (
          <Table
            caption={labels.accountsYouBelongTo}
            columns={columnsOf(setLeft)}
            rows={accepted}
            keyOf={({ id }) => id}
          />
        )}
      </Card>
      {!canCreate && accepted.length > 0 && (
        <p className="text-sm text-muted">{labels.toGetAnotherAccountAsk}</p>
      )}
      <Leave membership={left} onClose={() => setLeft(undefined)} />
      <CreateAccount isOpen={isCreating} onClose={() => setIsCreating(false)} />
    </Page>
  );
}

function NoAccount({ hasInvitations }: { hasInvitations: boolean }) {
  return (
    <Empty icon={<Building2 />} title={labels.youDontBelong}>
      {hasInvitations ? labels.toStartAcceptAnInvitation : labels.askAnAccountAdministrator}
    </Empty>
  );
}

function columnsOf(onLeave: (membership: Membership) => void): Column<Membership>[] {
  return [
    { title: labels.account, cell: ({ account }) => <AccountName account={account} /> },
    { title: labels.yourRoles, cell: ({ roles }) => roles.join(', ') },
    {
      title: labels.accountId,
      cell: ({ account }) => (
        <span className="inline-flex items-center gap-1">
          <code className="font-mono text-sm" title={account.id}>
            {account.id.slice(0, 8)}…
          </code>
          <CopyButton text={account.id} label={labels.copyIdOf(account.name)} />
        </span>
      ),
    },
    {
      title: labels.actions,
      isTitleHidden: true,
      isAtEnd: true,
      cell: (membership) => (
        <span className="inline-flex gap-2">
          <LinkButton
            isSmall
            to="/accounts/$accountId"
            params={{ accountId: membership.account.id }}
            aria-label={labels.openAccount(membership.account.name)}
          >
            {labels.open}
          </LinkButton>
          <Button
            isSmall
            look="quiet"
            aria-label={labels.leaveNamedAccount(membership.account.name)}
            onClick={() => onLeave(membership)}
          >
            {labels.leave}
          </Button>
        </span>
      ),
    },
  ];
}

function AccountName({ account }: { account: Membership['account'] }) {
  return (
    <span className="flex flex-wrap items-center gap-2 max-md:pr-28">
      <Link
        to="/accounts/$accountId"
        params={{ accountId: account.id }}
        className="font-medium underline-offset-4 hover:underline"
      >
        {account.name}
      </Link>
      {rememberedAccount() === account.id && <Badge>{labels.lastOpen}</Badge>}
    </span>
  );
}

function Leave({
  membership,
  onClose,
}: {
  membership: Membership | undefined;
  onClose: () => void;
}) {
  const name = membership?.account.name ?? '';
  return (
    <Confirm
      isOpen={membership !== undefined}
      onClose={onClose}
      title={labels.leaveAccountQuestion(name)}
      label={labels.leaveAccount}
      onConfirm={async () => {
        if (membership === undefined) return;
        await leaveAccount(membership);
        toast(labels.youLeft(name));
      }}
    >
      <p>{labels.youLoseAccessToImmediately(name)}</p>
      {membership?.roles.includes(SUPER_ADMINISTRATOR) === true && (
        <p>{labels.eachAccountNeedsASuper}</p>
      )}
    </Confirm>
  );
}
