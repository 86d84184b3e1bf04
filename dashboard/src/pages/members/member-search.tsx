import { useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { SUPER_ADMINISTRATOR, useAccountOfPage } from '../../api/accounts.ts';
import { type Member, membersQuery } from '../../api/members.ts';
import { userQuery } from '../../api/people.ts';
import { counted } from '../../lib/counted.ts';
import { Button } from '../../ui/button.tsx';
import { SearchInput, Select } from '../../ui/field.tsx';
import { Card } from '../../ui/page.tsx';
import { Pager } from '../../ui/pager.tsx';
import { Empty } from '../../ui/states.tsx';
import { labels } from './labels.ts';
import { type Deed, MemberTable } from './member-table.tsx';
import { type MemberFilter, findMembers, memberFilterOf, memberFilters } from './member-words.ts';
import { RemoveMember } from './remove-member.tsx';
import { RenewInvitation } from './renew-invitation.tsx';
import { RolesDialog } from './roles-dialog.tsx';

const PATH = '/accounts/$accountId/members';
const MEMBERS_PER_PAGE = 50;

/** The members, to search and to leaf through, with the dialogs about one of them. */
export function MemberSearch() {
  const { accountId } = useAccountOfPage();
  const { data: members } = useSuspenseQuery(membersQuery(accountId));
  const filter = memberFilterOf(useSearch({ from: PATH }).show);
  const navigate = useNavigate({ from: PATH });
  const [search, setSearch] = useState('');
  const [asked, setAsked] = useState<{ deed: Deed; member: Member }>();
  const [turned, setTurned] = useState(1);
  const field = useRef<HTMLInputElement>(null);
  const found = findMembers(members, search, filter);
  const pageCount = Math.ceil(found.length / MEMBERS_PER_PAGE);
  // The last page goes away with the last member on it.
  const page = Math.max(1, Math.min(turned, pageCount));
  const shown = found.slice((page - 1) * MEMBERS_PER_PAGE, page * MEMBERS_PER_PAGE);
  const choose = (show: MemberFilter): void => {
    setTurned(1);
    void navigate({ search: show === 'all' ? {} : { show }, replace: true });
  };
  const showAll = (): void => {
    setSearch('');
    choose('all');
    field.current?.focus();
  };
  return (
    <div className="space-y-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <SearchInput
          ref={field}
          label={labels.searchByNameOrEmail}
          value={search}
          onChange={(event) => {
            setSearch(event.target.value);
            setTurned(1);
          }}
        />
        <Select
          aria-label={labels.show}
          className="w-full sm:w-52"
          value={filter}
          onChange={(event) => choose(memberFilterOf(event.target.value))}
        >
          {Object.entries(memberFilters).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
      </div>
      <Card isFlush>
        {found.length === 0 ? (
          <Empty
            title={labels.noMembersFound}
            actions={<Button onClick={showAll}>{labels.showAllMembers}</Button>}
          />
        ) : (
          <MemberTable members={shown} onDeed={(deed, member) => setAsked({ deed, member })} />
        )}
      </Card>
      <Pager
        page={page}
        totalPages={pageCount}
        count={counted(found.length, 'user', 'users')}
        onPage={setTurned}
      />
      {asked !== undefined && (
        <MemberDialog {...asked} members={members} onClose={() => setAsked(undefined)} />
      )}
    </div>
  );
}

interface MemberDialogProps {
  deed: Deed;
  member: Member;
  members: readonly Member[];
  onClose: () => void;
}

/** Asks about one member. */
function MemberDialog({ deed, member, members, onClose }: MemberDialogProps) {
  const { data: self } = useSuspenseQuery(userQuery);
  if (deed === 'renew') return <RenewInvitation member={member} onClose={onClose} />;
  const deciders = members.filter(
    ({ status, roles }) =>
      status === 'accepted' && roles.some(({ name }) => name === SUPER_ADMINISTRATOR),
  );
  const props = {
    member,
    isSelf: member.user.id === self.id,
    isLastSuperAdministrator: deciders.length === 1 && deciders[0]?.id === member.id,
    onClose,
  };
  return deed === 'roles' ? <RolesDialog {...props} /> : <RemoveMember {...props} />;
}
