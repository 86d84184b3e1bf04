import { useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Building2, Check, ChevronsUpDown, Settings2 } from '../ui/icons.tsx';
import { membershipsQuery } from '../api/people.ts';
import { Menu, MenuItem, MenuLabel, MenuLine } from '../ui/menu.tsx';

/** Which account one is looking at, and the others; invitations that wait are behind it, too. */
export function AccountSwitcher({ accountId }: { accountId: string | undefined }) {
  const { data: memberships } = useSuspenseQuery(membershipsQuery);
  const navigate = useNavigate();
  const accounts = memberships
    .filter(({ status }) => status === 'accepted')
    .map(({ account }) => account);
  const pending = memberships.filter(({ status }) => status === 'pending').length;
  const current = accounts.find(({ id }) => id === accountId);
  return (
    <Menu
      align="start"
      trigger={
        <button
          type="button"
          className="flex w-full min-w-0 items-center gap-2.5 rounded-lg px-2.5 py-1.5 text-left hover:bg-hover"
        >
          <Building2 aria-hidden className="size-4.5 shrink-0 text-muted" />
          <span className="min-w-0 flex-1 truncate text-[0.9375rem] font-medium">
            <span className="sr-only">Account: </span>
            {current?.name ?? 'Choose an account'}
          </span>
          <ChevronsUpDown aria-hidden className="size-4 shrink-0 text-muted" />
        </button>
      }
    >
      <MenuLabel>Accounts</MenuLabel>
      {accounts.map(({ id, name }) => (
        <MenuItem
          key={id}
          onSelect={() => void navigate({ to: '/accounts/$accountId', params: { accountId: id } })}
        >
          <span className="min-w-0 flex-1 truncate">{name}</span>
          {id === accountId && <Check aria-label="shown now" />}
        </MenuItem>
      ))}
      <MenuLine />
      <MenuItem
        icon={<Settings2 aria-hidden />}
        onSelect={() => void navigate({ to: '/profile/accounts' })}
      >
        {pending === 0 ? 'Your accounts' : `Your accounts (${pending} invited)`}
      </MenuItem>
    </Menu>
  );
}
