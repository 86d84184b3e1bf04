import { maxParsedBytes } from '../admitted-caller.ts';
import { GatewayError } from '../gateway-error.ts';
import { gatewayErrors } from '../gateway-errors.ts';
import type {
  CallableProvider,
  Dialect,
  GatewayRequest,
  LocalRoute,
  RequestOptions,
  Route,
} from '../gateway-request.ts';
import type { BodyEdit, BodyMembers } from '../json/body-members.ts';
import { conversationEdits } from '../providers/conversation-edits.ts';
import { resolveModelName } from '../providers/model-names.ts';
import type {
  Endpoint,
  LocalSupport,
  Operation,
  OperationCall,
  OperationSupport,
} from '../providers/provider.ts';
import { type TranslationInput, type Translator, chain } from '../translators/translator.ts';
import { badStreamError, parseBody } from './body-errors.ts';
import { type ModelField, readModelField } from './model-field.ts';
import type { PlanServices } from './plan-services.ts';
import {
  canRequestStreamUsage,
  needsUsage,
  requestStreamUsage,
  withoutRejectedOptions,
} from './stream-usage.ts';

const MAX_NAME_CHARACTERS = 64;

/** A request for an operation; the model names the provider. */
export interface OperationRequest {
  operation: Operation;
  body: Buffer;
  options: RequestOptions;
  /** Translates between the format of the client and the operation. */
  outer?: Translator;
}

/**
 * Returns the route of an operation whose model names the provider (see {@link resolveModelName}).
 * @throws GatewayError if the body, the model or the operation is not valid
 */
export async function routeOperation(
  { providers, jsonMaxDepth }: PlanServices,
  request: GatewayRequest,
  call: OperationRequest,
): Promise<Route> {
  const { operation, body } = call;
  const field = await readModelField(body, jsonMaxDepth);
  const { gateway } = request;
  const named = resolveModelName(field.model, operation, gateway.modelAliases);
  if (named === undefined) throw badModelName(field.model);
  const provider = providers.find(gateway, named.provider);
  const edits = await conversationEdits(provider, operation, body, field.members);
  return resolveOperation(request, call, { provider, model: named.model, field, edits });
}

/** The provider and model that a body names. */
interface NamedModel {
  provider: CallableProvider;
  model: string;
  field: ModelField;
  edits: readonly BodyEdit[];
}

function resolveOperation(
  request: GatewayRequest,
  { operation, options, outer }: OperationRequest,
  { provider, model: named, field, edits }: NamedModel,
): Route {
  const support = supportFor(provider, operation, named);
  if (support === undefined) throw unsupported(provider, operation);
  const inner = support.translator;
  const translator =
    outer !== undefined && inner !== undefined ? chain(outer, inner) : (outer ?? inner);
  const wantsUsage = needsUsage(request, options);
  const maxBytes = maxParsedBytes(request);
  const resolved: ResolvedOperation = {
    provider,
    operation,
    named,
    field,
    edits,
    wantsUsage,
    maxBytes,
  };
  return translator === undefined
    ? passthroughRoute(resolved)
    : translatedRoute(resolved, translator, request.receivedAtMs);
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
  translator: Translator,
  nowMs: number,
): Route {
  const { provider, named, field, wantsUsage } = resolved;
  const model = modelOf(resolved, { model: named, isStream: false });
  const { body: renamed, received } = field.replace(model);
  const input = readInput(resolved, renamed, model, nowMs);
  const request = withoutRejectedOptions(provider, translator.request(input));
  const endpoint = endpointOf(resolved, { model: named, isStream: input.body.stream === true });
  const mayAsk = wantsUsage && canRequestStreamUsage(provider, endpoint);
  const asking = mayAsk ? requestStreamUsage(request) : undefined;
  return routeTo(resolved, endpoint, {
    model,
    body: Buffer.from(JSON.stringify(asking ?? request)),
    received,
    asksUsage: asking !== undefined,
    translation: { translator, input },
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
  parts: Omit<
    LocalRoute,
    'provider' | 'method' | 'path' | 'dialect' | 'operation' | 'cost' | 'streamed'
  >,
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

/** Returns the kind of stream that a body asks for. */
export function streamedBy({ stream, usageEdit }: BodyMembers): Route['streamed'] {
  return stream === 'true' ? { includesUsage: usageEdit === undefined } : undefined;
}

function pathOf({ path }: Endpoint): string {
  return path.split('?', 1)[0]?.slice(1) ?? '';
}

/** Reads the body, which {@link readModelField} has checked for its depth. */
function readInput(
  { provider, maxBytes }: ResolvedOperation,
  body: Buffer,
  model: string,
  nowMs: number,
): TranslationInput {
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
