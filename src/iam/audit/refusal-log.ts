import { LRUCache } from 'lru-cache';
import type { ApiError } from '../../http/errors.ts';
import type { RequestFacts } from '../../http/route.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Database } from '../../storage/database.ts';
import type { ReportTrouble } from '../../storage/invalidation.ts';
import { type Principal, accountsOf, tokenOf, userOf } from '../principal.ts';
import { type AuditChain, type AuditResource, actorOf, appendAudit } from './audit-entry.ts';

// The log is kept for ever: a program that is refused in a loop must not fill it.
const MAX_ROWS_PER_MINUTE = 60;
const MINUTE_MS = 60_000;
const TRACKED_CREDENTIALS = 10_000;
// Of what was asked for: it may be any text.
const MAX_ID_LENGTH = 256;

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

// Sections of paths whose resources are called otherwise when they are changed.
const RESOURCES: Readonly<Record<string, Pick<AuditResource, 'type' | 'product'>>> = {
  accounts: { type: 'account', product: 'accounts' },
  tokens: { type: 'api_token', product: 'api_tokens' },
  oauth_clients: { type: 'oauth_client', product: 'oauth_clients' },
  members: { type: 'member', product: 'members' },
  roles: { type: 'role', product: 'members' },
  memberships: { type: 'member', product: 'memberships' },
  logs: { type: 'audit_log', product: 'audit_logs' },
  oauth: { type: 'oauth_scope', product: 'oauth_clients' },
  password: { type: 'user', product: 'user' },
  sessions: { type: 'session', product: 'sessions' },
  passkeys: { type: 'passkey', product: 'two_factor' },
  recovery_codes: { type: 'recovery_codes', product: 'two_factor' },
  totp: { type: 'totp_factor', product: 'two_factor' },
};

/** What the path names, as far as a path can tell. */
function resourceOf(
  { path }: RequestFacts,
  params: Readonly<Record<string, string>>,
): AuditResource {
  const { account_id: accountId, ...others } = params;
  const id = Object.values(others).at(-1);
  const [section, below] = path
    .split('/')
    .slice(3)
    .filter((part) => /^[a-z][a-z_-]*$/.test(part) && part !== 'accounts' && part !== id);
  if (section === undefined) return resource('accounts', accountId);
  return resource((section === 'user' ? below : undefined) ?? section, id);
}

function resource(section: string, id: string | undefined): AuditResource {
  const kind = section.replaceAll('-', '_');
  return { type: kind, product: kind, ...RESOURCES[section], id: id?.slice(0, MAX_ID_LENGTH) };
}
