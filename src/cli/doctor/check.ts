import type { Settings } from '../../config/settings.ts';
import type { Db } from '../../storage/schema.ts';

/** How much one thing is as it should be. */
export type Verdict = 'ok' | 'warning' | 'fault';

/** What a check has found out about one thing. */
export interface Finding {
  verdict: Verdict;
  /** What was found, in a line. */
  message: string;
  /** What to do about it. */
  advice?: string;
}

/** What checks look at. None of them changes anything. */
export interface Surroundings {
  settings: Settings;
  /** The database; undefined where the embedded one was not made yet. Throws where it cannot be opened. */
  readonly db: Db | undefined;
  /** Of requests to others: they are cut off when the check has had its time. */
  signal: AbortSignal;
}

/** Looks at one thing, in bounded time. What it throws is a fault. */
export interface Check {
  /** What it looks at, in a word or two. */
  name: string;
  run(surroundings: Surroundings): Finding[] | Promise<Finding[]>;
}

export const ok = (message: string): Finding => ({ verdict: 'ok', message });

export const warning = (message: string, advice: string): Finding => ({
  verdict: 'warning',
  message,
  advice,
});

export const fault = (message: string, advice: string): Finding => ({
  verdict: 'fault',
  message,
  advice,
});
