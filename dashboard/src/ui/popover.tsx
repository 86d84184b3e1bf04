import { keepWhileComposing } from './composition.ts';
import { Popover as Primitive } from 'radix-ui';
import { type ReactNode, useRef } from 'react';
import { focusPage } from '../lib/focus-page.ts';

interface PopoverProps {
  isOpen: boolean;
  /** Told when the person closes it: Escape, a click beside it. */
  onClose: () => void;
  /** What it is for, told by screen readers: "Add a condition". */
  label: string;
  /** Where it appears; has the button that opens and closes it. */
  anchor: ReactNode;
  children: ReactNode;
}

/** A small form beside the button that opens it. It gives the focus back when it closes. */
export function Popover({ isOpen, onClose, label, anchor, children }: PopoverProps) {
  const place = useRef<HTMLDivElement>(null);
  return (
    <Primitive.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Primitive.Anchor ref={place} className="inline-flex max-w-full">
        {anchor}
      </Primitive.Anchor>
      <Primitive.Portal>
        <Primitive.Content
          aria-label={label}
          align="start"
          sideOffset={6}
          collisionPadding={12}
          onEscapeKeyDown={keepWhileComposing}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            const button = place.current?.querySelector('button');
            if (button?.disabled === false) button.focus();
            else focusPage();
          }}
          onInteractOutside={(event) => {
            // Its own button closes it by itself, and would open it again.
            if (place.current?.contains(event.target as Node) === true) event.preventDefault();
          }}
          className="float-in z-40 max-h-(--radix-popover-content-available-height) w-104 max-w-[calc(100vw-1.5rem)] overflow-y-auto rounded-xl border border-line bg-raised p-4 shadow-float"
        >
          {children}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
