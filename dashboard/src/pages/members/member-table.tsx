import { useSuspenseQuery } from '@tanstack/react-query';
import { MailPlus, Pencil, UserMinus } from '../../ui/icons.tsx';
import { useAccountOfPage } from '../../api/accounts.ts';
import type { Member } from '../../api/members.ts';
import { userQuery } from '../../api/people.ts';
import { Badge } from '../../ui/badge.tsx';
import { MenuItem, MenuLine, RowMenu } from '../../ui/menu.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { labels } from './labels.ts';
import { nameOf, stateOf } from './member-words.ts';

/** What can be done with a member. */
export type Deed = 'roles' | 'renew' | 'remove';

interface MemberTableProps {
  members: readonly Member[];
  onDeed: (deed: Deed, member: Member) => void;
}

/** Members with what each may do, and what can be done about it. */
export function MemberTable({ members, onDeed }: MemberTableProps) {
  const access = useAccountOfPage();
  const { data: self } = useSuspenseQuery(userQuery);
  const columns = columnsOf(self.id, access.can('members.write') ? onDeed : undefined);
  return <Table caption={labels.members} columns={columns} rows={members} keyOf={({ id }) => id} />;
}

/** @param onDeed nothing for who may only look */
function columnsOf(
  selfId: string,
  onDeed: MemberTableProps['onDeed'] | undefined,
): Column<Member>[] {
  const columns: Column<Member>[] = [
    {
      title: labels.person,
      cell: (member) => <Person member={member} isSelf={member.user.id === selfId} />,
    },
    { title: labels.roles, cell: ({ roles }) => roles.map(({ name }) => name).join(', ') },
    { title: labels.status, cell: (member) => <Status member={member} /> },
    { title: labels.secondFactor, cell: (member) => <SecondFactor member={member} /> },
  ];
  if (onDeed === undefined) return columns;
  const menu: Column<Member> = {
    title: labels.actions,
    isTitleHidden: true,
    isAtEnd: true,
    cell: (member) => (
      <MemberMenu
        member={member}
        isSelf={member.user.id === selfId}
        onDeed={(deed) => onDeed(deed, member)}
      />
    ),
  };
  return [...columns, menu];
}

function Person({ member, isSelf }: { member: Member; isSelf: boolean }) {
  const name = nameOf(member);
  return (
    <span className="block pr-10 md:pr-0">
      <span className="font-medium">{name}</span>
      {isSelf && <span className="text-muted"> {labels.you}</span>}
      {name !== member.email && (
        <span className="block text-sm font-normal text-muted">{member.email}</span>
      )}
    </span>
  );
}

function Status({ member }: { member: Member }) {
  const { invitation_expires_on: end } = member;
  switch (stateOf(member)) {
    case 'locked':
      return <Badge tone="danger">{labels.locked}</Badge>;
    case 'accepted':
      return labels.active;
    case 'expired':
      return <Badge tone="warning">{labels.invitationExpired}</Badge>;
    case 'revoked':
      return <Badge tone="warning">{labels.linkRevoked}</Badge>;
    case 'invited':
      return (
        <span className="inline-flex flex-col items-start gap-0.5">
          <Badge tone="info">{labels.invitedStatus}</Badge>
          {end !== undefined && (
            <span className="text-sm whitespace-nowrap text-muted">
              expires <Time value={end} />
            </span>
          )}
        </span>
      );
  }
}

function SecondFactor({ member: { status, user } }: { member: Member }) {
  if (status === 'pending')
    return <span className="whitespace-nowrap text-muted">{labels.unknown}</span>;
  return user.two_factor_authentication_enabled ? (
    labels.on
  ) : (
    <span className="text-muted">{labels.off}</span>
  );
}

interface MemberMenuProps {
  member: Member;
  isSelf: boolean;
  onDeed: (deed: Deed) => void;
}

function MemberMenu({ member, isSelf, onDeed }: MemberMenuProps) {
  const isPending = member.status === 'pending';
  const removal = isSelf ? labels.leaveAccount : labels.remove;
  return (
    <RowMenu label={labels.actionsFor(nameOf(member))}>
      <MenuItem icon={<Pencil aria-hidden />} onSelect={() => onDeed('roles')}>
        {labels.changeRoles}
      </MenuItem>
      {isPending && (
        <MenuItem icon={<MailPlus aria-hidden />} onSelect={() => onDeed('renew')}>
          {labels.renewInvitation}
        </MenuItem>
      )}
      <MenuLine />
      <MenuItem icon={<UserMinus aria-hidden />} isDangerous onSelect={() => onDeed('remove')}>
        {isPending ? labels.withdrawInvitation : removal}
      </MenuItem>
    </RowMenu>
  );
}
