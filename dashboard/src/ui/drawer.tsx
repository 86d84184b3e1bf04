import { keepWhileComposing } from './composition.ts';
import { X } from './icons.tsx';
import { Dialog as Primitive } from 'radix-ui';
import type { KeyboardEventHandler, ReactNode } from 'react';
import { IconButton } from './button.tsx';
import { useFocusReturn } from './dialog.tsx';

interface DrawerProps {
  /** Told when the person closes it: Escape, a click beside it, the cross. */
  onClose: () => void;
  title: ReactNode;
  /** Below the title, always in sight. */
  lead?: ReactNode;
  /** In front of the cross. */
  actions?: ReactNode;
  onKeyDown?: KeyboardEventHandler;
  /** What it shows: with another one it begins at the top again. */
  contentKey?: string;
  children: ReactNode;
}

/**
 * A large dialog that comes from the right, for one thing of a list that stays in sight; on a narrow
 * screen it takes all of it. It keeps the focus and gives it back.
 */
export function Drawer(props: DrawerProps) {
  const { onClose, title, lead, actions, onKeyDown, contentKey, children } = props;
  const focus = useFocusReturn();
  return (
    <Primitive.Root open onOpenChange={(open) => !open && onClose()}>
      <Primitive.Portal>
        <Primitive.Overlay className="fixed inset-0 z-40 bg-scrim" />
        <Primitive.Content
          // What stands below the title is no description of it.
          aria-describedby={undefined}
          {...focus}
          onKeyDown={onKeyDown}
          onEscapeKeyDown={keepWhileComposing}
          className="slide-in-from-end fixed inset-y-0 right-0 z-40 flex w-full max-w-5xl flex-col border-l border-line bg-page shadow-float"
        >
          <header className="flex items-start gap-3 border-b border-line bg-surface px-4 py-3 sm:px-6">
            <div className="min-w-0 flex-1">
              <Primitive.Title className="text-lg leading-snug font-semibold wrap-anywhere">
                {title}
              </Primitive.Title>
              {lead}
            </div>
            <div className="flex shrink-0 items-center gap-1">
              {actions}
              <Primitive.Close asChild>
                <IconButton label="Close" icon={<X aria-hidden className="size-5" />} />
              </Primitive.Close>
            </div>
          </header>
          <div
            key={contentKey}
            className="min-h-0 flex-1 overflow-y-auto px-4 py-5 sm:px-6 sm:[scrollbar-gutter:stable]"
          >
            {children}
          </div>
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
