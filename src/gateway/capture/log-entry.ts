import { createUuidV7 } from '../../lib/ids.ts';
import {
  type LogLimit,
  type LogRow,
  type StepTrace,
  type UsageSource,
  loggableMetadata,
  loggableText,
} from '../../request-log/record.ts';
import type { RequestLog } from '../../request-log/request-log.ts';
import { callerIds } from '../admitted-caller.ts';
import {
  type GatewayRequest,
  type ProviderStep,
  type RequestTarget,
  isLocal,
} from '../gateway-request.ts';
import { firstOf, type ResponseHeaders } from '../http-headers.ts';
import type { Usage } from '../usage/usage.ts';
import type { CapturedBody } from './captured-body.ts';
import { PayloadCapture, type PayloadCaptureParts } from './payload-capture.ts';
import { RejectedCapture } from './rejected-capture.ts';

/** The end of a step, without its tokens and its cost. */
export interface StepEnd {
  /** Status to log instead of that of the response. */
  failure?: number | undefined;
  /** Default: no usage. */
  usageSource?: UsageSource | null | undefined;
}

/** Status in the log if the client disconnected before the end of the response. */
export const CLIENT_GONE = 499;

/** The dependencies of {@link LogEntry}. */
export interface LogEntryParts extends PayloadCaptureParts {
  requestLog: RequestLog;
}

/** The log row of one step in progress. */
export class LogEntry {
  readonly id: string;
  /** The log stores this row. */
  readonly isKept: boolean;
  readonly #log: RequestLog;
  readonly #request: GatewayRequest;
  readonly #step: ProviderStep;
  readonly #row: LogRow;
  readonly #capture: PayloadCapture | undefined;
  #rejected: RejectedCapture | undefined;
  #hasAttempt = false;
  #isOver = false;

  constructor(parts: LogEntryParts, request: GatewayRequest, step: ProviderStep, index: number) {
    const { route, options } = step;
    const { receivedAtMs, headers, gateway, caller } = request;
    const { tokenId, userId, oauthClientId } = callerIds(caller);
    this.id = createUuidV7(receivedAtMs);
    // The request takes precedence over the gateway.
    this.isKept = options.collectLog ?? gateway.collectLogs;
    this.#log = parts.requestLog;
    const keepsPayload =
      this.isKept && !gateway.isZeroDataRetention && options.collectLogPayload !== false;
    this.#capture = keepsPayload ? new PayloadCapture(parts, step) : undefined;
    this.#request = request;
    this.#step = step;
    const contentType = headers['content-type'];
    this.#row = {
      account_id: gateway.accountId,
      gateway_id: gateway.id,
      gateway_created_at: gateway.createdAtMs,
      id: this.id,
      created_at: receivedAtMs,
      duration_ms: 0,
      ttft_ms: null,
      provider: route.provider.name,
      model: loggableText(route.model),
      model_type: modelTypeOf(request.target),
      path: loggableText(route.path),
      status_code: 0,
      success: 0,
      tokens_in: null,
      tokens_out: null,
      request_type: request.target.entry,
      request_content_type: contentType === undefined ? null : loggableText(contentType),
      response_content_type: null,
      token_id: tokenId,
      cached: 0,
      step: index,
      attempts: 1,
      cache_tokens: null,
      cost_nano_usd: null,
      custom_cost: options.customCost === undefined ? 0 : 1,
      usage_source: null,
      metadata: options.metadata === undefined ? null : loggableMetadata(options.metadata),
      event_id: options.eventId === undefined ? null : loggableText(options.eventId),
      user_id: userId,
      oauth_client_id: oauthClientId,
    };
  }

  /** Begins to capture the response that the client gets. */
  readonly capture = (headers: ResponseHeaders): CapturedBody | undefined => {
    const contentType = firstOf(headers['content-type']);
    this.#row.response_content_type = contentType === undefined ? null : loggableText(contentType);
    this.#rejected = undefined;
    return this.#capture?.begin(headers);
  };

  /** Begins to capture a response that the client does not get; undefined if the log stores no bodies. */
  captureRejected(headers: ResponseHeaders): RejectedCapture | undefined {
    const body = this.capture(headers);
    this.#rejected = body && new RejectedCapture(body);
    return this.#rejected;
  }

  /** The provider is called for the nth time. */
  attempt(number: number): void {
    this.#hasAttempt = true;
    this.#row.attempts = number;
  }

  /** The provider was called. */
  get hasAttempt(): boolean {
    return this.#hasAttempt;
  }

  /** The response begins. */
  begin(status: number, nowMs: number, isCached = false): void {
    this.#row.status_code = status;
    this.#row.success = status >= 200 && status < 400 ? 1 : 0;
    this.#row.ttft_ms = Math.max(0, nowMs - this.#row.created_at);
    this.#row.cached = isCached ? 1 : 0;
  }

  /**
   * Ends the step: counts it, and queues its row and its span. Later calls have no effect.
   * @param costNanoUsd billionths of a US dollar; null: unknown
   */
  end(
    usage: Usage,
    costNanoUsd: number | null,
    nowMs: number,
    { failure, usageSource = null }: StepEnd = {},
  ): void {
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
    row.usage_source = usageSource;
    row.duration_ms = Math.max(0, nowMs - row.created_at);
    this.#log.count(row, this.#traceOf(usage));
    this.#request.stepEndedAtMs = row.created_at + row.duration_ms;
    if (!this.isKept) return;
    if (this.#rejected === undefined) this.#write();
    else this.#rejected.whenOver(() => this.#write());
  }

  /** @returns undefined if the gateway has no receivers of spans */
  #traceOf({ cacheWriteTokens }: Usage): StepTrace | undefined {
    const { id, gateway, headers, stepEndedAtMs, receivedAtMs } = this.#request;
    if (gateway.otelTargets.length === 0) return undefined;
    const { route } = this.#step;
    const { traceparent } = headers;
    return {
      targets: gateway.otelTargets,
      isLogged: this.isKept,
      cacheWriteTokens,
      origin: isLocal(route) ? undefined : route.endpoint.origin,
      requestId: id,
      traceparent: typeof traceparent === 'string' ? traceparent : undefined,
      startMs: stepEndedAtMs ?? receivedAtMs,
    };
  }

  /** Returns a copy of the row, for a later row of the same call. Without `logLimit`, the log stores no row. */
  get template(): { row: LogRow; logLimit?: LogLimit | null } {
    const row = { ...this.#row };
    return this.isKept ? { row, logLimit: this.#request.gateway.logLimit } : { row };
  }

  #write(): void {
    this.#log.write({
      row: this.#row,
      payload: this.#capture?.finish() ?? null,
      limit: this.#request.gateway.logLimit,
    });
  }

  /** Discards the row, unless the step has ended. */
  abandon(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#capture?.abandon();
  }
}

/** Returns the type of the model, if the operation determines it. */
function modelTypeOf(target: RequestTarget): string | null {
  if (target.entry !== 'rest' && target.entry !== 'compat') return null;
  return target.operation === 'embeddings' ? 'embeddings' : 'text-generation';
}
