import { GatewayError } from '../gateway-error.ts';
import { gatewayErrors } from '../gateway-errors.ts';
import { firstOf } from '../http-headers.ts';
import type { RequestOptions, CustomCost } from '../gateway-request.ts';
import type { Metadata } from '../../request-log/record.ts';
import {
  MAX_ATTEMPTS,
  MAX_CACHE_TTL_SECONDS,
  MAX_METADATA_ENTRIES,
  MAX_METADATA_LENGTH,
  MAX_RETRY_DELAY_MS,
} from '../../lib/gateway-bounds.ts';
import type { RetryPolicy } from '../../gateway-admin/snapshot.ts';

/** Returns the value of a header by its lower-case name. */
type HeaderOf = (name: string) => string | undefined;

/** @throws GatewayError 2022 */
type Reader = (value: string, name: string) => unknown;

const MAX_TEXT_LENGTH = 256;
// RFC 9110 section 5.5. The headers of universal requests are JSON, which allows other characters.
const TEXT = /^[\t\x20-\x7e\x80-\xff]+$/;
const MAX_REQUEST_TIMEOUT_MS = 3_600_000;

function invalid(name: string, reason: string): GatewayError {
  const { badHeader } = gatewayErrors;
  return new GatewayError(badHeader, { message: `${badHeader.message}: ${name} ${reason}` });
}

/** The headers of the options, with their parsers. */
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

/** Removes the options that affect more than the call, which an unauthenticated client must not set. */
function withoutForeignEffects({
  customCost: _cost,
  cacheKey: _key,
  collectLog,
  ...own
}: RequestOptions): RequestOptions {
  return collectLog === false ? { ...own, collectLog } : own;
}

/**
 * Reads the options from `cf-aig-*` headers. Of an unauthenticated client, it ignores prices, cache keys and the request for
 * a log.
 * @throws GatewayError 2022 for an invalid value: an option that is ignored could cost money, or log what must not be
 *   logged
 */
export function readOptions(header: HeaderOf, isAuthenticated: boolean): RequestOptions {
  const options: Record<string, unknown> = {};
  for (const [field, [name, read]] of Object.entries(readers)) {
    const value = header(name);
    if (value !== undefined) options[field] = read(value, name);
  }
  return isAuthenticated ? options : withoutForeignEffects(options);
}

/**
 * Reads the options of an HTTP request.
 * @throws GatewayError 2022
 */
export function optionsOf(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  isAuthenticated: boolean,
): RequestOptions {
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

function flag(value: string, name: string): boolean {
  if (value === 'true' || value === '1') return true;
  if (value === 'false' || value === '0') return false;
  throw invalid(name, 'must be true or false');
}

function integer(least: number, most: number): (value: string, name: string) => number {
  return (value, name) => {
    const number = /^\d{1,10}$/.test(value) ? Number(value) : Number.NaN;
    if (number >= least && number <= most) return number;
    throw invalid(name, `must be a whole number from ${least} to ${most}`);
  };
}

function text(value: string, name: string): string {
  if (value.length > MAX_TEXT_LENGTH || value === '') {
    throw invalid(name, `must have 1 to ${MAX_TEXT_LENGTH} characters`);
  }
  if (!TEXT.test(value))
    throw invalid(name, 'must contain only characters that are allowed in a header');
  return value;
}

function backoff(value: string, name: string): RetryPolicy['backoff'] {
  if (value === 'constant' || value === 'linear' || value === 'exponential') return value;
  throw invalid(name, 'must be constant, linear or exponential');
}

function jsonObject(value: string, name: string): Record<string, unknown> {
  if (value.length > MAX_METADATA_LENGTH) {
    throw invalid(name, `must have at most ${MAX_METADATA_LENGTH} characters`);
  }
  let parsed: unknown;
  try {
    parsed = JSON.parse(value);
  } catch {
    // Reported below.
  }
  if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) {
    return parsed as Record<string, unknown>;
  }
  throw invalid(name, 'must be a JSON object');
}

function metadata(value: string, name: string): Metadata {
  const entries = Object.entries(jsonObject(value, name)).slice(0, MAX_METADATA_ENTRIES);
  if (entries.some(([, entry]) => typeof entry === 'object' && entry !== null)) {
    throw invalid(name, 'must be flat: values are strings, numbers and booleans');
  }
  return Object.fromEntries(entries) as Metadata;
}

function customCost(value: string, name: string): CustomCost {
  const prices = jsonObject(value, name);
  const isPrice = (price: unknown): price is number =>
    typeof price === 'number' && price >= 0 && price <= 1_000;
  const { per_token_in: perTokenIn, per_token_out: perTokenOut } = prices;
  const { per_cache_read_token: read, per_cache_write_token: write } = prices;
  const areOptional = [read, write].every((price) => price === undefined || isPrice(price));
  if (isPrice(perTokenIn) && isPrice(perTokenOut) && areOptional) {
    return {
      perTokenIn,
      perTokenOut,
      ...(isPrice(read) && { perCacheReadToken: read }),
      ...(isPrice(write) && { perCacheWriteToken: write }),
    };
  }
  throw invalid(name, 'must have per_token_in and per_token_out, in US dollars from 0 to 1000');
}
