import type { ErrorDefinition } from '../http/errors.ts';
import { gatewayErrors } from './gateway-errors.ts';
import { firstOf } from './headers.ts';
import type { RetryPolicy } from './gateways/gateway-store.ts';
import { MAX_ATTEMPTS, MAX_CACHE_TTL_SECONDS, MAX_RETRY_DELAY_MS } from './option-bounds.ts';

/** Prices that a request names itself, US dollars a token. */
export interface CustomCost {
  perTokenIn: number;
  perTokenOut: number;
  /** The price of input from the provider's cache. Default: the price of other input. */
  perCacheReadToken?: number;
  /** The price of input written to the provider's cache. Default: the price of other input. */
  perCacheWriteToken?: number;
}

export type Metadata = Readonly<Record<string, string | number | boolean | null>>;

/** What a request says of its own treatment; what it leaves open, the gateway says. */
export interface RequestOptions {
  skipCache?: boolean;
  cacheTtlSeconds?: number;
  /** Instead of the body, within the same scope. */
  cacheKey?: string;
  collectLog?: boolean;
  /** False keeps the log row without bodies. */
  collectLogPayload?: boolean;
  metadata?: Metadata;
  customCost?: CustomCost;
  /** Time to the first byte of the answer. */
  requestTimeoutMs?: number;
  maxAttempts?: number;
  retryDelayMs?: number;
  backoff?: RetryPolicy['backoff'];
  /** Which of the gateway's stored keys is used. */
  byokAlias?: string;
  eventId?: string;
}

/** The value of a header by its lower-case name. */
type HeaderOf = (name: string) => string | undefined;

type Reader = (text: string) => unknown;

const MAX_TEXT_LENGTH = 256;
// RFC 9110 section 5.5: universal requests write headers in JSON, which holds anything.
const TEXT = /^[\t\x20-\x7e\x80-\xff]+$/;
/** Of metadata, in characters. */
export const MAX_METADATA_LENGTH = 8 * 1024;
const MAX_JSON_LENGTH = MAX_METADATA_LENGTH;
export const MAX_METADATA_ENTRIES = 5;
const MAX_REQUEST_TIMEOUT_MS = 3_600_000;

class BadValue extends Error {}

/** Every header of a request that is meant for the gateway itself, and how it is read. */
const readers = {
  skipCache: ['cf-aig-skip-cache', flag],
  cacheTtlSeconds: ['cf-aig-cache-ttl', integer(0, MAX_CACHE_TTL_SECONDS)],
  cacheKey: ['cf-aig-cache-key', text],
  collectLog: ['cf-aig-collect-log', flag],
  collectLogPayload: ['cf-aig-collect-log-payload', flag],
  metadata: ['cf-aig-metadata', metadata],
  customCost: ['cf-aig-custom-cost', customCost],
  requestTimeoutMs: ['cf-aig-request-timeout', integer(1, MAX_REQUEST_TIMEOUT_MS)],
  maxAttempts: ['cf-aig-max-attempts', integer(1, MAX_ATTEMPTS)],
  retryDelayMs: ['cf-aig-retry-delay', integer(0, MAX_RETRY_DELAY_MS)],
  backoff: ['cf-aig-backoff', backoff],
  byokAlias: ['cf-aig-byok-alias', text],
  eventId: ['cf-aig-event-id', text],
} as const satisfies Record<keyof RequestOptions, readonly [header: string, read: Reader]>;

const NONE: RequestOptions = {};

/** The options that an unauthenticated caller has no right to: they affect more than its own call. */
function withoutForeignEffects({
  customCost: _cost,
  cacheKey: _key,
  collectLog,
  ...own
}: RequestOptions): RequestOptions {
  return collectLog === false ? { ...own, collectLog } : own;
}

/**
 * Reads the options from `cf-aig-*` headers. Of an unauthenticated caller, it ignores prices, cache keys
 * and the wish to be logged.
 * @returns the options, or the error to refuse with: an option that is misread in silence would cost
 *   money, or log what must not be logged
 */
