import { type CredentialPrincipal, tokenOf, userOf } from '../../iam/principal.ts';
import { createUuidV7 } from '../../lib/ids.ts';
import type { Exchange } from '../exchange.ts';
import type { Metadata } from '../options.ts';
import type { Step } from '../step.ts';
import type { Usage } from '../usage/usage.ts';
import type { LogRow } from './log-store.ts';
import type { LogWriter } from './log-writer.ts';

const MAX_TEXT_LENGTH = 256;

/** What outsiders wrote, made fit for any database: no NUL, no half characters. */
function clean(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

/** The same, bounded. */
function storable(text: string): string {
  return clean(text.slice(0, MAX_TEXT_LENGTH));
}

/** Who calls, as the log and the limits know it. */
export interface CallerIds {
  /** The API token, or the OAuth client that acts for a person: as the audit log has it. */
  tokenId: string | null;
  userId: string | null;
  oauthClientId: string | null;
}

const NOBODY: CallerIds = { tokenId: null, userId: null, oauthClientId: null };

export function callerIds(caller: CredentialPrincipal | undefined): CallerIds {
  if (caller === undefined) return NOBODY;
  const userId = userOf(caller)?.id ?? null;
  if (caller.type !== 'oauth') {
    return { tokenId: tokenOf(caller)?.id ?? null, userId, oauthClientId: null };
  }
  const { clientId } = caller.authorization;
  return { tokenId: clientId, userId, oauthClientId: clientId };
}

/** Status under which an exchange is logged that the client left before its end. */
export const CLIENT_GONE = 499;

/** The log row of one step of an exchange while it is under way. */
export class LogEntry {
  readonly id: string;
  readonly #writer: LogWriter | undefined;
  readonly #row: LogRow;
  #isOver = false;

  constructor(writer: LogWriter, exchange: Exchange, { route, options }: Step, index: number) {
    const { receivedAtMs, headers, admission } = exchange;
    const { gateway, caller } = admission;
    const { tokenId, userId, oauthClientId } = callerIds(caller);
    this.id = createUuidV7(receivedAtMs);
    // What the request says of its own logging goes before what the gateway says.
    this.#writer = (options.collectLog ?? gateway.collectLogs) ? writer : undefined;
    const contentType = headers['content-type'];
    this.#row = {
      account_id: gateway.accountId,
      gateway_id: gateway.id,
      id: this.id,
      created_at: receivedAtMs,
      duration_ms: 0,
      ttft_ms: null,
      provider: route.provider.name,
      model: storable(route.model),
      path: storable(route.path),
      status_code: 0,
      success: 0,
      tokens_in: null,
      tokens_out: null,
      request_type: exchange.wanted.way,
      request_content_type: contentType === undefined ? null : storable(contentType),
      response_content_type: null,
      token_id: tokenId,
      cached: 0,
      step: index,
      attempts: 1,
      cache_tokens: null,
      cost_nano_usd: null,
      custom_cost: options.customCost === undefined ? 0 : 1,
      metadata: options.metadata === undefined ? null : storableMetadata(options.metadata),
      event_id: options.eventId === undefined ? null : storable(options.eventId),
      user_id: userId,
      oauth_client_id: oauthClientId,
    };
  }

  /** Whether the gateway keeps logs. */
  get isKept(): boolean {
    return this.#writer !== undefined;
  }

  /** The provider is called once more. */
  attempt(number: number): void {
    this.#row.attempts = number;
  }

  /** The answer has begun. */
  begin(status: number, contentType: string | undefined, nowMs: number, isCached = false): void {
    this.#row.status_code = status;
    this.#row.success = status >= 200 && status < 400 ? 1 : 0;
    this.#row.response_content_type = contentType === undefined ? null : storable(contentType);
    this.#row.ttft_ms = Math.max(0, nowMs - this.#row.created_at);
    this.#row.cached = isCached ? 1 : 0;
  }

  /**
   * The step is over: queues the row. Only the first call counts.
   * @param costNanoUsd null: nobody knows
   * @param failure status to log instead of the answer's own, when it did not end well
   */
  end(usage: Usage, costNanoUsd: number | null, nowMs: number, failure?: number): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const row = this.#row;
    if (failure !== undefined) {
      row.status_code = failure;
      row.success = 0;
    }
    row.tokens_in = usage.tokensIn;
    row.tokens_out = usage.tokensOut;
    row.cache_tokens = usage.cacheReadTokens;
    row.cost_nano_usd = costNanoUsd;
    row.duration_ms = Math.max(0, nowMs - row.created_at);
    this.#writer?.push(row);
  }
}

function storableMetadata(metadata: Metadata): string {
  const entries = Object.entries(metadata).map(([key, value]) => [
    clean(key),
    typeof value === 'string' ? clean(value) : value,
  ]);
  return JSON.stringify(Object.fromEntries(entries));
}
