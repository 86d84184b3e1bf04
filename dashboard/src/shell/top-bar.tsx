import { useRouter } from '@tanstack/react-router';
import { Menu as MenuIcon } from '../ui/icons.tsx';
import { Dialog } from 'radix-ui';
import { useEffect, useRef, useState } from 'react';
import { IconButton } from '../ui/button.tsx';
import { AccountSwitcher } from './account-switcher.tsx';
import { Logo } from './logo.tsx';
import { SearchButton } from './palette-key.tsx';
import { Sidebar } from './sidebar.tsx';
import { UserMenu } from './user-menu.tsx';

interface BarProps {
  accountId: string | undefined;
  onSearch: () => void;
}

/** On narrow screens, where there is no room for the sidebar. */
export function TopBar({ accountId, onSearch }: BarProps) {
  return (
    <header className="sticky top-0 z-30 flex items-center gap-1 border-b border-line bg-surface px-2 py-1.5 lg:hidden">
      <Drawer accountId={accountId} onSearch={onSearch} />
      <div className="min-w-0 flex-1">
        {accountId === undefined ? <Logo /> : <AccountSwitcher accountId={accountId} />}
      </div>
      <SearchButton isIcon onClick={onSearch} />
      <UserMenu isCompact />
    </header>
  );
}

/** The sidebar, when it is asked for. */
function Drawer({ accountId, onSearch }: BarProps) {
  const [isOpen, setIsOpen] = useState(false);
  useClosing(() => setIsOpen(false), isOpen);
  const isSearching = useRef(false);
  const search = (): void => {
    isSearching.current = true;
    setIsOpen(false);
  };
  const searchOnceClosed = (): void => {
    if (isSearching.current) onSearch();
    isSearching.current = false;
  };
  return (
    <Dialog.Root open={isOpen} onOpenChange={setIsOpen}>
      <Dialog.Trigger asChild>
        <IconButton label="Menu" icon={<MenuIcon aria-hidden className="size-5" />} />
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 bg-scrim" />
        <Dialog.Content
          aria-describedby={undefined}
          // Only then is the focus where the search will give it back to.
          onCloseAutoFocus={searchOnceClosed}
          className="slide-in fixed inset-y-0 left-0 z-40 w-72 max-w-[85vw] border-r border-line bg-surface shadow-float"
        >
          <Dialog.Title className="sr-only">Menu</Dialog.Title>
          <Sidebar accountId={accountId} onSearch={search} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** As wide as where the sidebar is always there: `lg` in the styles. */
const WIDE = '(min-width: 64rem)';

/** When a link was followed, and when the window has room for the sidebar again. */
function useClosing(close: () => void, isOpen: boolean): void {
  const router = useRouter();
  useEffect(() => {
    if (!isOpen) return undefined;
    const stop = router.subscribe('onBeforeLoad', close);
    const wide = matchMedia(WIDE);
    wide.addEventListener('change', close);
    return () => {
      stop();
      wide.removeEventListener('change', close);
    };
  });
}
