import { LRUCache } from 'lru-cache';
import type { ApiError } from '../../http/errors.ts';
import type { RequestFacts } from '../../http/route.ts';
import { upToEntries } from '../../lib/cache-bound.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Database } from '../../storage/database.ts';
import type { ReportTrouble } from '../../storage/invalidation.ts';
import { type Principal, accountsOf, tokenOf, userOf } from '../principal.ts';
import {
  type AuditChain,
  type AuditEntry,
  type AuditResource,
  SYSTEM_ACTOR,
  actorOf,
  appendAudit,
} from './audit-entry.ts';

// The log is kept for ever: nobody must fill it, neither a program that is refused in a loop nor a
// member with many tokens, nor many of either at once.
const MAX_ROWS_PER_CALLER_AND_MINUTE = 60;
const MAX_ROWS_PER_CHAIN_AND_MINUTE = 600;
const MINUTE_MS = 60_000;
// Callers and chains together; the count of one that falls out begins anew.
const TRACKED_COUNTS = 20_000;
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
  readonly #counts = new LRUCache<string, { minute: number; rows: number }>(
    upToEntries(TRACKED_COUNTS),
  );

  constructor(database: Database, clock: Clock, report: ReportTrouble) {
    this.#database = database;
    this.#clock = clock;
    this.#report = report;
  }

  /**
   * Writes one refusal. In one minute a person, or a token that is no person's, gets 60 of them into
   * the log, and a log takes 600; the first one above that leaves a row that says so. The caller is
   * refused whether or not it can be written: trouble is only reported.
   * @param params of the path: the account tells whose log it is, the last one what was asked for
   */
  async note(
    principal: Principal,
    request: RequestFacts,
    params: Readonly<Record<string, string>>,
    refusal: ApiError,
  ): Promise<void> {
    const chain = chainOf(principal, params.account_id);
    if (chain === undefined) return;
    const kind = this.#count(principal, chain);
    if (kind === undefined) return;
    const nowMs = this.#clock.now();
    const entry = { chain, ...whatHappened(kind, principal, request, params, refusal) };
    try {
      await this.#database.transaction((tx) => appendAudit(tx, entry, nowMs));
    } catch (error) {
      this.#report(error as Error, 'a refused request could not be written to the audit log');
    }
  }

  /** @returns what is to be written, if anything is */
  #count(principal: Principal, chain: AuditChain): RowKind | undefined {
    const caller = userOf(principal)?.id ?? tokenOf(principal)?.id ?? '';
    const rows = this.#countUp(`caller ${caller}`);
    if (rows > MAX_ROWS_PER_CALLER_AND_MINUTE + 1) return undefined;
    const chainId = 'accountId' in chain ? chain.accountId : chain.userId;
    const rowsOfChain = this.#countUp(`chain ${chainId}`);
    if (rowsOfChain > MAX_ROWS_PER_CHAIN_AND_MINUTE + 1) return undefined;
    if (rowsOfChain > MAX_ROWS_PER_CHAIN_AND_MINUTE) return 'rest-of-chain';
    return rows > MAX_ROWS_PER_CALLER_AND_MINUTE ? 'rest-of-caller' : 'refusal';
  }

  /** @returns how many there were in this minute, with this one */
  #countUp(name: string): number {
    const minute = Math.floor(this.#clock.now() / MINUTE_MS);
    const counted = this.#counts.get(name);
    const rows = (counted?.minute === minute ? counted.rows : 0) + 1;
    this.#counts.set(name, { minute, rows });
    return rows;
  }
}

/** A refusal, or that the others of its minute are left out. */
type RowKind = 'refusal' | 'rest-of-caller' | 'rest-of-chain';

function whatHappened(
  kind: RowKind,
  principal: Principal,
  request: RequestFacts,
  params: Readonly<Record<string, string>>,
  refusal: ApiError,
): Omit<AuditEntry, 'chain'> {
  if (kind === 'refusal') {
    return {
      action: {
        type: ACTIONS[request.method] ?? 'view',
        result: 'failure',
        description: refusal.message,
      },
      actor: actorOf(principal, request),
      resource: resourceOf(request, params),
      raw: { request, statusCode: refusal.status },
    };
  }
  const isOfChain = kind === 'rest-of-chain';
  const whose = isOfChain ? '' : ' of this principal';
  return {
    action: {
      type: 'omit',
      result: 'failure',
      description: `Further refused requests${whose} in this minute are not logged`,
    },
    actor: isOfChain ? SYSTEM_ACTOR : actorOf(principal, request),
    resource: { type: 'audit_log', product: 'audit_logs', id: undefined },
  };
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
  oauth_grants: { type: 'oauth_grant', product: 'oauth_clients' },
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
