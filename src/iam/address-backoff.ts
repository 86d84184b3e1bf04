import { LRUCache } from 'lru-cache';
import { type ApiError, apiError, httpErrors } from '../http/errors.ts';
import { upToEntries } from '../lib/cache-bound.ts';
import type { Clock } from '../lib/clock.ts';
import { subscriberOf } from '../lib/subscriber.ts';

// Far above what people mistype and what a job with an expired token sends.
const FREE_ATTEMPTS = 100;
const FREE_INTERVAL_MS = 60_000;
const FIRST_BLOCK_MS = 1_000;
const LONGEST_BLOCK_MS = 300_000;
// Longer than the longest block: to wait for its end is not to give up.
const FORGIVEN_AFTER_MS = 600_000;
// What a flood from one address costs the database at most: each is one read of a unique index.
const LOOK_UPS_PER_SECOND = 200;
// Some 300 bytes each.
const MAX_ADDRESSES = 50_000;

/** What one address has done lately. */
interface Conduct {
  /** Wrong credentials since `countedSinceMs`, while some are free. */
  attempts: number;
  countedSinceMs: number;
  lastAttemptMs: number;
  blockedAtMs: number;
  /** Length of the last block; 0 when there was none. */
  blockMs: number;
  /** Look-ups that a blocked address may still cost, as of `refilledAtMs`. */
  lookUps: number;
  refilledAtMs: number;
}

/** Also after the clock was set back: then the time lies ahead, and nothing lasts until it comes. */
function isWithin(durationMs: number, sinceMs: number, nowMs: number): boolean {
  return nowMs >= sinceMs && nowMs - sinceMs < durationMs;
}

/**
 * Slows down addresses that present wrong credentials, or begin more sign-ins than people do. Some
 * are free; after that the address is blocked for a second, and whenever it goes on after a block,
 * for twice as long as before, up to five minutes. After ten quiet minutes all is forgiven.
 *
 * A block is about what is wrong: many callers may share an address, so a valid credential passes
 * while it lasts. One that this node does not know yet must wait a moment and try again when the
 * address sends so many that not all can be looked up. Each node counts for itself, in memory.
 */
export class AddressBackoff {
  readonly #clock: Clock;
  readonly #conducts = new LRUCache<string, Conduct>(upToEntries(MAX_ADDRESSES));

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Notes an attempt, and refuses it while the address is blocked.
   * @param what came too often, for the refusal
   * @returns the refusal with code 971, or undefined
   */
  admit(ip: string, what: string): ApiError | undefined {
    const retryAfterSeconds = this.retryAfterSeconds(ip);
    this.note(ip);
    if (retryAfterSeconds === undefined) return undefined;
    return refusal(what, retryAfterSeconds);
  }

  /**
   * How long the address is still blocked, at least 1; undefined when it is not. Whoever answers a
   * wrong credential asks this first and notes the attempt then: so the attempt that leads to a block
   * still hears what is wrong with it.
   * @param about names what the credential is for, where each such thing is counted by itself
   */
  retryAfterSeconds(ip: string, about?: string): number | undefined {
    const conduct = this.#conducts.get(keyOf(ip, about));
    if (conduct === undefined) return undefined;
    const { blockMs, blockedAtMs } = conduct;
    const nowMs = this.#clock.now();
    if (!isWithin(blockMs, blockedAtMs, nowMs)) return undefined;
    return Math.ceil((blockedAtMs + blockMs - nowMs) / 1_000);
  }

  /** Notes that the address presented a wrong credential now; see {@link retryAfterSeconds}. */
  note(ip: string, about?: string): void {
    const nowMs = this.#clock.now();
    const conduct = this.#conductOf(keyOf(ip, about), nowMs);
    conduct.lastAttemptMs = nowMs;
    // Within a block there is nothing to gain, so there is nothing to punish.
    if (isWithin(conduct.blockMs, conduct.blockedAtMs, nowMs)) return;
    if (conduct.blockMs > 0) {
      block(conduct, Math.min(LONGEST_BLOCK_MS, conduct.blockMs * 2), nowMs);
      return;
    }
    if (!isWithin(FREE_INTERVAL_MS, conduct.countedSinceMs, nowMs)) {
      conduct.attempts = 0;
      conduct.countedSinceMs = nowMs;
    }
    conduct.attempts++;
    if (conduct.attempts >= FREE_ATTEMPTS) block(conduct, FIRST_BLOCK_MS, nowMs);
  }

  /**
   * Asks whether a credential that this node does not know may cost a look-up now. A blocked address
   * has some per second, which lets the valid ones behind it through.
   * @throws ApiError 971 when they are used up. Nobody knows then whether the credential is wrong:
   *   it may be tried again after a second, however long the block lasts.
   */
  checkLookUp(ip: string): void {
    const conduct = this.#conducts.get(subscriberOf(ip));
    if (conduct === undefined) return;
    const nowMs = this.#clock.now();
    if (!isWithin(conduct.blockMs, conduct.blockedAtMs, nowMs)) return;
    const elapsedMs = Math.max(0, nowMs - conduct.refilledAtMs);
    const refilled = conduct.lookUps + (elapsedMs * LOOK_UPS_PER_SECOND) / 1_000;
    conduct.lookUps = Math.min(LOOK_UPS_PER_SECOND, refilled);
    conduct.refilledAtMs = nowMs;
    if (conduct.lookUps < 1) throw refusal('wrong credentials', 1);
    conduct.lookUps--;
  }

  #conductOf(key: string, nowMs: number): Conduct {
    const known = this.#conducts.get(key);
    if (known !== undefined && isWithin(FORGIVEN_AFTER_MS, known.lastAttemptMs, nowMs)) {
      return known;
    }
    const conduct: Conduct = {
      attempts: 0,
      countedSinceMs: nowMs,
      lastAttemptMs: nowMs,
      blockedAtMs: nowMs,
      blockMs: 0,
      lookUps: LOOK_UPS_PER_SECOND,
      refilledAtMs: nowMs,
    };
    this.#conducts.set(key, conduct);
    return conduct;
  }
}

// Far longer than an id: what callers make up must not fill the memory.
const MAX_ABOUT_LENGTH = 64;

function keyOf(ip: string, about: string | undefined): string {
  const subscriber = subscriberOf(ip);
  return about === undefined ? subscriber : `${subscriber} ${about.slice(0, MAX_ABOUT_LENGTH)}`;
}

function refusal(what: string, retryAfterSeconds: number): ApiError {
  return apiError(httpErrors.rateLimited, {
    message: `${httpErrors.rateLimited.message}: too many ${what} from your IP address`,
    headers: { 'retry-after': String(retryAfterSeconds) },
  });
}

function block(conduct: Conduct, durationMs: number, nowMs: number): void {
  conduct.blockMs = durationMs;
  conduct.blockedAtMs = nowMs;
}
