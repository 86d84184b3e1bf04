import { type CredentialPrincipal, tokenOf } from '../../iam/principal.ts';
import { createUuidV7 } from '../../lib/ids.ts';
import type { Exchange } from '../exchange.ts';
import type { Gateway } from '../gateways/gateway-store.ts';
import type { Route } from '../resolve-route.ts';
import type { Usage } from '../usage.ts';
import type { LogRow } from './log-store.ts';
import type { LogWriter } from './log-writer.ts';

const MAX_TEXT_LENGTH = 256;

/** What outsiders wrote, made fit for any database: bounded, no NUL, no half characters. */
function storable(text: string): string {
  return text.slice(0, MAX_TEXT_LENGTH).replaceAll('\0', '').toWellFormed();
}

/** What the request says of its own logging goes before what the gateway says. */
function wantsLog({ headers }: Exchange['request'], gateway: Gateway): boolean {
  const asked = headers['cf-aig-collect-log'];
  if (asked === 'true' || asked === 'false') return asked === 'true';
  return gateway.collectLogs;
}

/** Who called, as the audit log has it: the API token, or the OAuth client that acts for a person. */
function callerId(caller: CredentialPrincipal | undefined): string | null {
  if (caller === undefined) return null;
  if (caller.type === 'oauth') return caller.authorization.clientId;
  return tokenOf(caller)?.id ?? null;
}

/** Status under which an exchange is logged that the client left before its end. */
export const CLIENT_GONE = 499;

/** The log row of one exchange while it is under way. */
export class LogEntry {
  readonly id: string;
  readonly #writer: LogWriter | undefined;
  readonly #row: LogRow;
  #isOver = false;

  constructor(writer: LogWriter, exchange: Exchange, route: Route) {
    const { receivedAtMs, request, admission } = exchange;
    const { gateway, caller } = admission;
    this.id = createUuidV7(receivedAtMs);
    this.#writer = wantsLog(request, gateway) ? writer : undefined;
    const [path = ''] = route.path.split('?', 1);
    const contentType = request.headers['content-type'];
    this.#row = {
      account_id: gateway.accountId,
      gateway_id: gateway.id,
      id: this.id,
      created_at: receivedAtMs,
      duration_ms: 0,
      ttft_ms: null,
      provider: route.provider.name,
      model: storable(route.model),
      path: storable(path),
      status_code: 0,
      success: 0,
      tokens_in: null,
      tokens_out: null,
      request_type: exchange.wanted.way,
      request_content_type: contentType === undefined ? null : storable(contentType),
      response_content_type: null,
      token_id: callerId(caller),
    };
  }

  /** Whether the gateway keeps logs. */
  get isKept(): boolean {
    return this.#writer !== undefined;
  }

  /** The answer has begun. */
  begin(status: number, contentType: string | undefined, nowMs: number): void {
    this.#row.status_code = status;
    this.#row.success = status >= 200 && status < 400 ? 1 : 0;
    this.#row.response_content_type = contentType === undefined ? null : storable(contentType);
    this.#row.ttft_ms = Math.max(0, nowMs - this.#row.created_at);
  }

  /**
   * The exchange is over: queues the row. Only the first call counts.
   * @param failure status to log instead of the answer's own, when it did not end well
   */
  end(usage: Usage, nowMs: number, failure?: number): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (failure !== undefined) {
      this.#row.status_code = failure;
      this.#row.success = 0;
    }
    this.#row.tokens_in = usage.tokensIn;
    this.#row.tokens_out = usage.tokensOut;
    this.#row.duration_ms = Math.max(0, nowMs - this.#row.created_at);
    this.#writer?.push(this.#row);
  }
}
