import { clsx } from 'clsx';
import { X } from './icons.tsx';
import type { ReactNode } from 'react';

interface ChipProps {
  /** The whole of it in words, for the button that takes it away: "model is gpt-4o". */
  name: string;
  /** Opens it to change it; left out where it can only be taken away. */
  onEdit?: () => void;
  onRemove: () => void;
  /** It cannot hold as it is. */
  isFaulty?: boolean;
  children: ReactNode;
}

/** One condition among several that narrow a list. */
export function Chip({ name, onEdit, onRemove, isFaulty = false, children }: ChipProps) {
  return (
    <span
      className={clsx(
        'inline-flex max-w-full items-center rounded-full border text-sm text-text',
        isFaulty ? 'border-danger-line bg-danger-soft' : 'border-accent-line bg-accent-soft',
      )}
    >
      {onEdit === undefined ? (
        <span className="min-w-0 truncate py-1 pl-3">{children}</span>
      ) : (
        <button
          type="button"
          onClick={onEdit}
          className="min-w-0 truncate rounded-l-full py-1 pl-3 hover:underline"
        >
          {children}
        </button>
      )}
      <button
        type="button"
        aria-label={`Remove: ${name}`}
        onClick={onRemove}
        className="m-0.5 grid size-6 shrink-0 place-items-center rounded-full text-muted hover:bg-hover hover:text-text"
      >
        <X aria-hidden className="size-3.5" />
      </button>
    </span>
  );
}
