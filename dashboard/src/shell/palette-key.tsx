import { Search } from '../ui/icons.tsx';
import { type ComponentType, type ReactNode, Suspense, useEffect, useState } from 'react';
import { isApple } from '../lib/apple.ts';
import { IconButton } from '../ui/button.tsx';
import { toast } from '../ui/toast.tsx';

interface PaletteProps {
  accountId: string | undefined;
  onClose: () => void;
}

interface Palette {
  open: () => void;
  /** The palette itself while it is open. */
  element: ReactNode;
}

/** The palette of commands, which is loaded when it is first opened. */
export function usePalette(accountId: string | undefined): Palette {
  const [isOpen, setIsOpen] = useState(false);
  const [loaded, setLoaded] = useState<{ component: ComponentType<PaletteProps> }>();
  const change = (shall: boolean): void => {
    setIsOpen(shall);
    if (!shall || loaded !== undefined) return;
    import('./command-palette.tsx').then(
      ({ CommandPalette }) => setLoaded({ component: CommandPalette }),
      () => {
        setIsOpen(false);
        // As after an update of the server: it no longer has what this page would load.
        toast({ tone: 'danger', text: 'The search could not be loaded. Reload the page.' });
      },
    );
  };
  usePaletteKey(() => change(!isOpen));
  useFocusReturn(isOpen);
  const Component = loaded?.component;
  return {
    open: () => change(true),
    element: isOpen && Component !== undefined && (
      <Suspense fallback={null}>
        <Component accountId={accountId} onClose={() => setIsOpen(false)} />
      </Suspense>
    ),
  };
}

/** Gives the focus back to where it was, when that is still there. */
function useFocusReturn(isOpen: boolean): void {
  useEffect(() => {
    if (!isOpen) return undefined;
    const before = document.activeElement;
    return () => {
      // The palette itself lets go of it only then.
      setTimeout(() => {
        const isLost = document.activeElement === document.body;
        if (isLost && before instanceof HTMLElement) before.focus();
      });
    };
  }, [isOpen]);
}

/** Opens the palette with ⌘K or Ctrl+K, wherever one is, and closes it again. */
function usePaletteKey(toggle: () => void): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      const isModified = isApple ? event.metaKey : event.ctrlKey;
      if (!isModified || event.key.toLowerCase() !== 'k') return;
      event.preventDefault();
      toggle();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  });
}

interface SearchButtonProps {
  isIcon?: boolean;
  onClick: () => void;
}

/** Opens the palette for who has no keyboard, or does not know its key. */
export function SearchButton({ isIcon = false, onClick }: SearchButtonProps) {
  const icon = <Search aria-hidden className="size-4.5 shrink-0" />;
  if (isIcon) return <IconButton label="Search" icon={icon} onClick={onClick} />;
  return (
    <button
      type="button"
      onClick={onClick}
      className="flex w-full items-center gap-2.5 rounded-lg border border-line bg-page px-2.5 py-1.5 text-[0.9375rem] text-muted hover:text-text"
    >
      {icon}
      <span className="flex-1 text-left">Search</span>
      <kbd aria-hidden className="font-sans text-xs max-lg:hidden">
        {isApple ? '⌘K' : 'Ctrl K'}
      </kbd>
    </button>
  );
}
