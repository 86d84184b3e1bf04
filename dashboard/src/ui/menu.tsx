import { clsx } from 'clsx';
import { Ellipsis } from './icons.tsx';
import { DropdownMenu } from 'radix-ui';
import type { ReactNode } from 'react';

interface MenuProps {
  /** One button, which opens it. */
  trigger: ReactNode;
  align?: 'start' | 'end';
  children: ReactNode;
}

/** Actions that appear below a button. */
export function Menu({ trigger, align = 'end', children }: MenuProps) {
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align={align}
          sideOffset={4}
          collisionPadding={8}
          className="float-in z-50 max-h-(--radix-dropdown-menu-content-available-height) max-w-80 min-w-48 overflow-y-auto rounded-lg border border-line bg-raised p-1 shadow-float"
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

interface MenuItemProps {
  icon?: ReactNode;
  isDangerous?: boolean;
  disabled?: boolean;
  /** With one, `children` is a single link, and takes its place. */
  asChild?: boolean;
  onSelect?: () => void;
  children: ReactNode;
}

/** One thing to do. */
export function MenuItem({
  icon,
  isDangerous,
  disabled,
  asChild,
  onSelect,
  children,
}: MenuItemProps) {
  return (
    <DropdownMenu.Item
      {...(disabled !== undefined && { disabled })}
      {...(asChild !== undefined && { asChild })}
      onSelect={() => onSelect?.()}
      className={clsx(
        'flex cursor-pointer items-center gap-2.5 rounded-md px-2.5 py-2 text-[0.9375rem] outline-none select-none data-disabled:cursor-default data-disabled:opacity-50 data-highlighted:bg-hover [&_svg]:size-4 [&_svg]:shrink-0',
        isDangerous === true ? 'text-danger' : 'text-text',
      )}
    >
      {asChild === true ? (
        children
      ) : (
        <>
          {icon}
          {children}
        </>
      )}
    </DropdownMenu.Item>
  );
}

/** Sets apart what comes after it. */
export function MenuLine() {
  return <DropdownMenu.Separator className="my-1 h-px bg-line" />;
}

/** What the items below it are about. */
export function MenuLabel({ children }: { children: ReactNode }) {
  return (
    <DropdownMenu.Label className="px-2.5 py-1.5 text-xs wrap-anywhere text-muted">
      {children}
    </DropdownMenu.Label>
  );
}

/** Three dots at the end of a row: what can be done with it. */
export function RowMenu({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Menu
      trigger={
        <button
          type="button"
          aria-label={label}
          className="inline-flex size-8 items-center justify-center rounded-lg text-muted hover:bg-hover hover:text-text"
        >
          <Ellipsis aria-hidden className="size-4" />
        </button>
      }
    >
      {children}
    </Menu>
  );
}
