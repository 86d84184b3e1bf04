import { useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Building2, Plus } from 'lucide-react';
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
      title="Your accounts"
      lead="An account holds applications, tokens and people. You can belong to several, with other roles in each."
      actions={
        canCreate && (
          <Button
            look="primary"
            icon={<Plus aria-hidden className="size-4" />}
            onClick={() => setIsCreating(true)}
          >
            Create account
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
            caption="Accounts you belong to"
            columns={columnsOf(setLeft)}
            rows={accepted}
            keyOf={({ id }) => id}
          />
        )}
      </Card>
      {!canCreate && accepted.length > 0 && (
        <p className="text-sm text-muted">
          Another account can be created by a Super Administrator or Administrator of one of your
          accounts: ask one of them to create it and invite you.
        </p>
      )}
      <Leave membership={left} onClose={() => setLeft(undefined)} />
      <CreateAccount isOpen={isCreating} onClose={() => setIsCreating(false)} />
    </Page>
  );
}

function NoAccount({ hasInvitations }: { hasInvitations: boolean }) {
  return (
    <Empty icon={<Building2 />} title="You belong to no account yet">
      {hasInvitations
        ? 'Accept an invitation above to begin.'
        : 'Ask somebody who has an account to send an invitation to your address. It then appears here and in your mail.'}
    </Empty>
  );
}

function columnsOf(onLeave: (membership: Membership) => void): Column<Membership>[] {
  return [
    { title: 'Account', cell: ({ account }) => <AccountName account={account} /> },
    { title: 'Your roles', cell: ({ roles }) => roles.join(', ') },
    {
      title: 'Account ID',
      cell: ({ account }) => (
        <span className="inline-flex items-center gap-1">
          <code className="font-mono text-sm" title={account.id}>
            {account.id.slice(0, 8)}…
          </code>
          <CopyButton text={account.id} label={`Copy ID of ${account.name}`} />
        </span>
      ),
    },
    {
      title: 'Actions',
      isTitleHidden: true,
      isAtEnd: true,
      cell: (membership) => (
        <span className="inline-flex gap-2">
          <LinkButton
            isSmall
            to="/accounts/$accountId"
            params={{ accountId: membership.account.id }}
            aria-label={`Open ${membership.account.name}`}
          >
            Open
          </LinkButton>
          <Button
            isSmall
            look="quiet"
            aria-label={`Leave ${membership.account.name}`}
            onClick={() => onLeave(membership)}
          >
            Leave
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
      {rememberedAccount() === account.id && <Badge>Last open</Badge>}
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
      title={`Leave ${name}?`}
      label="Leave account"
      onConfirm={async () => {
        if (membership === undefined) return;
        await leaveAccount(membership);
        toast(`You have left ${name}.`);
      }}
    >
      <p>
        You lose access to {name} at once, with your own API tokens and the applications that act
        for you there. Only a new invitation brings you back.
      </p>
      {membership?.roles.includes(SUPER_ADMINISTRATOR) === true && (
        <p>
          An account must keep a Super Administrator. If you are the last one, give that role to
          another member first, or delete the account in its settings.
        </p>
      )}
    </Confirm>
  );
}
