import { createHash } from 'node:crypto';
import { type ApiError, apiError } from '../../http/errors.ts';
import type { RequestFacts } from '../../http/route.ts';
import type { Transaction } from '../../storage/schema.ts';
import { iamErrors } from '../iam-errors.ts';
import type { IamServices } from '../iam-services.ts';
import { subscriberOf } from '../subscriber.ts';
import { foldEmail } from '../users/user-store.ts';
import {
  COUNTER_MS,
  type Counter,
  deleteCounter,
  lockCounter,
  readCounters,
  writeCounter,
} from './attempt-counters.ts';
import { findKnownDevice } from './known-device.ts';

/** Somebody who is about to show something that could be guessed. */
export interface Attempt {
  /** What is shown. Guesses at one kind do not use up those at another. */
  kind: 'password' | 'second_factor';
  /** As entered; it need be nobody's. */
  email: string;
  /** The person of that address, when there is one. */
  userId: string | undefined;
  request: RequestFacts;
  /** The session that the attempt comes from, if it does: it makes its browser a known one. */
  sessionId?: string;
}

/** An attempt that was let through, and counted as if it had failed already. */
export interface Admission {
  /** The counter that is the browser's and the person's alone. */
  own: string;
  /** Those that it has in common with others, and until when this attempt has blocked them. */
  shared: ReadonlyMap<string, number>;
}

/** How many failures are free, and how long the next attempt waits after each further one. */
interface Limit {
  freeFailures: number;
  /** @param excess 0 after the last failure that is free, 1 after the next one */
  blockMs(excess: number): number;
  /** Whether the count lasts an hour from its beginning, or until an hour has passed quietly. */
  counts: 'hourly' | 'until-quiet';
}

const FIRST_BLOCK_MS = 1_000;
const LONGEST_BLOCK_MS = 15 * 60_000;

function doubling(freeFailures: number): Limit {
  const blockMs = (excess: number): number =>
    Math.min(LONGEST_BLOCK_MS, FIRST_BLOCK_MS * 2 ** excess);
  return { freeFailures, blockMs, counts: 'until-quiet' };
}

// What one person mistypes, and what an office behind one address does.
const OWN = doubling(5);
const ADDRESS = doubling(20);

/**
 * Guesses at one person from everywhere together. The second factor has a million values and a few of
 * them are right: at that rate, half a percent a day, for who knows the password.
 */
const ACCOUNT: Readonly<Record<Attempt['kind'], Limit>> = {
  password: { freeFailures: 50, blockMs: () => 10_000, counts: 'hourly' },
  second_factor: { freeFailures: 20, blockMs: () => 60_000, counts: 'hourly' },
};

/** Asking for mail is no guess, and there is no success that would give it back. */
const MAIL_REQUESTS = doubling(20);
const MAX_MAILS_PER_HOUR = 5;

type LimitServices = Pick<IamServices, 'database' | 'clock' | 'cookies'>;

/**
 * Lets an attempt through and counts it as a failure, before anybody looks whether it is one: so of
 * many at once, no more get through than one after the other. {@link forgiveAttempt} takes it back.
 *
 * Guesses are counted for the address they come from, for the person, and for both together. Whoever
 * guesses at somebody could thus keep that person out; therefore a browser with which the person has
 * signed in before, or is signed in, has a counter of its own, and the others do not concern it.
 * @throws ApiError 3041 with the time to wait; such an attempt is not counted
 */
export async function admitAttempt(services: LimitServices, attempt: Attempt): Promise<Admission> {
  const { own, limits } = await countersOf(services, attempt);
  const shared = await count(services, limits);
  shared.delete(own);
  return { own, shared };
}

/**
 * Takes the count of an attempt back that turned out right, with the failures that came before it from
 * the same browser or address for the same person: that was its owner, who mistyped.
 */
export async function forgiveAttempt(tx: Transaction, { own, shared }: Admission): Promise<void> {
  const [before] = await readCounters(tx, [own]);
  const forgiven = Math.max(1, before?.failures ?? 1);
  for (const name of [own, ...shared.keys()].sort()) {
    if (name === own) {
      await deleteCounter(tx, own);
      continue;
    }
    const counter = await lockCounter(tx, name);
    const isOurBlock = counter.blocked_until === shared.get(name);
    await writeCounter(tx, {
      ...counter,
      failures: Math.max(0, counter.failures - forgiven),
      blocked_until: isOurBlock ? 0 : counter.blocked_until,
    });
  }
}

