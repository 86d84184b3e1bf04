import { readBodyMembers } from '../json/body-members.ts';
import { badBodyError, bodyFaultError, parseBody } from './body-errors.ts';
import type { GatewayRequest, Route, RequestOptions } from '../gateway-request.ts';
import { GatewayError } from '../gateway-error.ts';
import { gatewayErrors } from '../gateway-errors.ts';
import type { PlanServices } from './plan-services.ts';
import { readModelField } from './model-field.ts';
import type { Operation } from '../providers/provider.ts';
import { routeNative } from './route-native.ts';
import { routeOperation } from './route-operation.ts';
import { isObject, type JsonObject } from '../json/json-fields.ts';
import { runChat, runResponse } from '../translators/run-to-chat/run-to-chat.ts';
import { runEmbeddings } from '../translators/run-to-chat/run-embeddings.ts';
import { runPrompt } from '../translators/run-to-chat/run-prompt.ts';
import type { Translator } from '../translators/translator.ts';

// The server parses the whole input, which blocks all other requests.
const MAX_INPUT_BYTES = 32 * 1024 * 1024;

const WORKERS_AI = 'workers-ai';
const WORKERS_AI_MODEL = /^(?:workers-ai\/|(?=@(?:cf|hf)\/))(.+)$/;

/** A model and its input. */
interface Run {
  /** `provider/model`. */
  model: string;
  input: JsonObject;
}

/**
 * Returns the route of a model that runs with its own input. Workers AI has an endpoint for that, which receives the input
 * byte for byte. For every other provider, the members of the input determine the operation.
 * @param pathModel undefined: the body is `{model, input}`
 * @throws GatewayError if the body does not name exactly one model with an input, or the provider does not serve it
 */
export async function readRun(
  services: PlanServices,
  request: GatewayRequest,
  pathModel: string | undefined,
  options: RequestOptions,
): Promise<Route> {
  const { body } = request;
  const { modelAliases } = request.gateway;
  const resolve = (model: string): string => modelAliases.get(model) ?? model;
  const ownModel = pathModel === undefined ? undefined : workersAiModel(resolve(pathModel));
  if (ownModel !== undefined) {
    return routeWorkersAi(services, request, { model: ownModel, body, options });
  }
  const run = await readInput(services, body, pathModel);
  const named = { ...run, model: resolve(run.model) };
  const route = await routeInput(services, request, named, options);
  return { ...route, received: [body] };
}

async function routeInput(
  services: PlanServices,
  request: GatewayRequest,
  { model, input }: Run,
  options: RequestOptions,
): Promise<Route> {
  const namedModel = workersAiModel(model);
  if (namedModel !== undefined) {
    const body = Buffer.from(JSON.stringify(input));
    return routeWorkersAi(services, request, { model: namedModel, body, options });
  }
  const served = servedBy(input);
  if (served === undefined)
    throw badBodyError('the input must have messages, prompt, text or input');
  const body = Buffer.from(JSON.stringify({ ...input, model }));
  const { operation, translator: outer, inputForm } = served;
  const route = await routeOperation(services, request, { operation, body, options, outer });
  return { ...route, inputForm };
}

function workersAiModel(model: string): string | undefined {
  return WORKERS_AI_MODEL.exec(model)?.[1];
}

async function routeWorkersAi(
  services: PlanServices,
  request: GatewayRequest,
  { model, body, options }: { model: string; body: Buffer; options: RequestOptions },
): Promise<Route> {
  // Escapes the characters that would end the path.
  const path = encodeURI(model.toWellFormed()).replaceAll(/[?#]/g, encodeURIComponent);
  const pathAndQuery = `run/${path}`;
  const call = { method: 'POST', provider: WORKERS_AI, pathAndQuery, body, options };
  const route = await routeNative(services, request, call);
  return { ...route, model };
}

/** @throws GatewayError 2010, 2019 or 2020 */
async function readInput(
  { jsonMaxDepth }: PlanServices,
  body: Buffer,
  pathModel: string | undefined,
): Promise<Run> {
  if (body.length > MAX_INPUT_BYTES) throw new GatewayError(gatewayErrors.bodyTooLarge);
  if (pathModel === undefined) {
    await readModelField(body, jsonMaxDepth);
    return readBoth(body);
  }
  if (pathModel === '') throw new GatewayError(gatewayErrors.badFormat);
  const members = await readBodyMembers(body, jsonMaxDepth);
  if (members === 'too-deep' || members === 'not-json') throw bodyFaultError(members);
  const input = parseBody(body);
  if (Object.hasOwn(input, 'model')) {
    throw badBodyError('the model must be either in the path or in the body');
  }
  return { model: pathModel, input };
}

function readBoth(body: Buffer): Run {
  const { model, input, ...others } = parseBody(body);
  if (typeof model !== 'string') throw new GatewayError(gatewayErrors.badBody);
  if (!isObject(input)) throw badBodyError('input must be a JSON object');
  if (Object.hasOwn(input, 'model')) throw badBodyError('duplicate model');
  const [other] = Object.keys(others);
  if (other === undefined) return { model, input };
  throw badBodyError(`unknown member ${other.slice(0, 64)}: only model and input are allowed`);
}

/** Determines the operation that serves an input by the members of the input. */
function servedBy(
  input: JsonObject,
): { operation: Operation; translator: Translator; inputForm: string } | undefined {
  if (input.messages !== undefined) {
    return { operation: 'chat/completions', translator: runChat, inputForm: 'messages' };
  }
  if (typeof input.prompt === 'string') {
    return { operation: 'chat/completions', translator: runPrompt, inputForm: 'prompt' };
  }
  if (input.text !== undefined) {
    return { operation: 'embeddings', translator: runEmbeddings, inputForm: 'text' };
  }
  if (input.input !== undefined) {
    return { operation: 'responses', translator: runResponse, inputForm: 'input' };
  }
  return undefined;
}
