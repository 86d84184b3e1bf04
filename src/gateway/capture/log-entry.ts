import { callerIds } from '../admitted-caller.ts';
import { createUuidV7 } from '../../lib/ids.ts';
import { REDACTED } from '../../lib/replacements.ts';

import type { GatewayRequest, RequestTarget, ProviderStep, Metadata } from '../gateway-request.ts';
import { firstOf, type ResponseHeaders } from '../http-headers.ts';
import type { GenAiMetrics } from '../gen-ai-metrics.ts';
import type { OtelExporter } from '../../request-log/otlp/otel-exporter.ts';
import type { Usage } from '../usage/usage.ts';
import { isCredentialName } from '../../lib/credential-names.ts';
import type { LogRow } from '../../request-log/record.ts';
import type { LogLimit } from '../../gateway-admin/snapshot.ts';
import type { LogWriter } from '../../request-log/writer/log-writer.ts';
import type { CapturedBody } from './captured-body.ts';
import { PayloadCapture } from './payload-capture.ts';
import type { PayloadBudget } from './payload-budget.ts';
import { redactText } from '../../request-log/redaction/redact-body.ts';
import { RejectedCapture } from './rejected-capture.ts';

const MAX_TEXT_LENGTH = 256;

/** Most texts contain only these characters, which every database accepts. */
const PLAIN = /^[\x20-\x7e]*$/;

/** Removes NUL and lone surrogates, which databases reject. */
function clean(text: string): string {
  return PLAIN.test(text) ? text : text.replaceAll('\0', '').toWellFormed();
}

/** Returns a text for the log: cleaned, redacted and truncated to 256 characters. */
function storable(text: string): string {
  // Redacts before it truncates: the rest of a credential would not be recognized.
  return clean(redactText(text.slice(0, 2 * MAX_TEXT_LENGTH))).slice(0, MAX_TEXT_LENGTH);
}

/**
 * The source of the token counts of a row: the provider, an estimate of the gateway, or the provider with the price of the
 * model that the response names.
 */
export type UsageSource = 'provider' | 'estimate' | 'answer_model';

/** The end of a step, without its tokens and its cost. */
export interface StepEnd {
  /** Status to log instead of that of the response. */
  failure?: number | undefined;
  /** Default: no usage. */
  usageSource?: UsageSource | null | undefined;
}

/** Status in the log if the client disconnected before the end of the response. */
export const CLIENT_GONE = 499;

export interface LogEntryParts {
  logWriter: LogWriter;
  /** For responses that are captured while they pass. */
  payloadBudget: PayloadBudget;
  otel: OtelExporter;
  genAi: GenAiMetrics;
}

/** The log row of one step in progress. */
export class LogEntry {
  readonly id: string;
  readonly #writer: LogWriter | undefined;
  readonly #otel: OtelExporter;
  readonly #genAi: GenAiMetrics;
  readonly #request: GatewayRequest;
  readonly #step: ProviderStep;
  readonly #row: LogRow;
  readonly #capture: PayloadCapture | undefined;
  #rejected: RejectedCapture | undefined;
  #hasAttempt = false;
  #isOver = false;

  constructor(
    { logWriter, payloadBudget, otel, genAi }: LogEntryParts,
    request: GatewayRequest,
    step: ProviderStep,
    index: number,
  ) {
    const { route, options } = step;
    const { receivedAtMs, headers, gateway, caller } = request;
    const { tokenId, userId, oauthClientId } = callerIds(caller);
    this.id = createUuidV7(receivedAtMs);
    // The request takes precedence over the gateway.
    this.#writer = (options.collectLog ?? gateway.collectLogs) ? logWriter : undefined;
    const keepsPayload =
      this.isKept && !gateway.isZeroDataRetention && options.collectLogPayload !== false;
    this.#capture = keepsPayload ? new PayloadCapture(payloadBudget, step) : undefined;
    this.#otel = otel;
    this.#genAi = genAi;
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
      model: storable(route.model),
      model_type: modelTypeOf(request.target),
      path: storable(route.path),
      status_code: 0,
      success: 0,
      tokens_in: null,
      tokens_out: null,
      request_type: request.target.entry,
      request_content_type: contentType === undefined ? null : storable(contentType),
      response_content_type: null,
      token_id: tokenId,
      cached: 0,
      step: index,
      attempts: 1,
      cache_tokens: null,
      cost_nano_usd: null,
      custom_cost: options.customCost === undefined ? 0 : 1,
      usage_source: null,
      metadata: options.metadata === undefined ? null : storableMetadata(options.metadata),
      event_id: options.eventId === undefined ? null : storable(options.eventId),
      user_id: userId,
      oauth_client_id: oauthClientId,
    };
  }

  /** The log stores this row. */
  get isKept(): boolean {
    return this.#writer !== undefined;
  }

  /** Begins to capture the response that the client gets. */
  readonly capture = (headers: ResponseHeaders): CapturedBody | undefined => {
    const contentType = firstOf(headers['content-type']);
    this.#row.response_content_type = contentType === undefined ? null : storable(contentType);
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
   * Ends the step: queues its row and its span. Later calls have no effect.
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
    this.#genAi.record(row);
    if (this.#rejected === undefined) this.#push();
    else this.#rejected.whenOver(() => this.#push());
    this.#otel.record({
      request: this.#request,
      step: this.#step,
      row,
      isLogged: this.isKept,
      usage,
    });
  }

  /** Returns a copy of the row, for a later row of the same call. Without `logLimit`, the log stores no row. */
  get template(): { row: LogRow; logLimit?: LogLimit | null } {
    const row = { ...this.#row };
    return this.isKept ? { row, logLimit: this.#request.gateway.logLimit } : { row };
  }

  #push(): void {
    this.#writer?.push({
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

/** Returns metadata for the log: JSON without credentials that every database accepts. */
export function storableMetadata(metadata: Metadata): string {
  const entries = Object.entries(metadata).map(([key, value]) => [
    clean(redactText(key)),
    typeof value === 'string' ? storableValue(key, value) : value,
  ]);
  return JSON.stringify(Object.fromEntries(entries));
}

function storableValue(key: string, value: string): string {
  return isCredentialName(key) ? REDACTED : clean(redactText(value));
}
