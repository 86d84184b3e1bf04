import { maxParsedBytes } from '../ingress/admit.ts';
import type { Dialect, Exchange } from '../gateway-request.ts';
import { GatewayError } from '../gateway-error.ts';
import { gatewayErrors } from '../gateway-errors.ts';
import type { GatewayServices } from '../gateway-services.ts';
import { type BodyEdit, type BodyMembers, readBodyMembers } from '../json/body-members.ts';
import { readMultipartModel } from './multipart-model.ts';
import type { CostMembers } from '../json/cost-members.ts';
import { badStreamError, checkUnreadable, parseBody } from './body-errors.ts';
import { resolveModelName } from '../providers/model-names.ts';
import { conversationEdits } from '../providers/conversation-edits.ts';
import { leavesProvider } from '../providers/native-path.ts';
import { type ModelField, editBody, readModelField } from './model-field.ts';
import type {
  Endpoint,
  LocalProvider,
  LocalSupport,
  Operation,
  OperationCall,
  OperationSupport,
  UpstreamProvider,
} from '../providers/provider.ts';
import type { RequestOptions } from './request-options.ts';
import {
  requestStreamUsage,
  needsUsage,
  canRequestStreamUsage,
  withoutRejectedOptions,
} from './stream-usage.ts';
import { type Asked, type Translation, chain } from '../translation/translation.ts';

/** The translation of a request, for its response. */
export interface RouteTranslation {
  translation: Translation;
  asked: Asked;
}

interface RouteBase {
  method: string;
  /** Path below the provider, without a query, for the log. */
  path: string;
  /** The model without the prefix of the provider; empty if the request names none. */
  model: string;
  body: Buffer;
  /** The body from the client for this step, in pieces, for the log. */
  received: readonly Buffer[];
  /** The gateway requests the usage of the stream, and removes it for the client. */
  asksUsage: boolean;
  /** The client requests a stream; `includesUsage`: with the usage of a chat completion. */
  streamed: { includesUsage: boolean } | undefined;
  /** Undefined: the gateway forwards the bytes unchanged. */
  translation: RouteTranslation | undefined;
  dialect: Dialect;
  /** Undefined: the path determines the operation. */
  operation: Operation | undefined;
  /** Undefined: the body is not JSON. */
  cost: CostMembers | undefined;
  /** The member by which `/ai/run` recognizes an input; it determines the form of the response. */
  inputForm?: string;
}

export interface UpstreamRoute extends RouteBase {
  provider: UpstreamProvider;
  endpoint: Endpoint;
}

export interface LocalRoute extends RouteBase {
  provider: LocalProvider;
}

/** The destination of a request. */
export type Route = UpstreamRoute | LocalRoute;

export function isLocal(route: Route): route is LocalRoute {
  return route.provider.kind === 'local';
}

type CallableProvider = UpstreamProvider | LocalProvider;

const MAX_NAME_CHARACTERS = 64;

const CUSTOM_PREFIX = 'custom-';

/** A request for an operation; the model names the provider. */
export interface OperationRequest {
  operation: Operation;
  body: Buffer;
  options: RequestOptions;
  /** A translation between the format of the client and the operation. */
  outer?: Translation;
}

/**
 * Returns the route of an operation whose model names the provider (see {@link resolveModelName}).
 * @throws GatewayError if the body, the model or the operation is not valid
 */
export async function routeOperation(
  services: GatewayServices,
  exchange: Exchange,
  request: OperationRequest,
): Promise<Route> {
  const { operation, body } = request;
  const field = await readModelField(body, services.jsonMaxDepth);
  const { accountId, modelAliases } = exchange.admission.gateway;
  const named = resolveModelName(field.model, operation, modelAliases);
  if (named === undefined) throw badModelName(field.model);
  const provider = await findProvider(services, accountId, named.provider);
  const edits = await conversationEdits(provider, operation, body, field.members);
  return resolveOperation(exchange, request, { provider, model: named.model, field, edits });
}

/** The provider and model that a body names. */
interface NamedModel {
  provider: CallableProvider;
  model: string;
  field: ModelField;
  edits: readonly BodyEdit[];
}

