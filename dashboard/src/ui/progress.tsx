import { formatCount } from '../lib/figures.ts';

interface ProgressProps {
  /** What is under way: "Reading logs". */
  label: string;
  done: number;
  /** Undefined where nobody knows how many there are. */
  total: number | undefined;
}

/** How far something is that takes its time. */
export function Progress({ label, done, total }: ProgressProps) {
  return (
    <div className="space-y-1.5">
      <p className="text-sm text-muted tabular-nums">
        {label}: {formatCount(done)}
        {total !== undefined && ` of ${formatCount(Math.max(total, done))}`}
      </p>
      <ProgressBar
        label={label}
        {...(total !== undefined && { value: done, max: Math.max(total, done, 1) })}
      />
    </div>
  );
}

interface ProgressBarProps {
  /** Left out where the number stands beside it. */
  label?: string;
  value?: number;
  max?: number;
}

/** A bar that fills up; without a value it is at work and does not tell how far. */
export function ProgressBar({ label, ...rest }: ProgressBarProps) {
  return (
    <progress
      {...(label === undefined ? { 'aria-hidden': true } : { 'aria-label': label })}
      {...rest}
      className="block h-1.5 w-full appearance-none overflow-hidden rounded-full bg-line [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-accent"
    />
  );
}
