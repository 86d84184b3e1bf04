import { type Static, Type } from 'typebox';
import { measureJson } from '../../http/parse-json.ts';
import { SchemaCheck } from '../../http/schema-check.ts';
import { maxParsedBytes } from '../authenticate.ts';
import { badBodyError } from '../body-errors.ts';
import type { Exchange } from '../exchange.ts';
import { GatewayError } from '../gateway-error.ts';
import { gatewayErrors } from '../gateway-errors.ts';
import type { GatewayServices } from '../gateway-services.ts';
import { type RequestOptions, readOptions } from '../options.ts';
import { operations } from '../providers/provider.ts';
import { type Route, routeNative, routeOperation } from '../resolve-route.ts';
import type { Step } from '../step.ts';
import { TooManyValuesError, parseRequestJson } from '../translation/exact-json.ts';

// Whoever lists more is not looking for a provider any more.
const MAX_STEPS = 16;
const MAX_HEADERS = 64;
const MAX_HEADER_CHARACTERS = 16 * 1024;

const Scalar = Type.Union([Type.String(), Type.Number(), Type.Boolean()]);

// The pattern of a record's names matches no name of two lines, whose value could be anything.
const closed = { maxProperties: MAX_HEADERS, additionalProperties: false };

const EntrySchema = Type.Object({
  provider: Type.String({ minLength: 1, maxLength: 128 }),
  endpoint: Type.String({ maxLength: 8_192 }),
  headers: Type.Optional(
    Type.Record(Type.String(), Type.String({ maxLength: MAX_HEADER_CHARACTERS }), closed),
  ),
  query: Type.Unknown(),
  config: Type.Optional(Type.Record(Type.String(), Scalar, closed)),
});

const entries = SchemaCheck.of(Type.Array(EntrySchema, { minItems: 1, maxItems: MAX_STEPS }));

/** One provider call of a universal request, as its writer says it. */
export type UniversalEntry = Static<typeof EntrySchema>;

/** What `config` may say, and the header that says the same. */
const CONFIG_HEADERS: Readonly<Record<string, string>> = {
  requestTimeout: 'cf-aig-request-timeout',
  maxAttempts: 'cf-aig-max-attempts',
  retryDelay: 'cf-aig-retry-delay',
  backoff: 'cf-aig-backoff',
  cacheTtl: 'cf-aig-cache-ttl',
  cacheKey: 'cf-aig-cache-key',
  skipCache: 'cf-aig-skip-cache',
};

/**
 * Reads a universal request: a list of provider calls, each the fallback of those before. What an
 * entry says of its own treatment goes before what the request's headers say.
 * @throws GatewayError if a step is not valid
 */
export async function readUniversal(
  services: GatewayServices,
  exchange: Exchange,
  options: RequestOptions,
): Promise<Step[]> {
  const { body } = exchange;
  if (body.length > maxParsedBytes(exchange.admission)) {
    throw new GatewayError(gatewayErrors.bodyTooLarge);
  }
  const list = parse(body.toString(), services.jsonMaxDepth);
  if (!entries.matches(list)) {
    const { pointer, reason } = entries.faultOf(list);
    throw badList(`${pointer === '' ? 'it' : pointer} ${reason}`);
  }
  const steps: Step[] = [];
  for (const entry of list) {
    // oxlint-disable-next-line no-await-in-loop -- nearly always answered from memory
    steps.push(await readEntry(services, exchange, options, entry));
  }
  return steps;
}

function parse(text: string, maxDepth: number): unknown {
  // One level more than a body on its own: that of the list.
  if (measureJson(text).depth > maxDepth + 2) return undefined;
  try {
    return parseRequestJson(text);
  } catch (error) {
    if (error instanceof TooManyValuesError) throw badList(error.message);
    return undefined;
  }
}

function badList(reason: string): GatewayError {
  return badBodyError(`the body must be a list of {provider, endpoint, headers, query}: ${reason}`);
}

/**
 * @param options those of the request
 * @throws GatewayError if the step is not valid
 */
export async function readEntry(
  services: GatewayServices,
  exchange: Exchange,
  options: RequestOptions,
  entry: UniversalEntry,
): Promise<Step> {
  const own = entryOptions(entry, exchange.admission.caller !== undefined);
  const all = { ...options, ...own };
  const route = await entryRoute(services, exchange, all, entry);
  const rawHeaders = Object.entries(entry.headers ?? {}).flat();
  if (!areHeaders(rawHeaders)) throw badList('headers must be HTTP header fields');
  const namesType = rawHeaders.some((name, i) => i % 2 === 0 && /^content-type$/i.test(name));
  if (!namesType) rawHeaders.push('content-type', 'application/json');
  return { route, options: all, rawHeaders, bringsCredentials: true };
}

// RFC 9110 section 5.1 and 5.5. The provider's connection refuses other bytes.
const FIELD_NAME = /^[\w!#$%&'*+.^`|~-]+$/;
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

function areHeaders(rawHeaders: readonly string[]): boolean {
  return rawHeaders.every((text, index) => (index % 2 === 0 ? FIELD_NAME : FIELD_VALUE).test(text));
}

function entryOptions({ headers = {}, config = {} }: UniversalEntry, isAuthenticated: boolean) {
  const said = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  for (const [name, value] of Object.entries(config)) {
    const header = CONFIG_HEADERS[name];
    if (header === undefined) throw badList(`unknown member of config: ${name.slice(0, 64)}`);
    said.set(header, String(value));
  }
  return readOptions((name) => said.get(name), isAuthenticated);
}

async function entryRoute(
  services: GatewayServices,
  exchange: Exchange,
  options: RequestOptions,
  { provider, endpoint, query }: UniversalEntry,
): Promise<Route> {
  const body = query === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(query));
  const pathAndQuery = endpoint.replace(/^\/+/, '');
  if (provider !== 'compat') {
    const call = { method: 'POST', provider, pathAndQuery, body, options, isOwnJson: true };
    return routeNative(services, exchange, call);
  }
  const operation = operations.find((name) => name === pathAndQuery);
  if (operation !== undefined) {
    return routeOperation(services, exchange, { operation, body, options });
  }
  throw badList(`unknown endpoint of compat: ${pathAndQuery.slice(0, 64)}`);
}
