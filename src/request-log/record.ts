import { isCredentialName } from '../lib/credential-names.ts';
import { REDACTED } from '../lib/credential-forms.ts';
import type { GatewayLogContextsTable, LogScopeColumns } from '../storage/log-tables.ts';
import { redactText } from './redaction/redact.ts';

export { HeaderAllowList } from './redaction/header-allow-list.ts';

/** The values that many rows of a gateway share. */
export type LogContext = Omit<
  GatewayLogContextsTable,
  keyof LogScopeColumns | 'context_id' | 'log_count'
>;

/**
 * The source of the token counts of a row: the provider, an estimate of the gateway, or the provider with the price of the
 * model that the response names.
 */
export type UsageSource = 'provider' | 'estimate' | 'answer_model';

/** The metadata of a request, from `cf-aig-metadata`. */
export type Metadata = Readonly<Record<string, string | number | boolean | null>>;

/** One log row to write. */
export interface LogRow extends LogContext {
  account_id: string;
  gateway_id: string;
  /** Creation of the gateway, which separates the sums of earlier gateways with the same id. Not stored. */
  gateway_created_at: number;
  /** UUIDv7 of `created_at`. */
  id: string;
  /** Arrival of the request, in milliseconds since the Unix epoch. */
  created_at: number;
  duration_ms: number;
  /** Time to the first byte of the response. */
  ttft_ms: number | null;
  tokens_in: number | null;
  tokens_out: number | null;
  cache_tokens: number | null;
  /** Billionths of a US dollar. */
  cost_nano_usd: number | null;
  /** JSON: a flat object. */
  metadata: string | null;
  event_id: string | null;
}

/** The captured bodies and header fields. The writer redacts credentials in the bodies. */
export interface LogPayload {
  request: Uint8Array;
  response: readonly Uint8Array[];
  /** Sizes of the whole bodies. */
  requestSize: number;
  responseSize: number;
  /** JSON, by {@link HeaderAllowList}. */
  requestHeaders: string;
  responseHeaders: string;
  /** Credentials in the header fields of the request, which the bodies must not contain. At most 8. */
  secrets: readonly string[];
}

/** The number of log rows of a gateway. */
export interface LogLimit {
  maxRows: number;
  strategy: 'STOP_INSERTING' | 'DELETE_OLDEST';
}

/** The log record of one step. */
export interface LogRecord {
  row: LogRow;
  /** Null: the row has no bodies. */
  payload: LogPayload | null;
  /** Null: no limit. */
  limit: LogLimit | null;
}

/** A receiver of spans. */
export interface SpanTarget {
  accountId: string;
  gatewayId: string;
  /** The URL for spans, which may contain credentials, as may the headers. */
  url: URL;
  /** Alternating names and values. */
  headers: readonly string[];
  /** Identifies gateway, URL and credentials. Spans with different keys never share a request. */
  key: string;
}

/** The content of the span of a step besides its row. */
export interface StepTrace {
  targets: readonly SpanTarget[];
  /** The log stores the row. */
  isLogged: boolean;
  /** Part of the input that the provider wrote to its cache. */
  cacheWriteTokens: number | null;
  /** Scheme, host and port of the provider; undefined: a model of this server. */
  origin: string | undefined;
  /** Id of the request: a UUID. */
  requestId: string;
  /** The header `traceparent` of the request. */
  traceparent: string | undefined;
  /** Start of the step, in milliseconds since the Unix epoch. */
  startMs: number;
}

const MAX_TEXT_LENGTH = 256;

/** Most texts contain only these characters, which every database accepts. */
const PLAIN = /^[\x20-\x7e]*$/;

/** Removes NUL and lone surrogates, which databases reject. */
function clean(text: string): string {
  return PLAIN.test(text) ? text : text.replaceAll('\0', '').toWellFormed();
}

/** Returns a text for a column of a row: cleaned, redacted and truncated to 256 characters. */
export function loggableText(text: string): string {
  // Redacts before it truncates: the rest of a credential would not be recognized.
  return clean(redactText(text.slice(0, 2 * MAX_TEXT_LENGTH))).slice(0, MAX_TEXT_LENGTH);
}

/** Returns a value of metadata without credentials, in a form that every database accepts. */
export function loggableValue(key: string, value: string): string {
  return isCredentialName(key) ? REDACTED : clean(redactText(value));
}

/** Returns metadata for the column of a row: JSON without credentials that every database accepts. */
export function loggableMetadata(metadata: Metadata): string {
  const entries = Object.entries(metadata).map(([key, value]) => [
    clean(redactText(key)),
    typeof value === 'string' ? loggableValue(key, value) : value,
  ]);
  return JSON.stringify(Object.fromEntries(entries));
}
