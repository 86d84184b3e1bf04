import { LRUCache } from 'lru-cache';
import type { ApiError } from '../../http/errors.ts';
import type { RequestFacts } from '../../http/route.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Database } from '../../storage/database.ts';
import type { ReportTrouble } from '../../storage/invalidation.ts';
import { type Principal, accountsOf, tokenOf, userOf } from '../principal.ts';
import { type AuditChain, actorOf, appendAudit } from './audit-entry.ts';

// The log is kept for ever: a program that is refused in a loop must not fill it.
const MAX_ROWS_PER_MINUTE = 60;
const MINUTE_MS = 60_000;
const TRACKED_CREDENTIALS = 10_000;

const ACTIONS: Readonly<Record<string, string>> = {
  POST: 'create',
  PUT: 'update',
  PATCH: 'update',
  DELETE: 'delete',
};

/** Writes the refusals for lack of permission into the audit log. */
export class RefusalLog {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #report: ReportTrouble;
  readonly #counts: LRUCache<string, { minute: number; rows: number }>;

  constructor(database: Database, clock: Clock, report: ReportTrouble) {
    this.#database = database;
    this.#clock = clock;
    this.#report = report;
    this.#counts = new LRUCache({ max: TRACKED_CREDENTIALS });
  }

  /**
   * Writes one refusal, at most 60 a minute for one credential. The caller is refused whether or not
   * that succeeds: trouble is only reported.
   * @param params of the path: the account tells whose log it is, the last one what was asked for
   */
  async note(
    principal: Principal,
    request: RequestFacts,
    params: Readonly<Record<string, string>>,
    refusal: ApiError,
  ): Promise<void> {
    const chain = chainOf(principal, params.account_id);
    if (chain === undefined || !this.#mayWrite(principal)) return;
    const nowMs = this.#clock.now();
    const type = ACTIONS[request.method] ?? 'view';
    const entry = {
      chain,
      action: { type, result: 'failure' as const, description: refusal.message },
      actor: actorOf(principal, request),
      resource: resourceOf(request, params),
      raw: { request, statusCode: refusal.status },
    };
    try {
      await this.#database.transaction((tx) => appendAudit(tx, entry, nowMs));
    } catch (error) {
      this.#report(error as Error, 'a refusal could not be written to the audit log');
    }
  }

  #mayWrite(principal: Principal): boolean {
    const credential = tokenOf(principal)?.id ?? userOf(principal)?.id ?? '';
    const minute = Math.floor(this.#clock.now() / MINUTE_MS);
    const counted = this.#counts.get(credential);
    const rows = counted?.minute === minute ? counted.rows : 0;
    this.#counts.set(credential, { minute, rows: rows + 1 });
    return rows < MAX_ROWS_PER_MINUTE;
  }
}

/**
 * The account's own people and tokens are told of in its log. A stranger's attempt stands in the
 * stranger's: nobody can write into the log of an account by knocking at it.
 */
function chainOf(principal: Principal, accountId: string | undefined): AuditChain | undefined {
  if (accountId !== undefined && accountsOf(principal).includes(accountId)) return { accountId };
  if (principal.type === 'account_token') return { accountId: principal.accountId };
  const user = userOf(principal);
  return user && { userId: user.id };
}

/** What the path names, as far as a path can tell. */
function resourceOf({ path }: RequestFacts, params: Readonly<Record<string, string>>) {
  const ids = Object.entries(params).filter(([name]) => name !== 'account_id');
  const [, last] = ids.at(-1) ?? [];
  const kinds = path
    .split('/')
    .slice(3)
    .filter((part) => /^[a-z][a-z_-]*$/.test(part) && part !== 'accounts' && part !== last);
  const kind = (kinds[0] ?? 'accounts').replaceAll('-', '_');
  return { type: kind, id: last?.slice(0, 256), product: kind };
}
