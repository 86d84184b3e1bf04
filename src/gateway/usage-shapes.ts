import type { JsonObject } from './translation/translation.ts';
import type { Usage } from './usage.ts';

/** Tokens as one answer or event told them, before the parts are added up. */
export interface Counts {
  input: number | null;
  output: number | null;
  cacheRead: number | null;
  cacheWrite: number | null;
  /** The input is told without what was read from or written to the cache. */
  isCacheBeside: boolean;
}

export const NO_COUNTS: Counts = {
  input: null,
  output: null,
  cacheRead: null,
  cacheWrite: null,
  isCacheBeside: false,
};

/** One way of telling tokens; fields are named with dots for the objects they lie in. */
interface Shape {
  /** Where in the answer or event the object may lie; '' is the answer itself. */
  places: readonly string[];
  /** A field without which it is another shape. */
  demands?: string;
  /** These add up. */
  input: readonly string[];
  /** These add up. */
  output: readonly string[];
  /** The first that is told. */
  cacheRead?: readonly string[];
  /** The first that is told. */
  cacheWrite?: readonly string[];
  isCacheBeside?: boolean;
  /** More output, where it takes these to arrive at the total. */
  outputBeside?: { tokens: string; total: string };
}

const USAGE_PLACES = [
  'usage',
  // Events of OpenAI's Responses API.
  'response.usage',
  // Anthropic's message_start.
  'message.usage',
  // Workers AI.
  'result.usage',
  // Groq's last event, for those who did not ask for usage.
  'x_groq.usage',
];

/** The ways of all providers. The first that fits an answer or event is believed. */
const SHAPES: readonly Shape[] = [
  {
    // OpenAI's chat completions and embeddings, and everybody who speaks that API.
    places: USAGE_PLACES,
    input: ['prompt_tokens'],
    output: ['completion_tokens'],
    cacheRead: [
      'prompt_tokens_details.cached_tokens',
      'prompt_cache_hit_tokens',
      'cache_read_input_tokens',
      'cached_tokens',
    ],
    cacheWrite: ['prompt_tokens_details.cache_write_tokens', 'cache_creation_input_tokens'],
    // xAI bills thinking as output, and counts it apart.
    outputBeside: { tokens: 'completion_tokens_details.reasoning_tokens', total: 'total_tokens' },
  },
  {
    // OpenAI's Responses API: the cached ones are among the input.
    places: USAGE_PLACES,
    demands: 'input_tokens_details',
    input: ['input_tokens'],
    output: ['output_tokens'],
    cacheRead: ['input_tokens_details.cached_tokens'],
    cacheWrite: ['input_tokens_details.cache_write_tokens'],
  },
  {
    // Anthropic: the cached ones stand beside the input.
    places: USAGE_PLACES,
    input: ['input_tokens'],
    output: ['output_tokens'],
    cacheRead: ['cache_read_input_tokens'],
    cacheWrite: ['cache_creation_input_tokens'],
    isCacheBeside: true,
  },
  {
    // Gemini.
    places: ['usageMetadata'],
    input: ['promptTokenCount', 'toolUsePromptTokenCount'],
    output: ['candidatesTokenCount', 'thoughtsTokenCount'],
    cacheRead: ['cachedContentTokenCount'],
  },
  {
    // Bedrock's Converse API; Amazon's own models add `Count`.
    places: ['usage'],
    input: ['inputTokens'],
    output: ['outputTokens'],
    cacheRead: ['cacheReadInputTokens', 'cacheReadInputTokenCount'],
    cacheWrite: ['cacheWriteInputTokens', 'cacheWriteInputTokenCount'],
    isCacheBeside: true,
  },
  {
    // The end of any model's stream on Bedrock.
    places: ['amazon-bedrock-invocationMetrics'],
    input: ['inputTokenCount'],
    output: ['outputTokenCount'],
    cacheRead: ['cacheReadInputTokenCount'],
    cacheWrite: ['cacheWriteInputTokenCount'],
    isCacheBeside: true,
  },
  {
    // Cohere; what it bills, which is less than what its template makes of a prompt.
    places: [
      'usage.billed_units',
      'delta.usage.billed_units',
      'meta.billed_units',
      'response.meta.billed_units',
      'usage.tokens',
      'delta.usage.tokens',
      'meta.tokens',
      'response.meta.tokens',
    ],
    input: ['input_tokens'],
    output: ['output_tokens'],
  },
  {
    // Replicate.
    places: ['metrics'],
    input: ['input_token_count'],
    output: ['output_token_count'],
  },
  {
    // Ollama's own API.
    places: [''],
    input: ['prompt_eval_count'],
    output: ['eval_count'],
  },
  {
    // Meta's models on Bedrock.
    places: [''],
    input: ['prompt_token_count'],
    output: ['generation_token_count'],
  },
  {
    // Amazon's Titan models on Bedrock.
    places: [''],
    input: ['inputTextTokenCount'],
    output: ['totalOutputTextTokenCount'],
  },
];

