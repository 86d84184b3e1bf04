import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ApiError } from '../http/errors.ts';
import { NO_CONTENT, type Reply, type RequestFacts } from '../http/route.ts';
import type { Clock } from '../lib/clock.ts';
import type { Announce, Database } from '../storage/database.ts';
import type { Transaction } from '../storage/schema.ts';
import {
  type AuditActor,
  type AuditChain,
  type AuditEntry,
  type AuditResource,
  SYSTEM_ACTOR,
  actorOf,
  appendAudits,
} from './audit/audit-entry.ts';
import { type AuditViews, presentForAudit } from './audit/audit-view.ts';
import {
  type IdempotentRequest,
  claimKey,
  readIdempotencyKey,
  storeAnswer,
} from './idempotency.ts';
import type { Principal } from './principal.ts';
import { requireAccess } from './require-access.ts';

/** What is changed, for the audit log. */
export interface AuditedChange {
  chain: AuditChain;
  /** `create`, `update`, `delete`, or a verb of its own, such as `roll`. */
  type: string;
  /** In words, past tense. */
  description: string;
  resource: AuditResource;
  /** Who did it, when it is not simply the caller. */
  actor?: Partial<AuditActor>;
  /** Omits the actor, the address and the user agent from the row. */
  isAnonymous?: boolean;
  /** The parts of the request and of the result that the log shows. */
  shows: AuditViews;
  /** Replaces the body of the request. */
  request?: unknown;
  /** Replaces the result of the answer. */
  response?: unknown;
}

/** What a change works with. */
export interface ChangeTools {
  tx: Transaction;
  announce: Announce;
  /** Notes the change for the audit log; the row is written when the work is done. */
  audit: (change: AuditedChange) => void;
  /**
   * Checks again that the person behind the request may do what the access check found. To be called
   * once the change holds its locks, so that it cannot overlap with the end of a membership.
   * @throws ApiError 503, see requireAccess
   */
  recheckAccess: () => Promise<void>;
  /** Says that there was nothing to change, so that there is nothing to log. */
  unchanged: () => void;
}

/** The request behind a change, as handlers are given it. */
export interface ChangeContext {
  principal: Principal;
  request: RequestFacts;
  body?: unknown;
  /** For what creates nothing and must be done anew each time: an idempotency key is ignored. */
  isNeverRepeated?: boolean;
}

/** What a handler answers. */
export type Answer = Reply<unknown> | typeof NO_CONTENT;

/** What came of one of several requests that share a transaction. */
export type SharedOutcome<T extends Answer> =
  | { answer: T; change: AuditedChange | 'unchanged' }
  /** Nothing was written for this request. */
  | { refusal: ApiError };

/**
 * Makes the changes that requests ask for. Each is one transaction with its rows of the audit log and,
 * for a request with an idempotency key, the stored answer: all of it is on disk, or nothing.
 */
export class Changes {
  readonly #database: Database;
  readonly #clock: Clock;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  /**
   * Runs one change and returns its answer. `work` may run several times, see Database.transaction.
   * An answer that was stored is repeated without `work`: what a caller must be allowed now is checked
   * before, by the access check or by the handler. Nothing is changed when what a person may do has
   * changed since that check.
   * @throws ApiError 6014 when the idempotency key was used for another request
   */
  async make<T extends Answer>(
    context: ChangeContext,
    work: (tools: ChangeTools) => Promise<T>,
  ): Promise<T> {
    const key = context.isNeverRepeated === true ? undefined : readIdempotencyKey(context);
    return this.#database.transaction(async (tx, announce) => {
      if (key !== undefined) {
        const replay = await claimKey(tx, key, this.#clock.now());
        // The stored answer is one that this very operation has given.
        if (replay !== undefined) return replay as T;
      }
      await requireAccess(tx, context.principal);
      const { answer, changes } = await collect(tx, announce, context.principal, work);
      const made = changes.map((change) => ({ context, change, answer }));
      await appendAudits(tx, await entriesOf(made), this.#clock.now());
      if (key !== undefined) await remember(tx, key, answer);
      return answer;
    });
  }

  /**
   * Runs the changes of several requests in one transaction, with one wait for the disk. Each has an
   * answer and a row of the audit log of its own, or is refused without a trace; an error is everybody's.
   * Nothing is repeated: idempotency keys are for requests that come one by one.
   * @param work tells what came of each, in the order of the contexts; may run several times
   * @returns what `work` told, once it is on disk
   */
  async makeTogether<T extends Answer>(
    contexts: readonly ChangeContext[],
    work: (tx: Transaction, announce: Announce) => Promise<SharedOutcome<T>[]>,
  ): Promise<SharedOutcome<T>[]> {
    return this.#database.transaction(async (tx, announce) => {
      const outcomes = await work(tx, announce);
      if (outcomes.length !== contexts.length) throw new Error('a request has no outcome');
      const made: MadeChange[] = [];
      for (const [index, context] of contexts.entries()) {
        const outcome = outcomes[index];
        if (outcome === undefined || 'refusal' in outcome) continue;
        const { answer, change } = outcome;
        if (change !== 'unchanged') made.push({ context, change, answer });
      }
      await appendAudits(tx, await entriesOf(made), this.#clock.now());
      return outcomes;
    });
  }
}

/** One change with the request behind it and what was answered. */
interface MadeChange {
  context: ChangeContext;
  change: AuditedChange;
  answer: Answer;
}

// To make an entry takes some µs, or some ms when there is much in it.
const ENTRIES_TURN_MS = 3;

/** The entries of changes that share a transaction: of one request there may be a thousand. */
async function entriesOf(made: readonly MadeChange[]): Promise<AuditEntry[]> {
  const entries: AuditEntry[] = [];
  let turnMs = performance.now();
  for (const one of made) {
    if (performance.now() - turnMs > ENTRIES_TURN_MS) {
      await nextTurn();
      turnMs = performance.now();
    }
    entries.push(entryOf(one));
  }
  return entries;
}

function entryOf({ context, change, answer }: MadeChange): AuditEntry {
  const { principal, request, body } = context;
  const isEmpty = answer === NO_CONTENT;
  return {
    chain: change.chain,
    action: { type: change.type, result: 'success', description: change.description },
    actor:
      change.isAnonymous === true
        ? SYSTEM_ACTOR
        : { ...actorOf(principal, request), ...change.actor },
    resource: change.resource,
    request: presentForAudit(change.request ?? body, change.shows.request),
    response: presentForAudit(
      change.response ?? (isEmpty ? undefined : answer.result),
      change.shows.response,
    ),
    ...(change.isAnonymous !== true && { raw: { request, statusCode: isEmpty ? 204 : 200 } }),
  };
}

async function collect<T extends Answer>(
  tx: Transaction,
  announce: Announce,
  principal: Principal,
  work: (tools: ChangeTools) => Promise<T>,
): Promise<{ answer: T; changes: AuditedChange[] }> {
  const changes: AuditedChange[] = [];
  let isUnchanged = false;
  const answer = await work({
    tx,
    announce,
    recheckAccess: () => requireAccess(tx, principal),
    audit: (change) => void changes.push(change),
    unchanged: () => {
      isUnchanged = true;
    },
  });
  // Not even by mistake can a change escape the log.
  if (changes.length === 0 && !isUnchanged) throw new Error('a change was not audited');
  return { answer, changes };
}

async function remember(tx: Transaction, key: IdempotentRequest, answer: Answer): Promise<void> {
  // A mistake of ours: what creates something answers with it.
  if (answer === NO_CONTENT) throw new Error('an answer without content cannot be repeated');
  await storeAnswer(tx, key, answer);
}
