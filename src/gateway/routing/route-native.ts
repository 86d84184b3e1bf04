import { GatewayError } from '../gateway-error.ts';
import { gatewayErrors } from '../gateway-errors.ts';
import type { GatewayRequest, LocalRoute, RequestOptions, Route } from '../gateway-request.ts';
import { type BodyFault, readBodyMembers } from '../json/body-members.ts';
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
  { providers, jsonMaxDepth }: PlanServices,
  request: GatewayRequest,
  call: NativeCall,
): Promise<Route> {
  const { method, pathAndQuery, body, options } = call;
  const provider = providers.find(request.gateway, call.provider);
  if (leavesProvider(pathAndQuery)) throw new GatewayError(gatewayErrors.badPath);
  const [path = ''] = pathAndQuery.split('?', 1);
  const upstream = provider.kind === 'local' ? undefined : provider;
  const inPath = upstream?.nativeModel?.(pathAndQuery);
  const hasBody = !BODILESS.has(method) && body.length > 0;
  const members = hasBody ? await readBodyMembers(body, jsonMaxDepth) : undefined;
  const inForm =
    typeof members === 'string' ? modelInForm(request, call, members, inPath) : undefined;
  const read = typeof members === 'object' ? members : undefined;
  const inBody = typeof read?.model === 'object' ? read.model.model : inForm;
  const edits = read === undefined ? [] : await conversationEdits(provider, path, body, read);
  const route: Omit<LocalRoute, 'provider'> = {
    method,
    path,
    model: inPath ?? inBody ?? '',
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
  const mayAsk =
    read !== undefined &&
    method === 'POST' &&
    needsUsage(request, options) &&
    canRequestStreamUsage(provider, endpoint, read);
  if (!mayAsk) return { ...route, provider, endpoint };
  if (read.stream === 'odd') throw badStreamError();
  const { usageEdit } = read;
  if (usageEdit === undefined) return { ...route, provider, endpoint };
  return { ...route, body: editBody(body, [usageEdit]), asksUsage: true, provider, endpoint };
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
