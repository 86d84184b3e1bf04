import { createHash } from 'node:crypto';
import { ApiError, apiError } from '../../http/errors.ts';
import type { RequestFacts } from '../../http/route.ts';
import type { Transaction } from '../../storage/schema.ts';
import { iamErrors } from '../iam-errors.ts';
import type { IamServices } from '../iam-services.ts';
import { networkOf, subscriberOf } from '../../lib/subscriber.ts';
import { QueueFullError, type Requester } from '../users/hashing-queue.ts';
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
  /** Until when this attempt has blocked it. */
  ownBlockedUntilMs: number;
  /** Those that it has in common with others, and until when this attempt has blocked them. */
  shared: ReadonlyMap<string, number>;
  /** Those of the shared ones that count an address, whoever the attempt is for. */
  ofAddress: ReadonlySet<string>;
  /** The client whose password waits for its turn. */
  requester: Requester;
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

function doubling(freeFailures: number, longestBlockMs: number): Limit {
  const blockMs = (excess: number): number =>
    Math.min(longestBlockMs, FIRST_BLOCK_MS * 2 ** excess);
  return { freeFailures, blockMs, counts: 'until-quiet' };
}

// What one person mistypes.
const OWN = doubling(5, LONGEST_BLOCK_MS);
// What an office behind one address does: whoever is new there must not wait for the others.
const ADDRESS = doubling(20, 10_000);
// Only to tell clean addresses from others.
const NEVER: Limit = { freeFailures: Infinity, blockMs: () => 0, counts: 'until-quiet' };

/**
 * Guesses at one person from everywhere together. The second factor has a million values and a few of
 * them are right: at that rate, half a percent a day, for who knows the password.
 */
const ACCOUNT: Readonly<Record<Attempt['kind'], Limit>> = {
  password: { freeFailures: 50, blockMs: () => 10_000, counts: 'hourly' },
  second_factor: { freeFailures: 20, blockMs: () => 60_000, counts: 'hourly' },
};

// Guesses at one person that an address is let in addition while the person's strangers wait.
const CLEAN_ATTEMPTS = 5;

/** Asking for mail is no guess, and there is no success that would give it back. */
const MAIL_REQUESTS = doubling(20, 60_000);
const MAX_MAILS_PER_HOUR = 5;

type LimitServices = Pick<IamServices, 'database' | 'clock' | 'cookies'>;

/**
 * Lets an attempt through and counts it as a failure, before anybody looks whether it is one: so of
 * many at once, no more get through than one after the other. {@link forgiveAttempt} takes it back.
 *
 * Guesses are counted for the address they come from, for the person, and for both together. Whoever
 * guesses at somebody could thus keep that person out. Therefore a browser with which the person has
 * signed in before, or is signed in, has a counter of its own, and the others do not concern it. And
 * while the person's strangers have to wait, a clean address is let through all the same: one from
 * which nobody guesses at anybody else, and for which fewer than five guesses at this person count.
 * Both are asked of the whole /48 of an IPv6 address, too.
 *
 * So in an hour there are at most 410 guesses at the password of one person (50, and one in ten
 * seconds), and five more for each IPv4 address and each IPv6 /48 that somebody has and uses for
 * nothing else. There are no such guesses at the second factor, whose values are few: whoever is kept
 * out there, by somebody who must know the password, chooses another password with a link, and then
 * nobody else gets as far.
 * @throws ApiError 3041 with the time to wait; such an attempt is not counted
 */
export async function admitAttempt(services: LimitServices, attempt: Attempt): Promise<Admission> {
  const subject = await subjectOf(services, attempt);
  const shared = await count(services, subject);
  const ownBlockedUntilMs = shared.get(subject.own) ?? 0;
  shared.delete(subject.own);
  const { own, isKnown, ofAddress } = subject;
  const requester = { ip: attempt.request.ip, isKnown };
  return { own, ownBlockedUntilMs, shared, ofAddress, requester };
}

