import { GatewayError } from '../gateway-error.ts';
import { gatewayErrors } from '../gateway-errors.ts';
import type {
  GatewayRequest,
  LocalRoute,
  RequestOptions,
  Route,
  UpstreamRoute,
} from '../gateway-request.ts';
import { type BodyFault, type BodyMembers, readBodyMembers } from '../json/body-members.ts';
import { conversationEdits } from '../providers/conversation-edits.ts';
import { leavesProvider } from '../providers/native-path.ts';
import { badStreamError, checkUnreadable } from './body-errors.ts';
import { editBody } from './model-field.ts';
import { readMultipartModel } from './multipart-model.ts';
import type { PlanServices } from './plan-services.ts';
import { streamedBy } from './route-operation.ts';
import { canRequestStreamUsage, needsUsage } from './stream-usage.ts';

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

/**
 * Returns the route of a request to a path of the provider's own API.
 * @throws GatewayError 2008 or 2026 for the provider or its path, 2020 if a limit needs the model and the body has none
 */
export async function routeNative(
  services: PlanServices,
  request: GatewayRequest,
  call: NativeCall,
): Promise<Route> {
  const { method, pathAndQuery, body } = call;
  const provider = services.providers.find(request.gateway, call.provider);
  if (leavesProvider(pathAndQuery)) throw new GatewayError(gatewayErrors.badPath);
  const [path = ''] = pathAndQuery.split('?', 1);
  const upstream = provider.kind === 'local' ? undefined : provider;
  const inPath = upstream?.nativeModel?.(pathAndQuery);
  const { read, model } = await readBody(services, request, call, inPath);
  const edits = read === undefined ? [] : await conversationEdits(provider, path, body, read);
  const route: Omit<LocalRoute, 'provider'> = {
    method,
    path,
    model,
    body: edits.length === 0 ? body : editBody(body, edits),
    received: [body],
    asksUsage: false,
    translation: undefined,
    dialect: upstream?.nativeDialect ?? 'openai',
    operation: undefined,
    cost: read?.cost,
    streamed: read && streamedBy(read),
  };
  if (provider.kind === 'local') return { ...route, provider };
  const endpoint = provider.nativeEndpoint(pathAndQuery);
  if (endpoint === undefined) throw new GatewayError(gatewayErrors.badPath);
  return withUsage(request, call, { ...route, provider, endpoint }, read);
}

/** Requests the usage of a stream if the gateway needs it. */
function withUsage(
  request: GatewayRequest,
  call: NativeCall,
  route: UpstreamRoute,
  read: BodyMembers | undefined,
): UpstreamRoute {
  const usageEdit = read && usageEditOf(request, call, route, read);
  if (usageEdit === undefined) return route;
  return { ...route, body: editBody(call.body, [usageEdit]), asksUsage: true };
}

/**
 * Reads the members and the model of a request. The model in the path takes precedence; empty: the request has none.
 * @throws GatewayError 2020 if the gateway needs to know the model
 */
async function readBody(
  { jsonMaxDepth }: PlanServices,
  request: GatewayRequest,
  call: NativeCall,
  inPath: string | undefined,
): Promise<{ read: BodyMembers | undefined; model: string }> {
  const { method, body } = call;
  if (BODILESS.has(method) || body.length === 0) return { read: undefined, model: inPath ?? '' };
  const read = await readBodyMembers(body, jsonMaxDepth);
  if (typeof read === 'string') {
    const inForm = modelInForm(request, call, read, inPath);
    return { read: undefined, model: inPath ?? inForm ?? '' };
  }
  const inBody = typeof read.model === 'object' ? read.model.model : undefined;
  return { read, model: inPath ?? inBody ?? '' };
}

/**
 * Returns the edit that requests the usage of a stream; undefined: none is needed, or the provider does not accept it.
 * @throws GatewayError 2020 if `stream` is no boolean
 */
function usageEditOf(
  request: GatewayRequest,
  { method, options }: NativeCall,
  { provider, endpoint }: UpstreamRoute,
  read: BodyMembers,
): BodyMembers['usageEdit'] {
  const mayAsk =
    method === 'POST' &&
    needsUsage(request, options) &&
    canRequestStreamUsage(provider, endpoint, read);
  if (!mayAsk) return undefined;
  if (read.stream === 'odd') throw badStreamError();
  return read.usageEdit;
}

const BODILESS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Returns the model of a body that is not a readable JSON object; undefined: it has none.
 * @throws GatewayError 2020 if the gateway needs to know the model
 */
function modelInForm(
  { gateway, headers }: GatewayRequest,
  { body, isOwnJson = false }: NativeCall,
  fault: BodyFault,
  inPath: string | undefined,
): string | undefined {
  const ownHeaders = isOwnJson ? {} : headers;
  const inForm = readMultipartModel(body, ownHeaders['content-type']);
  if (inForm === undefined) checkUnreadable(gateway, { fault, inPath, body, headers: ownHeaders });
  return inForm;
}
