import { clsx } from 'clsx';
import type { ReactNode } from 'react';

export type Tone = 'neutral' | 'good' | 'info' | 'warning' | 'danger';

const TONES: Readonly<Record<Tone, string>> = {
  neutral: 'border-line bg-sunken text-muted',
  good: 'border-accent-line bg-accent-soft text-accent',
  info: 'border-info-line bg-info-soft text-info',
  warning: 'border-warning-line bg-warning-soft text-warning',
  danger: 'border-danger-line bg-danger-soft text-danger',
};

/** The state of a thing in a word or two. */
export function Badge({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span
      className={clsx(
        'inline-flex items-center gap-1 rounded-full border px-2 py-px text-xs font-medium whitespace-nowrap',
        TONES[tone],
      )}
    >
      {children}
    </span>
  );
}

interface CalloutProps {
  tone?: Tone;
  title?: ReactNode;
  /** Told at once by screen readers, for what comes while somebody looks on. */
  isAlert?: boolean;
  actions?: ReactNode;
  children?: ReactNode;
}

/** Something that whoever reads the page should not miss. */
export function Callout({ tone = 'info', title, isAlert, actions, children }: CalloutProps) {
  return (
    <div
      role={isAlert === true ? 'alert' : undefined}
      className={clsx('rounded-lg border px-4 py-3 text-[0.9375rem] wrap-anywhere', TONES[tone])}
    >
      {title !== undefined && <p className="font-semibold">{title}</p>}
      {children !== undefined && (
        <div className={clsx('text-text', title !== undefined && 'mt-1')}>{children}</div>
      )}
      {actions !== undefined && <div className="mt-3 flex flex-wrap gap-2">{actions}</div>}
    </div>
  );
}
