import { Link, type LinkProps } from '@tanstack/react-router';
import { BookOpen, type Icon } from '../ui/icons.tsx';
import type { ReactNode } from 'react';
import { useAccess } from '../api/accounts.ts';
import { AccountSwitcher } from './account-switcher.tsx';
import { profilePlaces } from './commands.ts';
import { Logo } from './logo.tsx';
import { visibleGroups } from './navigation.ts';
import { SearchButton } from './palette-key.tsx';
import { UserMenu } from './user-menu.tsx';

interface SidebarProps {
  /** Undefined on the pages about the person. */
  accountId: string | undefined;
  onSearch: () => void;
}

/** The places of the account, or of the person, that one is looking at. */
export function Sidebar({ accountId, onSearch }: SidebarProps) {
  return (
    // All of it scrolls when the window is low or the text is large.
    <div className="flex h-full flex-col overflow-y-auto">
      <div className="space-y-2 p-3">
        <Logo />
        <AccountSwitcher accountId={accountId} />
        <SearchButton onClick={onSearch} />
      </div>
      <nav aria-label="Main" className="flex-1 space-y-5 px-3 py-2">
        {accountId === undefined ? <ProfilePlaces /> : <AccountPlaces accountId={accountId} />}
      </nav>
      <div className="border-t border-line p-3">
        <a href="/docs" className={PLACE}>
          <BookOpen aria-hidden className="size-4.5 shrink-0" />
          API reference
        </a>
        <UserMenu />
      </div>
    </div>
  );
}

const PLACE =
  'flex items-center gap-2.5 rounded-lg px-2.5 py-1.5 text-[0.9375rem] text-muted hover:bg-hover hover:text-text ' +
  'aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium aria-[current=page]:text-accent';

function PlaceLink({ icon: Icon, ...link }: LinkProps & { icon: Icon; children: ReactNode }) {
  const { children, ...rest } = link;
  return (
    <li>
      <Link {...rest} className={PLACE}>
        <Icon aria-hidden className="size-4.5 shrink-0" />
        {children}
      </Link>
    </li>
  );
}

function Group({ label, children }: { label?: string | undefined; children: ReactNode }) {
  return (
    <div>
      {label !== undefined && <p className="mb-1 px-2.5 text-xs font-medium text-muted">{label}</p>}
      <ul aria-label={label} className="space-y-0.5">
        {children}
      </ul>
    </div>
  );
}

function AccountPlaces({ accountId }: { accountId: string }) {
  const access = useAccess(accountId);
  if (access === undefined) return null;
  return visibleGroups(access).map(({ label, places }) => (
    <Group key={places[0]?.to} label={label}>
      {places.map(({ to, label: name, icon }) => (
        <PlaceLink
          key={to}
          to={to}
          params={{ accountId }}
          // The overview is the beginning of every other address.
          activeOptions={{ exact: to === '/accounts/$accountId', includeSearch: false }}
          icon={icon}
        >
          {name}
        </PlaceLink>
      ))}
    </Group>
  ));
}

function ProfilePlaces() {
  return (
    <Group label="You">
      {profilePlaces.map(({ to, label, icon }) => (
        <PlaceLink
          key={to}
          to={to}
          activeOptions={{ exact: to === '/profile', includeSearch: false }}
          icon={icon}
        >
          {label}
        </PlaceLink>
      ))}
    </Group>
  );
}
