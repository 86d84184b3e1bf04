import { setTimeout as delay } from 'node:timers/promises';

/** Something that is done again and again. */
export interface Activity {
  name: string;
  perSecond: number;
  /** @throws when it goes otherwise than it should */
  act: () => Promise<void>;
}

// Whoever waits for so many answers asks for nothing more.
const MAX_UNDER_WAY = 30;
/** Thrown by an activity that was refused since the server is too slow for it at the moment, in so many words. */
export class HeldUp extends Error {}

const MAX_FAILURES_TOLD = 20;

/** Does all activities at even intervals, whether or not earlier ones have ended, until it is stopped. */
export class SteadyLoad {
  /** What went wrong: the first of them. */
  readonly failures: string[] = [];
  failed = 0;
  done = 0;
  /** How often something was not done: earlier ones had not ended, or the server said that it takes too long. */
  heldUp = 0;
  readonly #running = new Set<Promise<void>>();
  readonly #loops: Promise<void>[];
  readonly #end = new AbortController();

  constructor(activities: readonly Activity[]) {
    this.#loops = activities.map((activity) => this.#repeat(activity));
  }

  async #repeat(activity: Activity): Promise<void> {
    const gapMs = 1_000 / activity.perSecond;
    const underWay = new Set<Promise<void>>();
    // They do not all begin at once.
    let nextAtMs = performance.now() + Math.random() * gapMs;
    while (!this.#end.signal.aborted) {
      const waitMs = Math.max(0, nextAtMs - performance.now());
      await delay(waitMs, undefined, { signal: this.#end.signal }).catch(() => {});
      if (this.#end.signal.aborted) break;
      nextAtMs += gapMs;
      if (underWay.size >= MAX_UNDER_WAY) {
        this.heldUp++;
        continue;
      }
      const act = this.#do(activity).finally(() => underWay.delete(act));
      underWay.add(act);
      this.#running.add(act);
      void act.finally(() => this.#running.delete(act));
    }
  }

  async #do({ name, act }: Activity): Promise<void> {
    try {
      await act();
      this.done++;
    } catch (error) {
      if (error instanceof HeldUp) this.heldUp++;
      else this.#fail(name, error as Error);
    }
  }

  #fail(name: string, { message }: Error): void {
    this.failed++;
    if (this.failures.length < MAX_FAILURES_TOLD) this.failures.push(`${name}: ${message}`);
  }

  /** Begins nothing more, and waits for what is under way. */
  async stop(): Promise<void> {
    this.#end.abort();
    await Promise.all(this.#loops);
    await Promise.all(this.#running);
  }
}
