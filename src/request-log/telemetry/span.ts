import type { LogRow, Metadata, StepTrace } from '../record.ts';
import { Attributes } from './attributes.ts';
import { operationNameOf, providerNameOf } from './gen-ai-names.ts';

/** The columns of a log row in a span. */
export type SpanRow = Pick<
  LogRow,
  | 'account_id'
  | 'gateway_id'
  | 'id'
  | 'created_at'
  | 'duration_ms'
  | 'ttft_ms'
  | 'provider'
  | 'model'
  | 'path'
  | 'status_code'
  | 'success'
  | 'response_content_type'
  | 'tokens_in'
  | 'tokens_out'
  | 'cache_tokens'
  | 'cost_nano_usd'
  | 'metadata'
  | 'event_id'
  | 'token_id'
  | 'user_id'
  | 'step'
  | 'attempts'
  | 'cached'
>;

/** The content of a span besides its row. */
type SpanContext = Omit<StepTrace, 'targets'>;

// opentelemetry.proto.trace.v1: SpanKind, Status.StatusCode and SpanFlags.
const KIND_CLIENT = 3;
const STATUS_ERROR = 2;
const SAMPLED = 0x001;
const HAS_IS_REMOTE = 0x100;
const IS_REMOTE = 0x200;

const NANO_USD = 1e9;
const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

/**
 * Returns a span of the semantic conventions for generative AI in the JSON encoding of OTLP. It contains no content of the
 * request or the response. The trace is that of the client. Without one, the request is a trace, whose id is that of the
 * request without dashes.
 */
export function formatSpan(row: SpanRow, trace: SpanContext): string {
  const { requestId, traceparent, startMs } = trace;
  const parent = readTraceparent(traceparent);
  const operation = operationNameOf(row.path);
  return JSON.stringify({
    traceId: parent?.traceId ?? requestId.replaceAll('-', ''),
    spanId: spanIdOf(row.id),
    ...(parent === undefined ? {} : { parentSpanId: parent.parentSpanId }),
    flags: SAMPLED | HAS_IS_REMOTE | (parent === undefined ? 0 : IS_REMOTE),
    name: row.model === '' ? operation : `${operation} ${row.model}`,
    kind: KIND_CLIENT,
    startTimeUnixNano: nanoseconds(startMs),
    endTimeUnixNano: nanoseconds(Math.max(startMs, row.created_at + row.duration_ms)),
    attributes: [...genAiAttributes(row, trace, operation), ...ownAttributes(row, trace)],
    status: row.success === 1 ? {} : { code: STATUS_ERROR },
  });
}

/** Returns the random half of a UUIDv7, which is never zero, because its first bit is set. */
function spanIdOf(id: string): string {
  return id.slice(-17).replace('-', '');
}

function nanoseconds(timeMs: number): string {
  return `${Math.trunc(timeMs)}000000`;
}

function genAiAttributes(
  row: SpanRow,
  { origin, cacheWriteTokens, startMs }: SpanContext,
  name: string,
) {
  const url = origin === undefined ? null : URL.parse(origin);
  const attributes = new Attributes()
    .text('gen_ai.operation.name', name)
    .text('gen_ai.provider.name', providerNameOf(row.provider))
    .text('gen_ai.request.model', row.model)
    .integer('gen_ai.usage.input_tokens', row.tokens_in)
    .integer('gen_ai.usage.output_tokens', row.tokens_out)
    .integer('gen_ai.usage.cache_read.input_tokens', row.cache_tokens)
    .integer('gen_ai.usage.cache_creation.input_tokens', cacheWriteTokens)
    // No convention defines this attribute yet, but back ends read it.
    .number('gen_ai.usage.cost', dollarsOf(row))
    .text('error.type', row.success === 1 ? null : String(row.status_code))
    .integer('http.response.status_code', row.status_code)
    .text('server.address', url?.hostname.replace(/^\[|\]$/g, ''))
    .integer('server.port', url && (Number(url.port) || DEFAULT_PORTS[url.protocol]));
  if (row.response_content_type?.startsWith('text/event-stream') === true) {
    const firstMs = row.ttft_ms === null ? null : row.created_at + row.ttft_ms - startMs;
    attributes
      .flag('gen_ai.request.stream', true)
      .number('gen_ai.response.time_to_first_chunk', firstMs && Math.max(0, firstMs) / 1_000);
  }
  return attributes.list;
}

function ownAttributes(row: SpanRow, { isLogged, requestId }: SpanContext) {
  const attributes = new Attributes()
    .text('latchkey.account.id', row.account_id)
    .text('latchkey.gateway.id', row.gateway_id)
    .text('latchkey.request.id', requestId)
    .text('latchkey.log.id', isLogged ? row.id : null)
    .text('latchkey.event.id', row.event_id)
    .text('latchkey.token.id', row.token_id)
    .text('latchkey.user.id', row.user_id)
    .integer('latchkey.step', row.step)
    .integer('latchkey.attempts', row.attempts)
    .flag('latchkey.cached', row.cached === 1)
    .number('latchkey.cost_usd', dollarsOf(row));
  const metadata = JSON.parse(row.metadata ?? '{}') as Metadata;
  for (const [key, value] of Object.entries(metadata)) {
    const name = `latchkey.metadata.${key}`;
    if (typeof value === 'boolean') attributes.flag(name, value);
    else if (typeof value === 'number') attributes.number(name, value);
    else attributes.text(name, value);
  }
  return attributes.list;
}

function dollarsOf({ cost_nano_usd: cost }: SpanRow): number | null {
  return cost === null ? null : cost / NANO_USD;
}

/** The parent of a span. */
interface TraceContext {
  /** 32 lowercase hex digits, not all of them 0. */
  traceId: string;
  /** 16 lowercase hex digits, not all of them 0. */
  parentSpanId: string;
}

// W3C Trace Context section 3.2.2: a later version may have further parts after another dash.
const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/;
const ZEROS = /^0+$/;

/**
 * Parses a `traceparent` header (W3C Trace Context section 3.2). Ignores the sampled flag: the owner of the gateway
 * decides which spans are exported.
 * @returns undefined for a missing or invalid header
 */
function readTraceparent(header: string | undefined): TraceContext | undefined {
  const [, version, traceId = '', parentSpanId = '', rest] = TRACEPARENT.exec(header ?? '') ?? [];
  if (version === undefined || (version === '00' && rest !== undefined)) return undefined;
  if (ZEROS.test(traceId) || ZEROS.test(parentSpanId)) return undefined;
  return { traceId, parentSpanId };
}
