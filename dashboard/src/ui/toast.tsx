import { clsx } from 'clsx';
import { CircleAlert, CircleCheck, X } from './icons.tsx';
import { Toast } from 'radix-ui';
import { useSyncExternalStore } from 'react';
import { IconButton } from './button.tsx';

interface Message {
  id: number;
  tone: 'good' | 'danger';
  text: string;
}

const SHOWN_MS = 5_000;
// What failed should be read in peace.
const FAILURE_SHOWN_MS = 12_000;
const MOST_MESSAGES = 4;

let messages: readonly Message[] = [];
let nextId = 1;
const listeners = new Set<() => void>();

function set(next: readonly Message[]): void {
  messages = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Says briefly that something is done, or that something in the background has failed. */
export function toast(message: string | { tone: Message['tone']; text: string }): void {
  const told = typeof message === 'string' ? { tone: 'good' as const, text: message } : message;
  set([...messages, { ...told, id: nextId++ }].slice(-MOST_MESSAGES));
}

/** Where the messages appear; once in the application. */
export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => messages);
  return (
    <Toast.Provider label="Message" swipeDirection="right">
      {shown.map(({ id, tone, text }) => (
        <Toast.Root
          key={id}
          type={tone === 'danger' ? 'foreground' : 'background'}
          duration={tone === 'danger' ? FAILURE_SHOWN_MS : SHOWN_MS}
          onOpenChange={(open) => !open && set(messages.filter((other) => other.id !== id))}
          className="pointer-events-auto float-in flex items-center gap-3 rounded-lg border border-line bg-raised py-2 pr-2 pl-3.5 shadow-float"
        >
          <Icon tone={tone} />
          <Toast.Description className="min-w-0 flex-1 text-[0.9375rem] wrap-anywhere">
            {text}
          </Toast.Description>
          <Toast.Close asChild>
            <IconButton label="Dismiss" icon={<X aria-hidden className="size-4" />} />
          </Toast.Close>
        </Toast.Root>
      ))}
      <Toast.Viewport className="fixed right-0 bottom-0 z-60 flex max-h-svh w-full max-w-md flex-col gap-2 overflow-y-auto p-4 outline-none" />
    </Toast.Provider>
  );
}

function Icon({ tone }: Pick<Message, 'tone'>) {
  const Shape = tone === 'good' ? CircleCheck : CircleAlert;
  return (
    <Shape
      aria-hidden
      className={clsx('size-5 shrink-0', tone === 'good' ? 'text-accent' : 'text-danger')}
    />
  );
}
