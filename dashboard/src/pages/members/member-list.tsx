import { useNavigate, useSearch } from '@tanstack/react-router';
import { UserPlus, Users } from '../../ui/icons.tsx';
import { useAccountOfPage } from '../../api/accounts.ts';
import { Button } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';
import { ReadOnly, Unseen } from '../role-needed.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { labels } from './labels.ts';
import { MemberSearch } from './member-search.tsx';
import { RolesTable } from './roles-table.tsx';

const PATH = '/accounts/$accountId/members';

/** The people of an account, what each may do, and who is invited. */
export function MemberList() {
  const access = useAccountOfPage();
  const { invite } = useSearch({ from: PATH });
  const navigate = useNavigate({ from: PATH });
  const mayChange = access.can('members.write');
  const open = (): void => void navigate({ search: (search) => ({ ...search, invite: 'yes' }) });
  const close = (): void =>
    void navigate({
      search: ({ invite: _invite, ...search }) => search,
      replace: true,
      // Who closes the dialog has done with what it shows.
      ignoreBlocker: true,
    });
  return (
    <Page
      title={labels.members}
      lead={labels.usersWithAccess}
      actions={
        mayChange && (
          <Button look="primary" icon={<UserPlus aria-hidden className="size-4" />} onClick={open}>
            {labels.inviteMember}
          </Button>
        )
      }
    >
      {access.can('members.read') ? (
        <>
          <ReadOnly access={access} permission="members.write" deed={labels.readOnlyAction} />
          <MemberSearch />
        </>
      ) : (
        <Unseen
          access={access}
          permission="members.read"
          icon={<Users />}
          what={labels.hiddenSubject}
        />
      )}
      <RolesTable />
      <InviteDialog isOpen={mayChange && invite === 'yes'} onClose={close} />
    </Page>
  );
}
