import type { ErrorDefinition } from '../http/errors.ts';
import type { Dialect, Exchange, Refusal } from './exchange.ts';
import { gatewayErrors } from './gateway-errors.ts';
import type { GatewayServices } from './gateway-services.ts';
import { type ModelFault, readModelField } from './model-field.ts';
import type {
  Endpoint,
  LocalProvider,
  Operation,
  OperationCall,
  Provider,
  UpstreamProvider,
} from './providers/provider.ts';
import { parseExactJson } from './translation/exact-json.ts';
import {
  type Asked,
  type JsonObject,
  type Translation,
  UntranslatableError,
  chain,
} from './translation/translation.ts';

/** How the answer of a translated request becomes one for the client. */
export interface RouteTranslation {
  translation: Translation;
  asked: Asked;
}

interface RouteBase {
  method: string;
  /** Below the provider, without its query: for the log. */
  path: string;
  /** Without the provider's prefix; empty when the request names none. */
  model: string;
  body: Buffer;
  /** Undefined: bytes pass through. */
  translation: RouteTranslation | undefined;
  dialect: Dialect;
}

export interface UpstreamRoute extends RouteBase {
  provider: UpstreamProvider;
  endpoint: Endpoint;
}

export interface LocalRoute extends RouteBase {
  provider: LocalProvider;
}

/** Where a request goes. */
export type Route = UpstreamRoute | LocalRoute;

export function isLocal(route: Route): route is LocalRoute {
  return route.provider.kind === 'local';
}

type Reached = UpstreamProvider | LocalProvider;

// Whoever translates a body has to parse it, which holds up everybody else meanwhile.
const MAX_TRANSLATED_BODY_BYTES = 32 * 1024 * 1024;

const MAX_REASON_CHARACTERS = 1_000;

/** `@cf/author/model` is written without its provider. */
const WORKERS_AI_MODEL = /^@(?:cf|hf)\//;
const CUSTOM_PREFIX = 'custom-';

/**
 * The route of an operation, whose provider the model names: `provider/model`.
 * @param outer a translation between the client and the operation, where it says it in other words
 * @returns the route, or the error to refuse with
 */
export async function routeOperation(
  services: GatewayServices,
  { admission, receivedAtMs }: Exchange,
  operation: Operation,
  body: Buffer,
  outer?: Translation,
): Promise<Route | ErrorDefinition> {
  const read = readModelField(body, services.jsonMaxDepth);
  const field = read instanceof Promise ? await read : read;
  if (typeof field === 'string') return refusalOf(field);
  const named = splitModel(field.model);
  if (named === undefined) return gatewayErrors.badFormat;
  const provider = await findProvider(services, admission.gateway.accountId, named.provider);
  if ('code' in provider) return provider;
  const support = provider.operations[operation];
  if (support === undefined) return unsupported(provider, operation);
  const inner = support.translation;
  const translation =
    outer !== undefined && inner !== undefined ? chain(outer, inner) : (outer ?? inner);
  const dialect: Dialect = operation.startsWith('messages') ? 'anthropic' : 'openai';
  try {
    const call: OperationCall = { model: named.model, isStream: false };
    const model = ('model' in support ? support.model?.(call) : undefined) ?? named.model;
    const base = { method: 'POST', model, dialect, path: operation };
    const renamed = field.replace(model);
    if (translation === undefined) {
      return aim(provider, operation, call, { ...base, body: renamed, translation });
    }
    const asked = readAsked(renamed, model, receivedAtMs);
    if ('code' in asked) return asked;
    const sent = Buffer.from(JSON.stringify(translation.request(asked)));
    const route = { ...base, body: sent, translation: { translation, asked } };
    return aim(provider, operation, { ...call, isStream: asked.body.stream === true }, route);
  } catch (error) {
    if (!(error instanceof UntranslatableError)) throw error;
    const { untranslatable } = gatewayErrors;
    // It may quote the request.
    const reason = error.message.slice(0, MAX_REASON_CHARACTERS);
    const refusal: Refusal = {
      ...untranslatable,
      message: `${untranslatable.message}: ${reason}`,
      ...(error.details && { details: error.details }),
    };
    return refusal;
  }
}

/** Adds the provider and, for one behind the network, its address. */
function aim(
  provider: Reached,
  operation: Operation,
  call: OperationCall,
  route: RouteBase,
): Route {
  if (provider.kind === 'local') {
    return { ...route, path: provider.operations[operation]?.path ?? operation, provider };
  }
  const support = provider.operations[operation];
  if (support === undefined) throw new Error('the operation was looked up before');
  const endpoint = support.endpoint(call);
  return { ...route, path: pathOf(endpoint), provider, endpoint };
}

