import { clsx } from 'clsx';

/** How near something is to its limit. */
type MeterTone = 'good' | 'warning' | 'danger';

const FILLS: Readonly<Record<MeterTone, string>> = {
  good: 'fill-accent',
  warning: 'fill-warning',
  danger: 'fill-danger',
};

interface MeterProps {
  /** What is measured. */
  label: string;
  value: number;
  max: number;
  /** The value in words: "$4.20 of $5.00". */
  text: string;
  tone: MeterTone;
}

/** A bar that fills up: what is used of something that has an end. */
export function Meter({ label, value, max, text, tone }: MeterProps) {
  const share = Math.min(1, value / max);
  return (
    <svg
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={Math.min(value, max)}
      aria-valuetext={text}
      className="block h-2 w-full overflow-hidden rounded-full border border-edge bg-sunken"
    >
      {share > 0 && (
        // A little that is used is to be seen as well.
        <rect
          width={`${Math.max(share * 100, 0.75)}%`}
          height="100%"
          className={clsx(FILLS[tone], 'forced-colors:fill-[CanvasText]')}
        />
      )}
    </svg>
  );
}