function resolveOperation(
  { admission, receivedAtMs }: Exchange,
  { operation, options, outer }: OperationRequest,
  { provider, model: named, field, edits }: NamedModel,
): Route {
  const support = supportFor(provider, operation, named);
  if (support === undefined) throw unsupported(provider, operation);
  const inner = support.translation;
  const translation =
    outer !== undefined && inner !== undefined ? chain(outer, inner) : (outer ?? inner);
  const wantsUsage = needsUsage(admission, options);
  const maxBytes = maxParsedBytes(admission);
  const resolved: ResolvedOperation = {
    provider,
    operation,
    named,
    field,
    edits,
    wantsUsage,
    maxBytes,
  };
  return translation === undefined
    ? passthroughRoute(resolved)
    : translatedRoute(resolved, translation, receivedAtMs);
}

/** An operation whose provider is known. */
interface ResolvedOperation {
  provider: CallableProvider;
  operation: Operation;
  /** The model in the request. */
  named: string;
  field: ModelField;
  edits: readonly BodyEdit[];
  wantsUsage: boolean;
  /** The largest body that is parsed for this client. */
  maxBytes: number;
}

function passthroughRoute(resolved: ResolvedOperation): Route {
  const { provider, field, edits, wantsUsage } = resolved;
  const call: OperationCall = { model: resolved.named, isStream: false };
  const model = modelOf(resolved, call);
  const endpoint = endpointOf(resolved, call);
  const mayAsk = wantsUsage && canRequestStreamUsage(provider, endpoint, field.members);
  if (mayAsk && field.members.stream === 'odd') throw badStreamError();
  const usageEdit = mayAsk ? field.members.usageEdit : undefined;
  const { body, received } = field.replace(
    model,
    usageEdit === undefined ? edits : [...edits, usageEdit],
  );
  const asksUsage = usageEdit !== undefined;
  return routeTo(resolved, endpoint, { model, body, received, asksUsage, translation: undefined });
}

function translatedRoute(
  resolved: ResolvedOperation,
  translation: Translation,
  nowMs: number,
): Route {
  const { provider, named, field, wantsUsage } = resolved;
  const model = modelOf(resolved, { model: named, isStream: false });
  const { body: renamed, received } = field.replace(model);
  const asked = readAsked(resolved, renamed, model, nowMs);
  const request = withoutRejectedOptions(provider, translation.request(asked));
  const endpoint = endpointOf(resolved, { model: named, isStream: asked.body.stream === true });
  const mayAsk = wantsUsage && canRequestStreamUsage(provider, endpoint);
  const asking = mayAsk ? requestStreamUsage(request) : undefined;
  return routeTo(resolved, endpoint, {
    model,
    body: Buffer.from(JSON.stringify(asking ?? request)),
    received,
    asksUsage: asking !== undefined,
    translation: { translation, asked },
  });
}

function supportFor(
  provider: CallableProvider,
  operation: Operation,
  model: string,
): OperationSupport | LocalSupport | undefined {
  if (provider.kind === 'local') return provider.operations[operation];
  const support = provider.operations[operation];
  return support?.ofModel?.(model) ?? support;
}

function modelOf({ provider, operation, named }: ResolvedOperation, call: OperationCall): string {
  const support = supportFor(provider, operation, named);
  if (support === undefined || !('endpoint' in support)) return named;
  return support.model?.(call) ?? named;
}

/** Undefined: a model of this server. */
function endpointOf(
  { provider, operation }: ResolvedOperation,
  call: OperationCall,
): Endpoint | undefined {
  const support = supportFor(provider, operation, call.model);
  return support !== undefined && 'endpoint' in support ? support.endpoint(call) : undefined;
}

function routeTo(
  { provider, operation, field }: ResolvedOperation,
  endpoint: Endpoint | undefined,
  parts: Omit<RouteBase, 'method' | 'path' | 'dialect' | 'operation' | 'cost' | 'streamed'>,
): Route {
  const dialect: Dialect = operation.startsWith('messages') ? 'anthropic' : 'openai';
  const { cost } = field.members;
  const streamed = streamedBy(field.members);
  const base = { method: 'POST', dialect, operation, cost, streamed, ...parts };
  if (provider.kind === 'local') {
    return { ...base, path: provider.operations[operation]?.path ?? operation, provider };
  }
  if (endpoint === undefined) throw new Error('the operation was looked up before');
  return { ...base, path: pathOf(endpoint), provider, endpoint };
}

function streamedBy({ stream, usageEdit }: BodyMembers): RouteBase['streamed'] {
  return stream === 'true' ? { includesUsage: usageEdit === undefined } : undefined;
}

function pathOf({ path }: Endpoint): string {
  return path.split('?', 1)[0]?.slice(1) ?? '';
}

