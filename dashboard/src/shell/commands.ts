import {
  AppWindow,
  Building2,
  CircleUser,
  History,
  KeyRound,
  LogOut,
  type Icon,
  Monitor,
  MonitorSmartphone,
  Moon,
  Plus,
  ShieldCheck,
  Sun,
  UserPlus,
} from '../ui/icons.tsx';
import type { Access, Permission } from '../api/accounts.ts';
import type { AccountPath, ProfilePath } from './navigation.ts';
import { setTheme } from './theme.ts';
import { signOut } from './user-menu.tsx';

/** Something that can be begun from anywhere in an account. */
interface Action {
  label: string;
  to: AccountPath;
  search?: Record<string, string>;
  icon: Icon;
  needs: Permission;
  words?: string;
}

const actions: readonly Action[] = [
  {
    label: 'Create OAuth client',
    to: '/accounts/$accountId/oauth-clients/new',
    icon: Plus,
    needs: 'oauth-clients.write',
    words: 'new application app register',
  },
  {
    label: 'Create API token',
    to: '/accounts/$accountId/tokens/new',
    icon: Plus,
    needs: 'api-tokens.write',
    words: 'new key credential',
  },
  {
    label: 'Create gateway',
    to: '/accounts/$accountId/ai-gateway/new-gateway',
    icon: Plus,
    needs: 'ai-gateway.write',
    words: 'new ai llm models proxy',
  },
  {
    label: 'Invite member',
    to: '/accounts/$accountId/members',
    search: { invite: 'yes' },
    icon: UserPlus,
    needs: 'members.write',
    words: 'new person user add',
  },
];

/** What the person may begin. */
export function actionsOf(access: Access): Action[] {
  return actions.filter(({ needs }) => access.can(needs));
}

interface ProfilePlace {
  label: string;
  to: ProfilePath;
  icon: Icon;
  words?: string;
}

/** The pages about the person, in the order of the sidebar. */
export const profilePlaces: readonly ProfilePlace[] = [
  { label: 'Profile', to: '/profile', icon: CircleUser, words: 'name email' },
  {
    label: 'Sign-in and security',
    to: '/profile/security',
    icon: ShieldCheck,
    words: 'password two-factor passkeys authenticator recovery codes',
  },
  { label: 'Sessions', to: '/profile/sessions', icon: MonitorSmartphone, words: 'devices' },
  {
    label: 'Authorized applications',
    to: '/profile/applications',
    icon: AppWindow,
    words: 'apps grants revoke',
  },
  { label: 'Your API tokens', to: '/profile/tokens', icon: KeyRound, words: 'personal keys' },
  { label: 'Your accounts', to: '/profile/accounts', icon: Building2, words: 'invitations leave' },
  { label: 'Your activity', to: '/profile/activity', icon: History, words: 'history log' },
];

/** Something that is done at once, on whatever page one is. */
interface Command {
  label: string;
  icon: Icon;
  words: string;
  run: () => void;
}

const COLOURS = 'theme appearance mode colors';

/** What anybody can do from anywhere. */
export const commands: readonly Command[] = [
  { label: 'Use light colors', icon: Sun, words: COLOURS, run: () => setTheme('light') },
  { label: 'Use dark colors', icon: Moon, words: `${COLOURS} night`, run: () => setTheme('dark') },
  {
    label: 'Use system colors',
    icon: Monitor,
    words: `${COLOURS} automatic`,
    run: () => setTheme('system'),
  },
  { label: 'Sign out', icon: LogOut, words: 'log out leave end', run: () => void signOut() },
];
