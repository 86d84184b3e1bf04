import { PAINT } from '../../ui/chart/chart-colors.ts';

interface ShareBarProps {
  /** Of the greatest of its list: between 0 and 1. */
  share: number;
  /** Of all that is in no group of its own. */
  isRest: boolean;
}

/** How much one of a list has beside the others; the number stands beside it. */
export function ShareBar({ share, isRest }: ShareBarProps) {
  return (
    <svg aria-hidden className="block h-1.5 w-full max-w-48 rounded-full bg-sunken">
      <rect
        width={`${Math.min(1, share) * 100}%`}
        height="100%"
        fill={PAINT[isRest ? 'rest' : 1]}
      />
    </svg>
  );
}
