import type { ApiFailure } from '../api/failure.ts';
import { csrfToken } from './csrf-token.ts';

/**
 * What the person must do before requests can go on: sign in again, show that nobody else sits there, or say
 * who is to go on after somebody else has signed in.
 */
export type Interruption =
  | { kind: 'sign-in' }
  /** Of the session with that token. */
  | { kind: 'confirmation'; token: string }
  | { kind: 'other-person'; email: string };

const STALE_AUTHENTICATION = 3045;
/** Code of a refusal without a session. */
export const UNAUTHENTICATED = 10_000;

/** What a refusal asks of the person; undefined for one that stays. */
function interruptionOf({ status, code }: ApiFailure): Interruption | undefined {
  if (status === 401 && code === UNAUTHENTICATED) return { kind: 'sign-in' };
  return code === STALE_AUTHENTICATION ? { kind: 'confirmation', token: csrfToken() } : undefined;
}

interface Question {
  interruption: Interruption;
  isSettled: Promise<boolean>;
  settle: (isResolved: boolean) => void;
}

/**
 * Requests that wait for the person: one question at a time, whatever number of requests it holds up.
 */
class Interruptions {
  #question: Question | undefined;
  readonly #listeners = new Set<() => void>();
  /** Whether there is a page that can ask. */
  isAskable = false;

  /** What is being asked now. */
  get current(): Interruption | undefined {
    return this.#question?.interruption;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** Asks the person what a refusal demands; true when the request may be sent again. */
  async resolve(failure: ApiFailure): Promise<boolean> {
    const interruption = interruptionOf(failure);
    return interruption === undefined ? false : this.ask(interruption);
  }

  /** Asks the person; true when requests may go on. */
  async ask(interruption: Interruption): Promise<boolean> {
    if (!this.isAskable) return false;
    const asked = this.#question;
    if (asked !== undefined && !replaces(interruption, asked.interruption)) return asked.isSettled;
    // Whoever waits for the question before waits for this one, which is the greater.
    this.#question = { ...(asked ?? newQuestion()), interruption };
    this.#tell();
    return this.#question.isSettled;
  }

  /** The person has answered, or has turned away. */
  settle(isResolved: boolean): void {
    const asked = this.#question;
    if (asked === undefined) return;
    this.#question = undefined;
    asked.settle(isResolved);
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** Who signs in has also shown that nobody else sits there. */
function replaces(next: Interruption, asked: Interruption): boolean {
  return next.kind !== 'confirmation' && next.kind !== asked.kind;
}

function newQuestion(): Omit<Question, 'interruption'> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  return { isSettled: promise, settle: resolve };
}

/** Those of this page. */
export const interruptions = new Interruptions();