function pathOf({ path }: Endpoint): string {
  return path.split('?', 1)[0]?.slice(1) ?? '';
}

/** What a request asks of a provider on one of its own paths. */
export interface NativeCall {
  method: string;
  provider: string;
  /** Below the provider, without a leading slash. */
  pathAndQuery: string;
  body: Buffer;
}

/** @returns the route, or the error to refuse with */
export async function routeNative(
  services: GatewayServices,
  { admission }: Exchange,
  { method, provider: name, pathAndQuery, body }: NativeCall,
): Promise<Route | ErrorDefinition> {
  const provider = await findProvider(services, admission.gateway.accountId, name);
  if ('code' in provider) return provider;
  if (leavesProvider(pathAndQuery)) return gatewayErrors.badPath;
  const [path = ''] = pathAndQuery.split('?', 1);
  const dialect: Dialect = provider.name === 'anthropic' ? 'anthropic' : 'openai';
  const inPath = provider.kind === 'local' ? undefined : provider.nativeModel?.(pathAndQuery);
  const model = inPath ?? mentionedModel(body);
  const route: RouteBase = { method, path, model, body, translation: undefined, dialect };
  if (provider.kind === 'local') return { ...route, provider };
  const endpoint = provider.nativeEndpoint(pathAndQuery);
  if (endpoint === undefined) return gatewayErrors.badPath;
  return { ...route, provider, endpoint };
}

/** @returns without a promise for the built-in ones */
function findProvider(
  { providers, customProviders }: GatewayServices,
  accountId: string,
  name: string,
): Reached | ErrorDefinition | Promise<Reached | ErrorDefinition> {
  const builtIn = providers.get(name);
  if (builtIn !== undefined) return reached(builtIn);
  if (!name.startsWith(CUSTOM_PREFIX)) return invalidProvider(name);
  const found = customProviders.find(accountId, name.slice(CUSTOM_PREFIX.length));
  if (found instanceof Promise) return found.then((custom) => custom ?? invalidProvider(name));
  return found ?? invalidProvider(name);
}

function reached(provider: Provider): Reached | ErrorDefinition {
  if (provider.kind !== 'unconfigured') return provider;
  const { invalidProvider: definition } = gatewayErrors;
  return { ...definition, message: `${definition.message}: ${provider.reason}` };
}

/** `provider/model` names both. */
function splitModel(text: string): { provider: string; model: string } | undefined {
  if (WORKERS_AI_MODEL.test(text)) return { provider: 'workers-ai', model: text };
  const slash = text.indexOf('/');
  const model = text.slice(slash + 1);
  return slash < 1 || model === '' ? undefined : { provider: text.slice(0, slash), model };
}

/** The body is a JSON object that is not nested too deep: {@link readModelField} has walked it. */
function readAsked(body: Buffer, model: string, nowMs: number): Asked | ErrorDefinition {
  if (body.length > MAX_TRANSLATED_BODY_BYTES) return gatewayErrors.bodyTooLarge;
  try {
    return { model, body: parseExactJson(body.toString()) as JsonObject, nowMs };
  } catch {
    return gatewayErrors.badBody;
  }
}

/** Why a body is refused whose model could not be read. */
export function refusalOf(fault: ModelFault): ErrorDefinition {
  const { badBody, badFormat } = gatewayErrors;
  switch (fault) {
    case 'missing':
      return badFormat;
    case 'not-json':
      return badBody;
    case 'ambiguous':
      return { ...badBody, message: 'Bad format: the body has more than one model' };
    case 'too-deep':
      return { ...badBody, message: 'Bad format: the body is nested too deep' };
  }
}

function unsupported({ name }: Reached, operation: Operation): ErrorDefinition {
  return { ...gatewayErrors.unsupportedOperation, message: `${name} does not serve ${operation}` };
}

function invalidProvider(name: string): ErrorDefinition {
  const definition = gatewayErrors.invalidProvider;
  return { ...definition, message: `${definition.message}: ${name.slice(0, 64)}` };
}

/** Dot segments, plain or encoded, could climb out of the provider's base path. */
function leavesProvider(pathAndQuery: string): boolean {
  const [path = ''] = pathAndQuery.split('?', 1);
  return path
    .replaceAll(/%2f|%5c|\\/gi, '/')
    .split('/')
    .some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment));
}

const MODEL = /"model"\s*:\s*"([^"\\]{1,256})"/;
const MODEL_KEY = Buffer.from('"model"');

/** The model that a provider's own request mentions: for the log only, so a look is enough. */
function mentionedModel(body: Buffer): string {
  const start = body.indexOf(MODEL_KEY);
  if (start < 0) return '';
  return MODEL.exec(body.toString('utf8', start, start + 512))?.[1] ?? '';
}
