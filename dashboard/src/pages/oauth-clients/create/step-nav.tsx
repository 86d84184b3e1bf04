import { Link } from '@tanstack/react-router';
import { clsx } from 'clsx';
import { Check, TriangleAlert } from '../../../ui/icons.tsx';
import type { ReactNode } from 'react';
import { labels } from './labels.ts';
import { type StepId, steps } from './steps.ts';

interface StepNavProps {
  accountId: string;
  current: StepId;
  /** Steps that one has gone on from. */
  done: ReadonlySet<StepId>;
  /** Steps in which something is wrong, and is shown. */
  faulty: ReadonlySet<StepId>;
}

/** Where one is on the way, and how to get to another part of it. */
export function StepNav({ accountId, current, done, faulty }: StepNavProps) {
  return (
    <nav aria-label={labels.steps}>
      <ol className="grid grid-cols-4 gap-2 sm:grid-cols-[1fr_1.25fr_1fr_1fr]">
        {steps.map(({ id, title }, index) => (
          <li key={id} className="min-w-0">
            <Link
              to="/accounts/$accountId/oauth-clients/new"
              params={{ accountId }}
              search={{ step: id }}
              aria-current={id === current ? 'step' : undefined}
              className={clsx(
                'flex h-full flex-col gap-1 border-t-2 pt-2 text-sm sm:flex-row sm:items-center sm:gap-2',
                id === current ? 'border-accent font-semibold' : 'border-line hover:border-muted',
                id === current ? 'text-text' : 'text-muted hover:text-text',
              )}
            >
              <Mark isFaulty={faulty.has(id)} isDone={done.has(id)}>
                {index + 1}
              </Mark>
              <span className="max-sm:text-xs wrap-anywhere">{title}</span>
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  );
}

interface MarkProps {
  isFaulty: boolean;
  isDone: boolean;
  children: ReactNode;
}

function Mark({ isFaulty, isDone, children }: MarkProps) {
  if (isFaulty) {
    return (
      <span className="text-danger">
        <TriangleAlert aria-hidden className="size-5" />
        <span className="sr-only">{labels.invalidStep}</span>
      </span>
    );
  }
  return (
    <span
      className={clsx(
        'inline-flex size-5 shrink-0 items-center justify-center rounded-full border text-xs',
        isDone ? 'border-transparent bg-accent text-on-accent' : 'border-current',
      )}
    >
      {isDone ? <Check aria-hidden className="size-3" /> : children}
      {isDone && <span className="sr-only">{labels.doneStep}</span>}
    </span>
  );
}