/**
 * Does what an attempt was let through for. When it fails before anybody knows whether the attempt
 * was right, because too many passwords wait or the database is gone, the attempt does not count for the
 * person. Where too many passwords wait, it counts for its address, which may be the cause.
 */
export async function countUnlessTrouble<T>(
  services: Pick<IamServices, 'database' | 'report'>,
  admission: Admission,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isAnswer = error instanceof ApiError && error.status < 500;
    if (!isAnswer) await takeBack(services, admission, error instanceof QueueFullError);
    throw error;
  }
}

async function takeBack(
  { database, report }: Pick<IamServices, 'database' | 'report'>,
  { own, ownBlockedUntilMs, shared, ofAddress }: Admission,
  countsForAddress: boolean,
): Promise<void> {
  const blocks = new Map([...shared, [own, ownBlockedUntilMs] as const]);
  if (countsForAddress) for (const name of ofAddress) blocks.delete(name);
  try {
    await database.transaction(async (tx) => {
      for (const name of [...blocks.keys()].sort()) {
        await reduceCounter(tx, name, 1, blocks.get(name));
      }
    });
  } catch (error) {
    // What has failed before is what the caller hears of.
    report(error as Error, 'a sign-in attempt was counted without a check');
  }
}

/**
 * Takes the count of an attempt back that turned out right, with the failures that came before it from
 * the same browser or address for the same person: that was its owner, who mistyped.
 */
export async function forgiveAttempt(tx: Transaction, { own, shared }: Admission): Promise<void> {
  const [before] = await readCounters(tx, [own]);
  const forgiven = Math.max(1, before?.failures ?? 1);
  for (const name of [own, ...shared.keys()].sort()) {
    if (name === own) await deleteCounter(tx, own);
    else await reduceCounter(tx, name, forgiven, shared.get(name));
  }
}

/** @param blockedUntilMs what the attempt has set, which is undone unless another one came since */
async function reduceCounter(
  tx: Transaction,
  name: string,
  by: number,
  blockedUntilMs: number | undefined,
): Promise<void> {
  const counter = await lockCounter(tx, name);
  const isOurBlock = counter.blocked_until === blockedUntilMs;
  const failures = Math.max(0, counter.failures - by);
  const blockedUntil = isOurBlock ? 0 : counter.blocked_until;
  if (failures === 0 && blockedUntil === 0) return deleteCounter(tx, name);
  return writeCounter(tx, { ...counter, failures, blocked_until: blockedUntil });
}

/**
 * Counts a request for mail from an address.
 * @throws ApiError 3041 with the time to wait
 */
export async function admitMailRequest(services: LimitServices, ip: string): Promise<void> {
  const own = `mail address ${subscriberOf(ip)}`;
  const limits = new Map([[own, MAIL_REQUESTS]]);
  await count(services, { own, limits, isKnown: false, ofAddress: new Set() });
}

/** Counts a mail to a person; false when there were five in the hour already. */
export async function mayMail(tx: Transaction, userId: string, nowMs: number): Promise<boolean> {
  const name = `mail account ${userId}`;
  const counter = begin(await lockCounter(tx, name), 'hourly', nowMs);
  if (counter.failures >= MAX_MAILS_PER_HOUR) return false;
  await writeCounter(tx, { ...counter, failures: counter.failures + 1, last_failed_at: nowMs });
  return true;
}

/** What an attempt is counted under. */
interface Subject {
  own: string;
  limits: ReadonlyMap<string, Limit>;
  /** From a session or a known device of the person. */
  isKnown: boolean;
  ofAddress: ReadonlySet<string>;
  /** What a clean address may pass. */
  passable?: Passable;
}

interface Passable {
  /** The counter of the person's strangers. */
  account: string;
  /** From the narrower to the wider: the counter of it and the person, and that of it alone. */
  levels: readonly { pair: string; all: string }[];
}

