import { counted } from '../../lib/counted.ts';
import { labels } from './labels.ts';
import type { LogCount } from './use-log-list.ts';

// An estimate is not as exact as its digits.
const ESTIMATED_DIGITS = 2;

/** "3,207 logs", or of an estimate "About 3,200 logs". */
export function countWords({ total, isEstimated }: LogCount): string {
  if (!isEstimated) return counted(total, 'log');
  return labels.about(counted(Number(total.toPrecision(ESTIMATED_DIGITS)), 'log'));
}
