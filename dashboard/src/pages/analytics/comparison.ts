import { formatCount } from '../../lib/figures.ts';
import { labels } from './labels.ts';

/** How a figure has changed against the time before. */
export interface Comparison {
  words: string;
  direction: 'up' | 'down' | 'same';
  /** Good or bad only where that is beyond doubt. */
  tone: 'neutral' | 'good' | 'danger';
}

/** What more and less of something is called, and whether more of it is bad. */
export interface Words {
  up: string;
  down: string;
  isUpBad?: boolean;
  /** Below which part a change is none. */
  sameBelow?: number;
}

/** Of what there is much or little of. */
export const MORE: Words = { up: 'more', down: 'less' };

/** Of what is counted. */
export const FEWER: Words = { up: 'more', down: 'fewer' };

/** Of shares. */
export const HIGHER: Words = { up: 'higher', down: 'lower' };

/** Of times, which are told within five percent. */
export const SLOWER: Words = { up: 'slower', down: 'faster', isUpBad: true, sameBelow: 0.05 };

// Less than that is no change that anybody means.
const SAME = 0.005;
// Beyond it, people say how many times.
const MANY_TIMES = 3;

/** Compares amounts: "12% more". Undefined: there is nothing to compare. */
export function compareAmounts(
  now: number | null,
  before: number | null,
  words: Words,
): Comparison | undefined {
  if (now === null || before === null) return undefined;
  if (before === 0) {
    if (now === 0) return same('none in both periods');
    return { words: 'none in the previous period', direction: 'up', tone: 'neutral' };
  }
  const change = now / before - 1;
  if (Math.abs(change) < (words.sameBelow ?? SAME)) return same('about the same');
  if (change >= MANY_TIMES - 1) {
    const times = now / before;
    const written = formatCount(times < 10 ? Number(times.toFixed(1)) : Math.round(times));
    return changed(change, labels.timesAs(written, timesWord(words)), words);
  }
  return changed(change, `${wholePercent(change)}% ${change > 0 ? words.up : words.down}`, words);
}

function timesWord({ down }: Words): string {
  if (down === FEWER.down) return 'many';
  return down === SLOWER.down ? 'slow' : 'much';
}

/** Compares parts of a whole, in percentage points: "1.2 points higher". */
export function compareShares(
  now: number,
  before: number | null,
  words: Words,
): Comparison | undefined {
  if (before === null) return undefined;
  const points = (now - before) * 100;
  const written = Number(Math.abs(points).toFixed(1));
  if (written === 0) return same('about the same');
  const unit = written === 1 ? 'point' : 'points';
  return changed(points, `${written} ${unit} ${points > 0 ? words.up : words.down}`, words);
}

function same(words: string): Comparison {
  return { words, direction: 'same', tone: 'neutral' };
}

function changed(change: number, text: string, { isUpBad }: Words): Comparison {
  const isUp = change > 0;
  const direction = isUp ? 'up' : 'down';
  if (isUpBad === undefined) return { words: text, direction, tone: 'neutral' };
  return { words: text, direction, tone: isUp === isUpBad ? 'danger' : 'good' };
}

/** Never nought, which would be no change, nor a whole where something is left. */
function wholePercent(change: number): number {
  const percent = Math.round(Math.abs(change) * 100);
  if (change < 0 && change > -1) return Math.min(Math.max(percent, 1), 99);
  return Math.max(percent, 1);
}
