import { Type } from 'typebox';
import type { LogExtremes } from '../log-query.ts';
import { NANO_USD_PER_USD } from '../../lib/money.ts';

const NAMES = {
  cost: 'cost_nano_usd',
  duration: 'duration_ms',
  tokens_in: 'tokens_in',
  tokens_out: 'tokens_out',
  total_tokens: 'tokens',
} as const satisfies Record<string, keyof LogExtremes>;

type Name = keyof typeof NAMES;

const names = Object.keys(NAMES) as Name[];

const NullableNumber = Type.Optional(
  Type.Unsafe<number | null>({ type: ['number', 'null'], description: 'Null: unknown' }),
);

/** The extremes of all logs of a gateway in `result_info`, for filters. */
export const ExtremesInfo = Object.fromEntries(
  names.flatMap((name) => [
    [`min_${name}`, NullableNumber],
    [`max_${name}`, NullableNumber],
  ]),
);

export function presentExtremes(extremes: LogExtremes): Record<string, number | null> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const range = extremes[NAMES[name]];
      const unit = name === 'cost' ? NANO_USD_PER_USD : 1;
      return [
        [`min_${name}`, range === null ? null : range.min / unit],
        [`max_${name}`, range === null ? null : range.max / unit],
      ];
    }),
  );
}