/** At least one of these texts is in every JSON text that tells tokens. */
export const USAGE_MARKERS: readonly string[] = [
  '"usage',
  '"billed_units"',
  '_count"',
  'TokenCount"',
];

// Where only a part of the text is at hand, what lies in one of these is found without it.
const HOLDERS = new Set(['response', 'message', 'result', 'delta', 'x_groq']);

const topNames = new Set(
  SHAPES.flatMap(({ places, input, output }) =>
    places.flatMap((place) => (place === '' ? [...input, ...output] : place.split('.', 1))),
  ).filter((name) => !HOLDERS.has(name)),
);

/**
 * Whether a member of an answer of which only parts are at hand may tell tokens.
 * @param depth 1: of the answer itself; 2: of an object in it, or in the list that it is
 */
export function tellsUsage(name: string, depth: number): boolean {
  return depth === 1 ? topNames.has(name) : name === 'usage' || name === 'usageMetadata';
}

/** What an answer or event tells, in whichever shape; of a list of events, all of them. */
export function countsOf(answer: unknown): Counts {
  if (Array.isArray(answer)) {
    return answer.reduce<Counts>((counts, one) => mergeCounts(counts, countsOf(one)), NO_COUNTS);
  }
  for (const shape of SHAPES) {
    for (const place of shape.places) {
      const counts = readShape(shape, fieldOf(answer, place));
      if (counts !== undefined) return counts;
    }
  }
  return NO_COUNTS;
}

/** What is known after another event: counts grow, so that those told later are believed. */
export function mergeCounts(former: Counts, later: Counts): Counts {
  const tellsCache = later.cacheRead !== null || later.cacheWrite !== null;
  return {
    input: later.input ?? former.input,
    output: later.output ?? former.output,
    cacheRead: later.cacheRead ?? former.cacheRead,
    cacheWrite: later.cacheWrite ?? former.cacheWrite,
    isCacheBeside: tellsCache ? later.isCacheBeside : former.isCacheBeside,
  };
}

/** The counts as the gateway logs and bills them. Parts that exceed the whole are not believed. */
export function usageOf({ input, output, cacheRead, cacheWrite, isCacheBeside }: Counts): Usage {
  const cached = (cacheRead ?? 0) + (cacheWrite ?? 0);
  const tokensIn = input !== null && isCacheBeside ? input + cached : input;
  const isSound = tokensIn !== null && cached <= tokensIn;
  return {
    tokensIn,
    tokensOut: output,
    cacheReadTokens: isSound ? cacheRead : null,
    cacheWriteTokens: isSound ? cacheWrite : null,
  };
}

function readShape(shape: Shape, told: unknown): Counts | undefined {
  if (!isObject(told)) return undefined;
  if (shape.demands !== undefined && !isObject(fieldOf(told, shape.demands))) return undefined;
  const input = sumOf(told, shape.input);
  const output = sumOf(told, shape.output);
  if (input === null && output === null) return undefined;
  return {
    input,
    output: output === null ? null : output + outputBeside(shape, told, input ?? 0, output),
    cacheRead: firstOf(told, shape.cacheRead ?? []),
    cacheWrite: firstOf(told, shape.cacheWrite ?? []),
    isCacheBeside: shape.isCacheBeside ?? false,
  };
}

function outputBeside(shape: Shape, told: JsonObject, input: number, output: number): number {
  if (shape.outputBeside === undefined) return 0;
  const tokens = count(fieldOf(told, shape.outputBeside.tokens)) ?? 0;
  return count(fieldOf(told, shape.outputBeside.total)) === input + output + tokens ? tokens : 0;
}

function sumOf(told: JsonObject, fields: readonly string[]): number | null {
  const counts = fields.map((field) => count(fieldOf(told, field))).filter((one) => one !== null);
  return counts.length === 0 ? null : counts.reduce((sum, one) => sum + one, 0);
}

function firstOf(told: JsonObject, fields: readonly string[]): number | null {
  for (const field of fields) {
    const found = count(fieldOf(told, field));
    if (found !== null) return found;
  }
  return null;
}

function fieldOf(value: unknown, path: string): unknown {
  if (path === '') return value;
  let found = value;
  for (const name of path.split('.')) {
    if (!isObject(found)) return undefined;
    found = found[name];
  }
  return found;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

// So that sums of them stay exact. Nobody sells as many at once.
const MAX_TOKENS = 1e12;

function count(value: unknown): number | null {
  if (typeof value !== 'number' || !Number.isInteger(value)) return null;
  return value >= 0 && value <= MAX_TOKENS ? value : null;
}
