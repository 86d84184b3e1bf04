import { clsx } from 'clsx';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { CircleUser, LogOut, Monitor, Moon, ShieldCheck, Sun } from '../ui/icons.tsx';
import { plainApi } from '../api/client.ts';
import { ApiFailure, describeFailure } from '../api/failure.ts';
import { userQuery } from '../api/people.ts';
import { personName } from '../lib/person-name.ts';
import { presence } from '../session/presence.ts';
import { Menu, MenuItem, MenuLabel, MenuLine } from '../ui/menu.tsx';
import { toast } from '../ui/toast.tsx';
import { type Theme, setTheme, useTheme } from './theme.ts';

/** Ends the session, here and in the other tabs. */
export async function signOut(): Promise<void> {
  presence.isSigningOut = true;
  try {
    const path = { session_id: 'current' };
    await plainApi.DELETE('/user/sessions/{session_id}', { params: { path } });
  } catch (error) {
    // Who has no session any more is signed out.
    if (!(error instanceof ApiFailure && error.status === 401)) {
      presence.isSigningOut = false;
      toast({ tone: 'danger', text: describeFailure(error) });
      return;
    }
  }
  location.assign('/login');
}

const THEMES: readonly { theme: Theme; label: string; icon: typeof Sun }[] = [
  { theme: 'light', label: 'Light', icon: Sun },
  { theme: 'dark', label: 'Dark', icon: Moon },
  { theme: 'system', label: 'System', icon: Monitor },
];

/** Who is signed in, and what concerns that person. */
export function UserMenu({ isCompact = false }: { isCompact?: boolean }) {
  const { data: user } = useSuspenseQuery(userQuery);
  const navigate = useNavigate();
  const theme = useTheme();
  return (
    <Menu
      align={isCompact ? 'end' : 'start'}
      trigger={
        <button
          type="button"
          aria-label={isCompact ? `You: ${user.email}` : undefined}
          className={clsx(
            'flex min-w-0 items-center gap-2.5 rounded-lg text-left text-[0.9375rem] text-muted hover:bg-hover hover:text-text',
            isCompact ? 'size-9 justify-center' : 'w-full px-2.5 py-1.5',
          )}
        >
          <CircleUser aria-hidden className="size-4.5 shrink-0" />
          {!isCompact && <span className="truncate">{personName(user) || user.email}</span>}
        </button>
      }
    >
      <MenuLabel>{user.email}</MenuLabel>
      <MenuItem
        icon={<CircleUser aria-hidden />}
        onSelect={() => void navigate({ to: '/profile' })}
      >
        Profile
      </MenuItem>
      <MenuItem
        icon={<ShieldCheck aria-hidden />}
        onSelect={() => void navigate({ to: '/profile/security' })}
      >
        Sign-in and security
      </MenuItem>
      <MenuLine />
      <MenuLabel>Colors</MenuLabel>
      {THEMES.map(({ theme: other, label, icon: Icon }) => (
        <MenuItem key={other} icon={<Icon aria-hidden />} onSelect={() => setTheme(other)}>
          {label}
          {other === theme && <span className="ml-auto text-sm text-muted">selected</span>}
        </MenuItem>
      ))}
      <MenuLine />
      <MenuItem icon={<LogOut aria-hidden />} onSelect={() => void signOut()}>
        Sign out
      </MenuItem>
    </Menu>
  );
}
