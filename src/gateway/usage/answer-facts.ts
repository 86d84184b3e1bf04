import { objectIn, type JsonObject } from '../json/json-fields.ts';

/** The members of a response that affect its price, besides the tokens. */
export interface AnswerFacts {
  /** The id of the response, or of the batch. */
  id?: string;
  /** The model of the response, which may have another name than the requested one. */
  model?: string;
  /** The service tier of the response. */
  serviceTier?: string;
  /** Anthropic's faster mode of a model. */
  speed?: string;
  /** The region that processed the request, for Anthropic models. */
  inferenceGeo?: string;
  /** Web searches of the provider's own tool, which it bills separately. */
  webSearches?: number;
  /** The length of the transcribed audio, in seconds. */
  audioSeconds?: number;
  /** The cost that the provider itself reports, in US dollars. */
  costUsd?: number;
}

/** Members of a response or event that contain them, besides `usage`. */
export const FACT_MEMBERS: ReadonlySet<string> = new Set([
  'id',
  'model',
  'modelVersion',
  'service_tier',
  'serviceTier',
  'duration',
]);

// No provider has longer ones.
const MAX_TEXT_LENGTH = 300;
// More than any call costs.
const MAX_USD = 1_000_000;
const USD_TICKS = 1e10;

/**
 * Reads the facts of a response or event, and adds them to the known ones. Amounts never decrease
 * within a response, and a later event does not remove a fact.
 */
export function mergeFacts(
  former: AnswerFacts | undefined,
  found: JsonObject,
): AnswerFacts | undefined {
  const response = objectIn(found.response);
  const message = objectIn(found.message);
  const usage = usageIn(found, response, message);
  const later: AnswerFacts = {};
  addText(later, 'id', found.id ?? response.id);
  addText(later, 'model', found.model ?? response.model ?? message.model ?? found.modelVersion);
  addText(
    later,
    'serviceTier',
    found.service_tier ??
      response.service_tier ??
      usage.service_tier ??
      usage.trafficType ??
      objectIn(found.serviceTier).type,
  );
  addText(later, 'speed', usage.speed);
  addText(later, 'inferenceGeo', usage.inference_geo);
  const searches = objectIn(usage.server_tool_use).web_search_requests ?? usage.num_search_queries;
  addAmount(later, 'webSearches', searches, former);
  addAmount(later, 'audioSeconds', usage.seconds ?? found.duration, former);
  addAmount(later, 'costUsd', costIn(usage), former);
  for (const _name in later) return { ...former, ...later };
  return former;
}

function usageIn(found: JsonObject, response: JsonObject, message: JsonObject): JsonObject {
  return objectIn(
    found.usage ?? response.usage ?? message.usage ?? found.usageMetadata ?? found.x_groq,
  );
}

/** OpenRouter reports a number, Perplexity an object, xAI ten-billionths of a dollar. */
function costIn(usage: JsonObject): number | undefined {
  const { cost, cost_in_usd_ticks: ticks, cost_details: details } = usage;
  if (typeof ticks === 'number') return ticks / USD_TICKS;
  if (typeof cost !== 'number') return numberIn(objectIn(cost).total_cost);
  // For a user's own provider key, OpenRouter bills its fee, and the provider the rest.
  const upstream = usage.is_byok === true ? objectIn(details).upstream_inference_cost : undefined;
  return cost + (numberIn(upstream) ?? 0);
}

function numberIn(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function addText(
  facts: AnswerFacts,
  name: 'id' | 'model' | 'serviceTier' | 'speed' | 'inferenceGeo',
  value: unknown,
): void {
  if (typeof value !== 'string' || value === '' || value.length > MAX_TEXT_LENGTH) return;
  facts[name] = value;
}

function addAmount(
  facts: AnswerFacts,
  name: 'webSearches' | 'audioSeconds' | 'costUsd',
  value: unknown,
  former: AnswerFacts | undefined,
): void {
  if (typeof value !== 'number' || !(value >= 0) || value > MAX_USD) return;
  facts[name] = Math.max(former?.[name] ?? 0, value);
}