async function subjectOf(
  { database, clock, cookies }: LimitServices,
  { kind, email, userId, request, sessionId }: Attempt,
): Promise<Subject> {
  // The same for whatever is entered, and nothing that names a person is stored.
  const person = createHash('sha256').update(foldEmail(email)).digest('base64url');
  const device = await findKnownDevice(database.read, cookies, userId ?? '', request, clock.now());
  const known = sessionId ?? device;
  if (known !== undefined) {
    const own = `${kind} browser ${person} ${known}`;
    return { own, limits: new Map([[own, OWN]]), isKnown: true, ofAddress: new Set() };
  }
  const [ip, network] = [subscriberOf(request.ip), networkOf(request.ip)];
  const own = `${kind} pair ${person} ${ip}`;
  const address = `${kind} address ${ip}`;
  const account = `${kind} account ${person}`;
  const limits = new Map([
    [own, OWN],
    [address, ADDRESS],
    [account, ACCOUNT[kind]],
  ]);
  const ofAddress = new Set([address]);
  const subject = { own, limits, isKnown: false, ofAddress };
  if (kind === 'second_factor') return subject;
  const levels = [{ pair: own, all: address }];
  if (network !== ip) {
    const wider = { pair: `${kind} pair ${person} ${network}/48`, all: `${kind} net ${network}` };
    levels.push(wider);
    limits.set(wider.pair, NEVER).set(wider.all, NEVER);
    ofAddress.add(wider.all);
  }
  return { ...subject, passable: { account, levels } };
}

/**
 * Counts a failure under every name, or under none when one of them is blocked.
 * @returns until when each is blocked now
 */
async function count(
  { database, clock }: LimitServices,
  subject: Subject,
): Promise<Map<string, number>> {
  const { limits } = subject;
  // Always in the same order, so that no two transactions wait for each other.
  const names = [...limits.keys()].sort();
  const nowMs = clock.now();
  // A flood of attempts that are refused costs no writes.
  checkCounters(subject, await readCounters(database.read, names), nowMs);
  return database.transaction(async (tx) => {
    const counters: Counter[] = [];
    for (const name of names) counters.push(await lockCounter(tx, name));
    const blocks = new Map<string, number>();
    for (const counter of checkCounters(subject, counters, nowMs)) {
      const counted = withFailure(counter, limits.get(counter.name) ?? OWN, nowMs);
      await writeCounter(tx, counted);
      blocks.set(counter.name, counted.blocked_until);
    }
    return blocks;
  });
}

/**
 * Refuses an attempt while one of its counters is blocked.
 * @returns those under which it is counted: what a clean address passes is left as it is
 */
function checkCounters(
  { passable }: Subject,
  counters: readonly Counter[],
  nowMs: number,
): readonly Counter[] {
  const others = counters.filter(({ name }) => name !== passable?.account);
  refuseBlocked(others, nowMs);
  if (passable === undefined) return counters;
  const account = counters.find(({ name }) => name === passable.account);
  if (account === undefined || waitOf(account, nowMs) === 0) return counters;
  if (!isClean(passable, others, nowMs)) refuseBlocked([account], nowMs);
  return others;
}

/** Whether nothing came from an address lately but a few attempts for this very person. */
function isClean({ levels }: Passable, counters: readonly Counter[], nowMs: number): boolean {
  const failuresOf = (wanted: string): number => {
    const counter = counters.find(({ name }) => name === wanted);
    return counter === undefined ? 0 : begin(counter, 'until-quiet', nowMs).failures;
  };
  return levels.every(({ pair, all }) => {
    const failures = failuresOf(pair);
    return failures < CLEAN_ATTEMPTS && failuresOf(all) <= failures;
  });
}

function refuseBlocked(counters: readonly Counter[], nowMs: number): void {
  const waitMs = Math.max(0, ...counters.map((counter) => waitOf(counter, nowMs)));
  if (waitMs > 0) throw tooManyAttempts(waitMs);
}

function waitOf(counter: Counter, nowMs: number): number {
  const waitMs = counter.blocked_until - nowMs;
  // There is no longer block: the clock was set back, and nothing lasts until the time comes again.
  return waitMs > LONGEST_BLOCK_MS ? 0 : Math.max(0, waitMs);
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