/** A request to a native path of a provider. */
export interface NativeCall {
  method: string;
  provider: string;
  /** Below the provider, without a leading slash. */
  pathAndQuery: string;
  body: Buffer;
  options: RequestOptions;
  /** The server wrote the body, so the headers of the request do not describe it. */
  isOwnJson?: boolean;
}

export async function routeNative(
  services: GatewayServices,
  { admission, headers }: Exchange,
  { method, provider: name, pathAndQuery, body, options, isOwnJson = false }: NativeCall,
): Promise<Route> {
  const provider = await findProvider(services, admission.gateway.accountId, name);
  if (leavesProvider(pathAndQuery)) throw new GatewayError(gatewayErrors.badPath);
  const [path = ''] = pathAndQuery.split('?', 1);
  const native = provider.kind === 'local' ? undefined : provider;
  const dialect = native?.nativeDialect ?? 'openai';
  const inPath = native?.nativeModel?.(pathAndQuery);
  const members =
    BODILESS.has(method) || body.length === 0
      ? undefined
      : await readBodyMembers(body, services.jsonMaxDepth);
  const fault = typeof members === 'string' ? members : undefined;
  const read = typeof members === 'object' ? members : undefined;
  const ownHeaders = isOwnJson ? {} : headers;
  const inForm =
    fault === undefined ? undefined : readMultipartModel(body, ownHeaders['content-type']);
  if (fault !== undefined && inForm === undefined) {
    checkUnreadable(admission.gateway, { fault, inPath, body, headers: ownHeaders });
  }
  const inBody = typeof read?.model === 'object' ? read.model.model : inForm;
  const model = inPath ?? inBody ?? '';
  const edits = read === undefined ? [] : await conversationEdits(provider, path, body, read);
  const route: RouteBase = {
    method,
    path,
    model,
    body: edits.length === 0 ? body : editBody(body, edits),
    received: [body],
    asksUsage: false,
    translation: undefined,
    dialect,
    operation: undefined,
    cost: read?.cost,
    streamed: read && streamedBy(read),
  };
  if (provider.kind === 'local') return { ...route, provider };
  const endpoint = provider.nativeEndpoint(pathAndQuery);
  if (endpoint === undefined) throw new GatewayError(gatewayErrors.badPath);
  const mayAsk =
    read !== undefined &&
    method === 'POST' &&
    needsUsage(admission, options) &&
    canRequestStreamUsage(provider, endpoint, read);
  if (!mayAsk) return { ...route, provider, endpoint };
  if (read.stream === 'odd') throw badStreamError();
  const { usageEdit } = read;
  if (usageEdit === undefined) return { ...route, provider, endpoint };
  return { ...route, body: editBody(body, [usageEdit]), asksUsage: true, provider, endpoint };
}

const BODILESS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** @throws GatewayError 2008 */
async function findProvider(
  { providers, customProviders }: GatewayServices,
  accountId: string,
  name: string,
): Promise<CallableProvider> {
  const isCustom = name.startsWith(CUSTOM_PREFIX);
  const provider =
    providers.get(name) ??
    (isCustom
      ? await customProviders.find(accountId, name.slice(CUSTOM_PREFIX.length))
      : undefined);
  if (provider === undefined) throw invalidProvider(name.slice(0, MAX_NAME_CHARACTERS));
  if (provider.kind === 'unconfigured') throw invalidProvider(provider.reason);
  return provider;
}

/** Reads the body, which {@link readModelField} has checked for its depth. */
function readAsked(
  { provider, maxBytes }: ResolvedOperation,
  body: Buffer,
  model: string,
  nowMs: number,
): Asked {
  if (body.length > maxBytes) throw new GatewayError(gatewayErrors.bodyTooLarge);
  return { model, provider: provider.name, body: parseBody(body), nowMs };
}

/** Error 2019: the name of a model names no provider. */
function badModelName(name: string): GatewayError {
  const { badFormat } = gatewayErrors;
  const message = `${badFormat.message}: ${name.slice(0, MAX_NAME_CHARACTERS)}`;
  return new GatewayError(badFormat, { message });
}

function unsupported({ name }: CallableProvider, operation: Operation): GatewayError {
  const message = `${name} does not serve ${operation}`;
  return new GatewayError(gatewayErrors.unsupportedOperation, { message });
}

function invalidProvider(reason: string): GatewayError {
  const definition = gatewayErrors.invalidProvider;
  return new GatewayError(definition, { message: `${definition.message}: ${reason}` });
}
