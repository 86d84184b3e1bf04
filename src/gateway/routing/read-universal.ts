import { type Static, Type } from 'typebox';
import { measureJson } from '../../http/parse-json.ts';
import { SchemaCheck } from '../../http/schema-check.ts';
import { badBodyError } from './body-errors.ts';
import type { GatewayRequest, Route, ProviderStep, RequestOptions } from '../gateway-request.ts';
import { GatewayError } from '../gateway-error.ts';
import { gatewayErrors } from '../gateway-errors.ts';
import type { PlanServices } from './plan-services.ts';
import { readOptions } from './request-options.ts';
import { operations } from '../providers/provider.ts';
import { routeNative } from './route-native.ts';
import { routeOperation } from './route-operation.ts';
import { TooManyValuesError, parseRequestJson } from '../json/exact-json.ts';
import { maxParsedBytes } from '../admitted-caller.ts';

// More fallbacks than there are providers in practice.
const MAX_STEPS = 16;
const MAX_HEADERS = 64;
const MAX_HEADER_CHARACTERS = 16 * 1024;

const Scalar = Type.Union([Type.String(), Type.Number(), Type.Boolean()]);

// `patternProperties` does not match names with line breaks, so their values would not be checked.
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

/** One provider call in a universal request. */
export type UniversalEntry = Static<typeof EntrySchema>;

/** The members of `config` and the equivalent headers. */
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
 * Reads a universal request: a list of provider calls, each the fallback of those before. The options of an entry take
 * precedence over the headers of the request.
 * @throws GatewayError if a step is not valid
 */
export async function readUniversal(
  services: PlanServices,
  request: GatewayRequest,
  options: RequestOptions,
): Promise<ProviderStep[]> {
  const { body } = request;
  if (body.length > maxParsedBytes(request)) {
    throw new GatewayError(gatewayErrors.bodyTooLarge);
  }
  const list = parse(body.toString(), services.jsonMaxDepth);
  if (!entries.matches(list)) {
    const { pointer, reason } = entries.faultOf(list);
    throw badList(`${pointer === '' ? 'it' : pointer} ${reason}`);
  }
  const steps: ProviderStep[] = [];
  for (const entry of list) {
    // oxlint-disable-next-line no-await-in-loop -- nearly always answered from memory
    steps.push(await readEntry(services, request, options, entry));
  }
  return steps;
}

function parse(text: string, maxDepth: number): unknown {
  // The list is one more level than a body alone.
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
 * Reads one entry.
 * @param options of the request
 * @throws GatewayError if the step is not valid
 */
export async function readEntry(
  services: PlanServices,
  request: GatewayRequest,
  options: RequestOptions,
  entry: UniversalEntry,
): Promise<ProviderStep> {
  const own = entryOptions(entry, request.caller !== undefined);
  const all = { ...options, ...own };
  const route = await entryRoute(services, request, all, entry);
  const rawHeaders = Object.entries(entry.headers ?? {}).flat();
  if (!areHeaders(rawHeaders)) throw badList('headers must be HTTP header fields');
  const namesType = rawHeaders.some((name, i) => i % 2 === 0 && /^content-type$/i.test(name));
  if (!namesType) rawHeaders.push('content-type', 'application/json');
  return { route, options: all, rawHeaders, bringsCredentials: true };
}

// RFC 9110 sections 5.1 and 5.5. undici rejects other bytes.
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
  services: PlanServices,
  request: GatewayRequest,
  options: RequestOptions,
  { provider, endpoint, query }: UniversalEntry,
): Promise<Route> {
  const body = query === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(query));
  const pathAndQuery = endpoint.replace(/^\/+/, '');
  if (provider !== 'compat') {
    const call = { method: 'POST', provider, pathAndQuery, body, options, isOwnJson: true };
    return routeNative(services, request, call);
  }
  const operation = operations.find((name) => name === pathAndQuery);
  if (operation !== undefined) {
    return routeOperation(services, request, { operation, body, options });
  }
  throw badList(`unknown endpoint of compat: ${pathAndQuery.slice(0, 64)}`);
}
