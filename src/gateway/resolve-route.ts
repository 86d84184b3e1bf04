import type { ErrorDefinition } from '../http/errors.ts';
import type { Exchange } from './exchange.ts';
import { gatewayErrors } from './gateway-errors.ts';
import type { GatewayServices } from './gateway-services.ts';
import { type ModelFault, type ModelField, readModelField } from './model-field.ts';
import type { Operation, Provider } from './providers/provider.ts';

/** Where a request goes. */
export interface Route {
  provider: Provider;
  /** Below the provider's base path, without a leading slash; may carry a query. */
  path: string;
  /** Without the provider's prefix; empty when the request names none. */
  model: string;
  body: Buffer;
}

/** @returns the route, or the error to refuse with */
export async function resolveRoute(
  { providers, jsonMaxDepth }: GatewayServices,
  exchange: Exchange,
): Promise<Route | ErrorDefinition> {
  const { wanted, body } = exchange;
  if (wanted.way === 'rest') {
    const read = readModelField(body, jsonMaxDepth);
    const field = read instanceof Promise ? await read : read;
    if (typeof field === 'string') return refusalOf(field);
    return routeByModel(providers, wanted.operation, field);
  }
  const provider = providers.get(wanted.provider);
  if (provider === undefined) return invalidProvider(wanted.provider);
  if (leavesProvider(wanted.pathAndQuery)) return gatewayErrors.badPath;
  return { provider, path: wanted.pathAndQuery, model: mentionedModel(body), body };
}

function refusalOf(fault: ModelFault): ErrorDefinition {
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

/** `provider/model` names both; the provider gets the model without its prefix. */
function routeByModel(
  providers: ReadonlyMap<string, Provider>,
  operation: Operation,
  field: ModelField,
): Route | ErrorDefinition {
  const slash = field.model.indexOf('/');
  const model = field.model.slice(slash + 1);
  if (slash < 1 || model === '') return gatewayErrors.badFormat;
  const name = field.model.slice(0, slash);
  const provider = providers.get(name);
  if (provider === undefined) return invalidProvider(name);
  const path = provider.kind === 'upstream' ? provider.operationPath(operation) : operation;
  return { provider, path, model, body: field.replace(model) };
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
