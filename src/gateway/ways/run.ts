import type { ErrorDefinition } from '../../http/errors.ts';
import type { Exchange } from '../exchange.ts';
import { refusalOf } from '../body-refusals.ts';
import { gatewayErrors } from '../gateway-errors.ts';
import type { GatewayServices } from '../gateway-services.ts';
import { readModelField } from '../model-field.ts';
import type { RequestOptions } from '../options.ts';
import type { Operation } from '../providers/provider.ts';
import { type Route, routeNative, routeOperation, tooManyValues } from '../resolve-route.ts';
import { TooManyValuesError, parseRequestJson } from '../translation/exact-json.ts';
import { isObject } from '../translation/json-fields.ts';
import { runChat, runResponse } from '../translation/run/run-answer.ts';
import { runEmbeddings } from '../translation/run/run-embeddings.ts';
import { runPrompt } from '../translation/run/run-prompt.ts';
import type { JsonObject, Translation } from '../translation/translation.ts';

// The input is parsed as a whole, which holds up everybody else meanwhile.
const MAX_INPUT_BYTES = 32 * 1024 * 1024;

const WORKERS_AI = 'workers-ai';
const WORKERS_AI_MODEL = /^(?:workers-ai\/|(?=@(?:cf|hf)\/))(.+)$/;

/** A model and what it is to be run with. */
interface Run {
  /** With its provider in front. */
  model: string;
  input: JsonObject;
}

/**
 * The route of a model that is run with an input of its own. Workers AI has an endpoint for that, which
 * gets the input byte for byte; for every other provider, the input's fields tell the operation.
 * @param pathModel undefined: the body is `{model, input}`
 * @returns the route, or the error to refuse with
 */
export async function readRun(
  services: GatewayServices,
  exchange: Exchange,
  pathModel: string | undefined,
  options: RequestOptions,
): Promise<Route | ErrorDefinition> {
  const { body } = exchange;
  const { modelAliases } = exchange.admission.gateway;
  const resolve = (model: string): string => modelAliases.get(model) ?? model;
  const ownModel = pathModel === undefined ? undefined : workersAiModel(resolve(pathModel));
  if (ownModel !== undefined) return routeWorkersAi(services, exchange, ownModel, body, options);
  const run = await readInput(services, body, pathModel);
  if ('code' in run) return run;
  const named = { ...run, model: resolve(run.model) };
  const route = await routeInput(services, exchange, named, options);
  return 'code' in route ? route : { ...route, received: [body] };
}

async function routeInput(
  services: GatewayServices,
  exchange: Exchange,
  { model, input }: Run,
  options: RequestOptions,
): Promise<Route | ErrorDefinition> {
  const namedModel = workersAiModel(model);
  if (namedModel !== undefined) {
    const body = Buffer.from(JSON.stringify(input));
    return routeWorkersAi(services, exchange, namedModel, body, options);
  }
  const served = servedBy(input);
  if (served === undefined) {
    return badBody('the input must have messages, prompt, text or input');
  }
  const body = Buffer.from(JSON.stringify({ ...input, model }));
  const { operation, translation: outer, inputForm } = served;
  const route = await routeOperation(services, exchange, { operation, body, options, outer });
  return 'code' in route ? route : { ...route, inputForm };
}

function workersAiModel(model: string): string | undefined {
  return WORKERS_AI_MODEL.exec(model)?.[1];
}

async function routeWorkersAi(
  services: GatewayServices,
  exchange: Exchange,
  model: string,
  body: Buffer,
  options: RequestOptions,
): Promise<Route | ErrorDefinition> {
  // What is no part of a model's name is escaped, so that the path stays one.
  const path = encodeURI(model.toWellFormed()).replaceAll(/[?#]/g, encodeURIComponent);
  const pathAndQuery = `run/${path}`;
  const call = { method: 'POST', provider: WORKERS_AI, pathAndQuery, body, options };
  const route = await routeNative(services, exchange, call);
  return 'code' in route ? route : { ...route, model };
}

/** @returns the error to refuse with when the model is not named exactly once */
async function readInput(
  { jsonMaxDepth }: GatewayServices,
  body: Buffer,
  pathModel: string | undefined,
): Promise<Run | ErrorDefinition> {
  if (body.length > MAX_INPUT_BYTES) return gatewayErrors.bodyTooLarge;
  const field = await readModelField(body, jsonMaxDepth);
  if (pathModel === undefined) {
    return typeof field === 'string' ? refusalOf(field) : readBoth(body);
  }
  if (pathModel === '') return gatewayErrors.badFormat;
  if (field === 'too-deep' || field === 'not-json') return refusalOf(field);
  const input = parseInput(body);
  if (input instanceof TooManyValuesError) return tooManyValues(input);
  if (input === undefined) return gatewayErrors.badBody;
  if (Object.hasOwn(input, 'model'))
    return badBody('the model must be either in the path or in the body');
  return { model: pathModel, input };
}

function parseInput(body: Buffer): JsonObject | TooManyValuesError | undefined {
  try {
    const input = parseRequestJson(body.toString());
    return isObject(input) ? input : undefined;
  } catch (error) {
    return error instanceof TooManyValuesError ? error : undefined;
  }
}

function readBoth(body: Buffer): Run | ErrorDefinition {
  const parsed = parseInput(body);
  if (parsed instanceof TooManyValuesError) return tooManyValues(parsed);
  const { model, input, ...others } = parsed ?? {};
  if (typeof model !== 'string') return gatewayErrors.badBody;
  if (!isObject(input)) return badBody('input must be a JSON object');
  if (Object.hasOwn(input, 'model')) return badBody('duplicate model');
  const [other] = Object.keys(others);
  if (other === undefined) return { model, input };
  return badBody(`unknown member ${other.slice(0, 64)}: only model and input are allowed`);
}

/** Determines the operation that serves an input by the members of the input. */
function servedBy(
  input: JsonObject,
): { operation: Operation; translation: Translation; inputForm: string } | undefined {
  if (input.messages !== undefined) {
    return { operation: 'chat/completions', translation: runChat, inputForm: 'messages' };
  }
  if (typeof input.prompt === 'string') {
    return { operation: 'chat/completions', translation: runPrompt, inputForm: 'prompt' };
  }
  if (input.text !== undefined) {
    return { operation: 'embeddings', translation: runEmbeddings, inputForm: 'text' };
  }
  if (input.input !== undefined) {
    return { operation: 'responses', translation: runResponse, inputForm: 'input' };
  }
  return undefined;
}

function badBody(reason: string): ErrorDefinition {
  return { ...gatewayErrors.badBody, message: `Bad format: ${reason}` };
}