/**
 * Counts a request for mail from an address.
 * @throws ApiError 3041 with the time to wait
 */
export async function admitMailRequest(services: LimitServices, ip: string): Promise<void> {
  await count(services, new Map([[`mail address ${subscriberOf(ip)}`, MAIL_REQUESTS]]));
}

/** Counts a mail to a person; false when there were five in the hour already. */
export async function mayMail(tx: Transaction, userId: string, nowMs: number): Promise<boolean> {
  const name = `mail account ${userId}`;
  const counter = begin(await lockCounter(tx, name), 'hourly', nowMs);
  if (counter.failures >= MAX_MAILS_PER_HOUR) return false;
  await writeCounter(tx, { ...counter, failures: counter.failures + 1, last_failed_at: nowMs });
  return true;
}

async function countersOf(
  { database, clock, cookies }: LimitServices,
  { kind, email, userId, request, sessionId }: Attempt,
): Promise<{ own: string; limits: ReadonlyMap<string, Limit> }> {
  // The same for whatever is entered, and nothing that names a person is stored.
  const account = createHash('sha256').update(foldEmail(email)).digest('base64url');
  const device = await findKnownDevice(database.read, cookies, userId ?? '', request, clock.now());
  const known = sessionId ?? device;
  if (known !== undefined) {
    const own = `${kind} browser ${account} ${known}`;
    return { own, limits: new Map([[own, OWN]]) };
  }
  const ip = subscriberOf(request.ip);
  const own = `${kind} pair ${account} ${ip}`;
  const limits = new Map([
    [own, OWN],
    [`${kind} address ${ip}`, ADDRESS],
    [`${kind} account ${account}`, ACCOUNT[kind]],
  ]);
  return { own, limits };
}

/**
 * Counts a failure under every name, or under none when one of them is blocked.
 * @returns until when each is blocked now
 */
async function count(
  { database, clock }: LimitServices,
  limits: ReadonlyMap<string, Limit>,
): Promise<Map<string, number>> {
  // Always in the same order, so that no two transactions wait for each other.
  const names = [...limits.keys()].sort();
  const nowMs = clock.now();
  // A flood of attempts that are refused costs no writes.
  refuseBlocked(await readCounters(database.read, names), nowMs);
  return database.transaction(async (tx) => {
    const counters: Counter[] = [];
    for (const name of names) counters.push(await lockCounter(tx, name));
    refuseBlocked(counters, nowMs);
    const blocks = new Map<string, number>();
    for (const counter of counters) {
      const counted = withFailure(counter, limits.get(counter.name) ?? OWN, nowMs);
      await writeCounter(tx, counted);
      blocks.set(counter.name, counted.blocked_until);
    }
    return blocks;
  });
}

function refuseBlocked(counters: readonly Counter[], nowMs: number): void {
  const waitsMs = counters
    .map((counter) => counter.blocked_until - nowMs)
    // There is no longer block: the clock was set back, and nothing lasts until the time comes again.
    .filter((waitMs) => waitMs <= LONGEST_BLOCK_MS);
  const waitMs = Math.max(0, ...waitsMs);
  if (waitMs > 0) throw tooManyAttempts(waitMs);
}

function tooManyAttempts(waitMs: number): ApiError {
  const seconds = Math.ceil(waitMs / 1_000);
  return apiError(iamErrors.tooManyAttempts, {
    message: `${iamErrors.tooManyAttempts.message}: try again in ${describeWait(seconds)}`,
    headers: { 'retry-after': String(seconds) },
  });
}

function describeWait(seconds: number): string {
  if (seconds < 60) return seconds === 1 ? '1 second' : `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? '1 minute' : `${minutes} minutes`;
}

/** The counter as it stands now: its hour may be over. */
function begin(counter: Counter, counts: Limit['counts'], nowMs: number): Counter {
  const sinceMs = counts === 'hourly' ? counter.counted_since : counter.last_failed_at;
  // Also when the clock was set back: then the time lies ahead.
  const isOver = nowMs < sinceMs || nowMs - sinceMs >= COUNTER_MS;
  return isOver ? { ...counter, failures: 0, counted_since: nowMs } : counter;
}

function withFailure(counter: Counter, limit: Limit, nowMs: number): Counter {
  const begun = begin(counter, limit.counts, nowMs);
  const failures = begun.failures + 1;
  const excess = failures - limit.freeFailures;
  return {
    ...begun,
    failures,
    last_failed_at: nowMs,
    blocked_until: excess < 0 ? 0 : nowMs + limit.blockMs(excess),
  };
}
