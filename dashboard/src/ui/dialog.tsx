import { clsx } from 'clsx';
import { X } from './icons.tsx';
import { Dialog as Primitive } from 'radix-ui';
import { type ReactNode, useCallback, useRef, useState } from 'react';
import { focusPage } from '../lib/focus-page.ts';
import { Button, IconButton } from './button.tsx';
import { isComposing } from './composition.ts';
import { UnsavedInput } from './unsaved-input.ts';

interface DialogProps {
  isOpen: boolean;
  /** Told when the person closes it: Escape, a click beside it, the cross. */
  onClose: () => void;
  title: ReactNode;
  lead?: ReactNode;
  /** Keeps it open whatever the person does, while something must not be lost. */
  isHeld?: boolean;
  isWide?: boolean;
  /** Comes over whatever else is open. */
  isAbove?: boolean;
  /** Lets nothing be seen of what lies under it. */
  isCovering?: boolean;
  children?: ReactNode;
}

/**
 * Asks for something before the page goes on. It keeps the focus and gives it back. With unsaved input of a form, it asks
 * before Escape, a click beside it or the cross closes it.
 */
export function Dialog(props: DialogProps) {
  const unsaved = useRef(new Set<object>());
  const [isAsking, setIsAsking] = useState(false);
  const report = useCallback((form: object, isUnsaved: boolean): void => {
    if (isUnsaved) unsaved.current.add(form);
    else unsaved.current.delete(form);
  }, []);
  const { isOpen, onClose } = props;
  return (
    <>
      <UnsavedInput value={report}>
        <Window
          {...props}
          onClose={() => (unsaved.current.size > 0 ? setIsAsking(true) : onClose())}
        />
      </UnsavedInput>
      {isOpen && isAsking && (
        <LeaveQuestion
          isOpen
          title="Close without saving?"
          lead="Your input in this dialog is not saved."
          onLeave={() => {
            setIsAsking(false);
            onClose();
          }}
          onStay={() => setIsAsking(false)}
        />
      )}
    </>
  );
}

interface LeaveQuestionProps {
  isOpen: boolean;
  title: string;
  /** What is lost. */
  lead: string;
  onLeave: () => void;
  onStay: () => void;
}

/** Asks whether unsaved input may be lost. */
export function LeaveQuestion({ isOpen, title, lead, onLeave, onStay }: LeaveQuestionProps) {
  return (
    <Window isOpen={isOpen} isAbove onClose={onStay} title={title} lead={lead}>
      <Actions>
        <Button onClick={onStay}>Stay</Button>
        <Button look="danger" onClick={onLeave}>
          Leave
        </Button>
      </Actions>
    </Window>
  );
}

function Window({
  isOpen,
  onClose,
  title,
  lead,
  isHeld,
  isWide,
  isAbove,
  isCovering,
  children,
}: DialogProps) {
  const hold = (event: Event): void => {
    // Escape ends the composition of an input method, not the dialog.
    const isOfInputMethod = event instanceof KeyboardEvent && isComposing(event);
    if (isHeld === true || isOfInputMethod) event.preventDefault();
  };
  const focus = useFocusReturn();
  return (
    <Primitive.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Primitive.Portal>
        <Primitive.Overlay
          className={clsx(
            'fixed inset-0 grid overflow-y-auto p-3 sm:place-items-center sm:p-6',
            isCovering === true ? 'bg-page' : 'bg-scrim',
            isAbove === true ? 'z-55' : 'z-40',
          )}
        >
          <Primitive.Content
            // Without a lead there is nothing that describes it.
            {...(lead === undefined && { 'aria-describedby': undefined })}
            {...focus}
            onEscapeKeyDown={hold}
            onInteractOutside={hold}
            onPointerDownOutside={keepForScrollbar}
            className={clsx(
              'float-in relative my-auto w-full min-w-0 rounded-xl border border-line bg-surface p-5 shadow-float sm:p-6',
              isWide === true ? 'max-w-3xl' : 'max-w-lg',
            )}
          >
            <Primitive.Title className="pr-10 text-lg leading-snug font-semibold wrap-anywhere">
              {title}
            </Primitive.Title>
            {lead !== undefined && (
              <Primitive.Description className="mt-1.5 text-[0.9375rem] text-muted">
                {lead}
              </Primitive.Description>
            )}
            <div className="mt-4">{children}</div>
            {isHeld !== true && (
              <Primitive.Close asChild>
                <IconButton
                  label="Close"
                  icon={<X aria-hidden className="size-5" />}
                  className="absolute top-3 right-3"
                />
              </Primitive.Close>
            )}
          </Primitive.Content>
        </Primitive.Overlay>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

/** The scrollbar of what lies around a high dialog belongs to the dialog. */
function keepForScrollbar(event: CustomEvent<{ originalEvent: PointerEvent }>): void {
  const { target, offsetX } = event.detail.originalEvent;
  if (target instanceof HTMLElement && offsetX > target.clientWidth) event.preventDefault();
}

/** Gives the focus back to where it was; to the page when that is gone, as with a deleted row. */
export function useFocusReturn() {
  const before = useRef<Element | null>(null);
  return {
    onOpenAutoFocus: () => {
      const { activeElement } = document;
      // A menu goes away with its items: its button stays.
      const button = activeElement?.closest('[role=menu]')?.getAttribute('aria-labelledby');
      before.current = button ? document.getElementById(button) : activeElement;
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      const { current } = before;
      if (current instanceof HTMLElement && current.isConnected) current.focus();
      else focusPage();
    },
  };
}

/** The buttons at the end of a dialog or a form, the main one last. */
export function Actions({ children }: { children: ReactNode }) {
  return (
    <div className="mt-6 flex flex-col-reverse gap-2 sm:flex-row sm:flex-wrap sm:justify-end">
      {children}
    </div>
  );
}