export function readOptions(
  header: HeaderOf,
  isAuthenticated: boolean,
): RequestOptions | ErrorDefinition {
  const options: Record<string, unknown> = {};
  for (const [field, [name, read]] of Object.entries(readers)) {
    const value = header(name);
    if (value === undefined) continue;
    try {
      options[field] = read(value);
    } catch (error) {
      if (!(error instanceof BadValue)) throw error;
      const { badHeader } = gatewayErrors;
      return { ...badHeader, message: `${badHeader.message}: ${name} ${error.message}` };
    }
  }
  return isAuthenticated ? options : withoutForeignEffects(options);
}

/** The options of an HTTP request. */
export function optionsOf(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  isAuthenticated: boolean,
): RequestOptions | ErrorDefinition {
  for (const name in headers) {
    if (name.startsWith('cf-aig-')) {
      return readOptions((wanted) => headerText(headers[wanted]), isAuthenticated);
    }
  }
  return NONE;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });
// eslint-disable-next-line no-control-regex -- the characters that node:http makes of bytes
const NON_ASCII = /[^\x00-\x7f]/;

/**
 * Returns the value of a header. Node decodes the bytes as Latin-1, but most clients send UTF-8 (RFC 9110 section 5.5
 * defines neither).
 */
function headerText(value: string | string[] | undefined): string | undefined {
  const text = firstOf(value);
  if (text === undefined || !NON_ASCII.test(text)) return text;
  try {
    return utf8.decode(Buffer.from(text, 'latin1'));
  } catch {
    return text;
  }
}

function flag(value: string): boolean {
  if (value === 'true' || value === '1') return true;
  if (value === 'false' || value === '0') return false;
  throw new BadValue('must be true or false');
}

function integer(least: number, most: number): (value: string) => number {
  return (value) => {
    const number = /^\d{1,10}$/.test(value) ? Number(value) : Number.NaN;
    if (number >= least && number <= most) return number;
    throw new BadValue(`must be a whole number from ${least} to ${most}`);
  };
}

function text(value: string): string {
  if (value.length > MAX_TEXT_LENGTH || value === '') {
    throw new BadValue(`must have 1 to ${MAX_TEXT_LENGTH} characters`);
  }
  if (!TEXT.test(value))
    throw new BadValue('must contain only characters that are allowed in a header');
  return value;
}

function backoff(value: string): RetryPolicy['backoff'] {
  if (value === 'constant' || value === 'linear' || value === 'exponential') return value;
  throw new BadValue('must be constant, linear or exponential');
}

function jsonObject(value: string): Record<string, unknown> {
  if (value.length > MAX_JSON_LENGTH) {
    throw new BadValue(`must have at most ${MAX_JSON_LENGTH} characters`);
  }
  let parsed: unknown;
  try {
    parsed = JSON.parse(value);
  } catch {
    // Told below.
  }
  if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) {
    return parsed as Record<string, unknown>;
  }
  throw new BadValue('must be a JSON object');
}

function metadata(value: string): Metadata {
  const entries = Object.entries(jsonObject(value)).slice(0, MAX_METADATA_ENTRIES);
  if (entries.some(([, entry]) => typeof entry === 'object' && entry !== null)) {
    throw new BadValue('must be flat: values are strings, numbers and booleans');
  }
  return Object.fromEntries(entries) as Metadata;
}

function customCost(value: string): CustomCost {
  const named = jsonObject(value);
  const isPrice = (price: unknown): price is number =>
    typeof price === 'number' && price >= 0 && price <= 1_000;
  const { per_token_in: perTokenIn, per_token_out: perTokenOut } = named;
  const { per_cache_read_token: read, per_cache_write_token: write } = named;
  const areOptional = [read, write].every((price) => price === undefined || isPrice(price));
  if (isPrice(perTokenIn) && isPrice(perTokenOut) && areOptional) {
    return {
      perTokenIn,
      perTokenOut,
      ...(isPrice(read) && { perCacheReadToken: read }),
      ...(isPrice(write) && { perCacheWriteToken: write }),
    };
  }
  throw new BadValue('must have per_token_in and per_token_out, in US dollars from 0 to 1000');
}
