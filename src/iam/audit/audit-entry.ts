import type { RequestFacts } from '../../http/route.ts';
import { redactFormsIn } from '../../lib/credential-forms.ts';
import { createUuidV7 } from '../../lib/ids.ts';
import type { Transaction } from '../../storage/schema.ts';
import { findLastAccountName } from '../accounts/account-store.ts';
import { storableUserAgent } from '../user-agent.ts';
import { type Principal, tokenOf, userOf } from '../principal.ts';
import { type UnlinkedRow, appendToChain } from './audit-store.ts';

/** Whose log a row belongs to. */
export type AuditChain = { accountId: string } | { userId: string };

/** Who did it. */
export interface AuditActor {
  type: 'user' | 'account_token' | 'user_token' | 'oauth' | 'system';
  /** How the actor came: `api_token`, `dash` (a session), `oauth` or `system`. */
  context: 'api_token' | 'dash' | 'oauth' | 'system';
  id?: string | undefined;
  email?: string | undefined;
  ipAddress?: string | undefined;
  /** Of the API token, or of the OAuth client that acts for a person. */
  tokenId?: string | undefined;
  tokenName?: string | undefined;
}

/** What it was done to. */
export interface AuditResource {
  /** Such as `api_token`. */
  type: string;
  id: string | undefined;
  /** The part of the product: the section of the API reference, in snake case. */
  product: string;
}

/** One row of the audit log, before it is linked into its chain. */
export interface AuditEntry {
  chain: AuditChain;
  action: { type: string; result: 'success' | 'failure'; description: string };
  actor: AuditActor;
  resource: AuditResource;
  /** JSON of the request and the result, from {@link presentForAudit}. */
  request?: string | undefined;
  response?: string | undefined;
  /** Absent for what no request caused. */
  raw?: { request: RequestFacts; statusCode: number };
}

/** The actor behind a request. */
export function actorOf(principal: Principal, request: RequestFacts): AuditActor {
  const token = tokenOf(principal);
  const user = userOf(principal);
  const shared = { ipAddress: request.ip, tokenId: token?.id, tokenName: token?.name };
  switch (principal.type) {
    case 'account_token':
      return { type: 'account_token', context: 'api_token', id: token?.id, ...shared };
    case 'user_token':
      return {
        type: 'user_token',
        context: 'api_token',
        id: user?.id,
        email: user?.email,
        ...shared,
      };
    case 'oauth': {
      const { clientId, clientName } = principal.authorization;
      return {
        type: 'oauth',
        context: 'oauth',
        id: user?.id,
        email: user?.email,
        ipAddress: request.ip,
        tokenId: clientId,
        tokenName: clientName,
      };
    }
    case 'user':
    case 'anonymous':
      return { type: 'user', context: 'dash', id: user?.id, email: user?.email, ...shared };
  }
}

/** The actor of work that nobody asked for. */
export const SYSTEM_ACTOR: AuditActor = { type: 'system', context: 'system' };

// Enough to tell programs apart; the header may be thousands of bytes long.
const MAX_URI_LENGTH = 1_024;

/** Writes a row of the audit log as part of the transaction, as its last statement. */
export async function appendAudit(
  tx: Transaction,
  entry: AuditEntry,
  nowMs: number,
): Promise<void> {
  await appendAudits(tx, [entry], nowMs);
}

/** The same for many rows, of any chains: with as many statements as for a few. */
export async function appendAudits(
  tx: Transaction,
  entries: readonly AuditEntry[],
  nowMs: number,
): Promise<void> {
  const chains = Map.groupBy(entries, ({ chain }) => chainIdOf(chain));
  // Every transaction takes the chains in the same order, so that no two wait for each other.
  for (const [chainId, ofChain] of [...chains].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const accountName = await accountNameOf(tx, ofChain[0]?.chain);
    const rows = ofChain.map((entry) => ({
      ...rowOf(entry, nowMs),
      account_name: publicText(accountName),
    }));
    await appendToChain(tx, chainId, rows);
  }
}

function chainIdOf(chain: AuditChain): string {
  return 'accountId' in chain ? chain.accountId : chain.userId;
}

async function accountNameOf(
  tx: Transaction,
  chain: AuditChain | undefined,
): Promise<string | undefined> {
  if (chain === undefined || !('accountId' in chain)) return undefined;
  return findLastAccountName(tx, chain.accountId);
}

function rowOf(entry: AuditEntry, nowMs: number): Omit<UnlinkedRow, 'account_name'> {
  const { chain, action, actor, resource, raw } = entry;
  const userAgent = raw?.request.headers['user-agent'];
  return {
    id: createUuidV7(nowMs),
    created_at: nowMs,
    action_type: action.type,
    action_result: action.result,
    action_description: redactFormsIn(action.description.toWellFormed()),
    actor_type: actor.type,
    actor_id: actor.id ?? null,
    actor_email: publicText(actor.email),
    actor_ip_address: actor.ipAddress ?? null,
    actor_token_id: actor.tokenId ?? null,
    actor_token_name: publicText(actor.tokenName),
    actor_context: actor.context,
    resource_type: resource.type,
    // A text that was cut may end in half a character, which would be stored as another one.
    resource_id: publicText(resource.id?.toWellFormed()),
    resource_product: resource.product,
    resource_scope: 'accountId' in chain ? 'accounts' : 'user',
    resource_request: entry.request ?? null,
    resource_response: entry.response ?? null,
    request_id: raw?.request.id ?? null,
    request_method: raw?.request.method ?? null,
    request_uri: publicText(raw?.request.path)?.slice(0, MAX_URI_LENGTH).toWellFormed() ?? null,
    request_status_code: raw?.statusCode ?? null,
    request_user_agent: userAgent === undefined ? null : storableUserAgent(userAgent),
  };
}

/** Somebody may have put a credential where a name belongs, and many may read the log. */
function publicText(text: string | undefined): string | null {
  return text === undefined ? null : redactFormsIn(text);
}
