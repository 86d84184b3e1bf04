import type { WantedMembers } from './json-members.ts';
import { FACT_MEMBERS } from './answer-facts.ts';
import { type TokenKinds, areKindsWithin, readKinds } from './token-kinds.ts';
import type { Usage } from './usage.ts';
import type { JsonObject } from '../json/json-fields.ts';

/** The counts of one response or event, before the parts are added up. */
export interface Counts {
  input: number | null;
  output: number | null;
  cacheRead: number | null;
  cacheWrite: number | null;
  /** The part that is written for an hour. */
  cacheWriteHour: number | null;
  kinds: TokenKinds | null;
  /** The input does not include the tokens that were read from or written to the cache. */
  isCacheBeside: boolean;
}

export const NO_COUNTS: Counts = {
  input: null,
  output: null,
  cacheRead: null,
  cacheWrite: null,
  cacheWriteHour: null,
  kinds: null,
  isCacheBeside: false,
};

/** The names on the path to a member. */
type Path = readonly string[];

/** Members, with dots between the names of their objects. */
const paths = (...fields: string[]): Path[] => fields.map((field) => field.split('.'));

/** One format of usage. */
interface Shape {
  /** The possible paths of the object in a response or event. */
  places: readonly Path[];
  /** A member that identifies the format. */
  demands?: Path;
  /** These add up. */
  input: readonly Path[];
  /** These add up. */
  output: readonly Path[];
  /** The first that is told. */
  cacheRead?: readonly Path[];
  /** The first that is told. */
  cacheWrite?: readonly Path[];
  /** The part that is written for an hour. */
  cacheWriteHour?: readonly Path[];
  /** The paths of the kinds of tokens, see token-kinds.ts. */
  kinds?: { input: Path; output: Path; cacheRead?: Path };
  isCacheBeside?: boolean;
  /** Further output that the total includes. */
  outputBeside?: { tokens: Path; total: Path };
}

/** The response itself. */
const AT_TOP: readonly Path[] = [[]];

const USAGE_PLACES = paths(
  'usage',
  // Events of OpenAI's Responses API.
  'response.usage',
  // Anthropic's message_start.
  'message.usage',
  // Workers AI.
  'result.usage',
  // Groq's last event, for clients that do not request usage.
  'x_groq.usage',
);

/** The formats of all providers. The first one that matches applies. */
const SHAPES: readonly Shape[] = [
  {
    // Chat completions and embeddings of OpenAI and of compatible providers.
    places: USAGE_PLACES,
    input: paths('prompt_tokens'),
    output: paths('completion_tokens'),
    cacheRead: paths(
      'prompt_tokens_details.cached_tokens',
      'prompt_cache_hit_tokens',
      'cache_read_input_tokens',
      'cached_tokens',
    ),
    cacheWrite: paths('prompt_tokens_details.cache_write_tokens', 'cache_creation_input_tokens'),
    kinds: { input: ['prompt_tokens_details'], output: ['completion_tokens_details'] },
    // xAI bills thinking as output, and counts it separately.
    outputBeside: {
      tokens: ['completion_tokens_details', 'reasoning_tokens'],
      total: ['total_tokens'],
    },
  },
  {
    // OpenAI's Responses API: the input includes the cached tokens.
    places: USAGE_PLACES,
    demands: ['input_tokens_details'],
    input: paths('input_tokens'),
    output: paths('output_tokens'),
    cacheRead: paths('input_tokens_details.cached_tokens'),
    cacheWrite: paths('input_tokens_details.cache_write_tokens'),
    // Images, in the same format.
    kinds: { input: ['input_tokens_details'], output: ['output_tokens_details'] },
  },
  {
    // Anthropic: the input does not include the cached tokens.
    places: USAGE_PLACES,
    input: paths('input_tokens'),
    output: paths('output_tokens'),
    cacheRead: paths('cache_read_input_tokens'),
    cacheWrite: paths('cache_creation_input_tokens'),
    cacheWriteHour: paths('cache_creation.ephemeral_1h_input_tokens'),
    isCacheBeside: true,
  },
  {
    // Gemini.
    places: paths('usageMetadata'),
    input: paths('promptTokenCount', 'toolUsePromptTokenCount'),
    output: paths('candidatesTokenCount', 'thoughtsTokenCount'),
    cacheRead: paths('cachedContentTokenCount'),
    kinds: {
      input: ['promptTokensDetails'],
      output: ['candidatesTokensDetails'],
      cacheRead: ['cacheTokensDetails'],
    },
  },
  {
    // Bedrock's Converse API; Amazon's own models add `Count`.
    places: paths('usage'),
    input: paths('inputTokens'),
    output: paths('outputTokens'),
    cacheRead: paths('cacheReadInputTokens', 'cacheReadInputTokenCount'),
    cacheWrite: paths('cacheWriteInputTokens', 'cacheWriteInputTokenCount'),
    isCacheBeside: true,
  },
  {
    // The last event of a stream of any model on Bedrock.
    places: paths('amazon-bedrock-invocationMetrics'),
    input: paths('inputTokenCount'),
    output: paths('outputTokenCount'),
    cacheRead: paths('cacheReadInputTokenCount'),
    cacheWrite: paths('cacheWriteInputTokenCount'),
    isCacheBeside: true,
  },
  {
    // Cohere: the billed tokens, which are fewer than those of its prompt template.
    places: paths(
      'usage.billed_units',
      'delta.usage.billed_units',
      'meta.billed_units',
      'response.meta.billed_units',
      'usage.tokens',
      'delta.usage.tokens',
      'meta.tokens',
      'response.meta.tokens',
    ),
    input: paths('input_tokens'),
    output: paths('output_tokens'),
  },
  {
    // Replicate.
    places: paths('metrics'),
    input: paths('input_token_count'),
    output: paths('output_token_count'),
  },
  {
    // Ollama's own API.
    places: AT_TOP,
    input: paths('prompt_eval_count'),
    output: paths('eval_count'),
  },
  {
    // Meta's models on Bedrock.
    places: AT_TOP,
    input: paths('prompt_token_count'),
    output: paths('generation_token_count'),
  },
  {
    // Amazon's Titan models on Bedrock.
    places: AT_TOP,
    input: paths('inputTextTokenCount'),
    output: paths('totalOutputTextTokenCount'),
  },
];

// Objects that contain objects with counts, and many other members.
const HOLDERS = new Set(['response', 'message', 'result', 'delta', 'x_groq']);

/** The members of a response or event that {@link countsOf} reads. */
export const USAGE_MEMBERS: WantedMembers = wantedMembers();

function wantedMembers(): WantedMembers {
  const wanted = new Map<string, 'whole' | Set<string>>();
  for (const { places, input, output } of SHAPES) {
    for (const [first = '', second = ''] of places === AT_TOP ? [...input, ...output] : places) {
      const within = wanted.get(first);
      if (!HOLDERS.has(first)) wanted.set(first, 'whole');
      else if (within instanceof Set) within.add(second);
      else wanted.set(first, new Set([second]));
    }
  }
  for (const name of FACT_MEMBERS) wanted.set(name, 'whole');
  for (const holder of ['response', 'message']) {
    const within = wanted.get(holder);
    if (within instanceof Set) for (const name of ['id', 'model', 'service_tier']) within.add(name);
  }
  return wanted;
}

/** Reads the counts of a response or event in any format. */
export function countsOf(answer: JsonObject): Counts {
  for (const shape of SHAPES) {
    for (const place of shape.places) {
      const counts = readShape(shape, fieldOf(answer, place));
      if (counts !== undefined) return counts;
    }
  }
  return NO_COUNTS;
}

/**
 * Merges the counts of another event. Counts never decrease: some servers repeat a count as 0.
 */
export function mergeCounts(former: Counts, later: Counts): Counts {
  const tellsCache = later.cacheRead !== null || later.cacheWrite !== null;
  return {
    input: larger(former.input, later.input),
    output: larger(former.output, later.output),
    cacheRead: larger(former.cacheRead, later.cacheRead),
    cacheWrite: larger(former.cacheWrite, later.cacheWrite),
    cacheWriteHour: larger(former.cacheWriteHour, later.cacheWriteHour),
    kinds: later.kinds ?? former.kinds,
    isCacheBeside: tellsCache ? later.isCacheBeside : former.isCacheBeside,
  };
}

function larger(former: number | null, later: number | null): number | null {
  if (former === null || later === null) return later ?? former;
  return Math.max(former, later);
}

/** Returns the counts for log and cost. Parts that exceed the whole are ignored. */
export function usageOf(counts: Counts): Usage {
  const { input, output, cacheRead, cacheWrite, isCacheBeside } = counts;
  const cached = (cacheRead ?? 0) + (cacheWrite ?? 0);
  const tokensIn = input !== null && isCacheBeside ? input + cached : input;
  if (tokensIn === null || cached > tokensIn) {
    return { tokensIn, tokensOut: output, cacheReadTokens: null, cacheWriteTokens: null };
  }
  return {
    tokensIn,
    tokensOut: output,
    cacheReadTokens: cacheRead,
    cacheWriteTokens: cacheWrite,
    ...hourPart(counts),
    ...kindsPart(counts, tokensIn),
  };
}

function hourPart({ cacheWrite, cacheWriteHour }: Counts): Pick<Usage, 'cacheWriteHourTokens'> {
  const isSound =
    cacheWriteHour !== null && cacheWriteHour > 0 && cacheWriteHour <= (cacheWrite ?? 0);
  return isSound ? { cacheWriteHourTokens: cacheWriteHour } : {};
}

function kindsPart({ output, cacheRead, kinds }: Counts, tokensIn: number): Pick<Usage, 'kinds'> {
  const whole = { in: tokensIn, out: output ?? 0, cacheRead: cacheRead ?? 0 };
  return kinds !== null && areKindsWithin(kinds, whole) ? { kinds } : {};
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
    cacheWriteHour: firstOf(told, shape.cacheWriteHour ?? []),
    kinds: kindsOf(shape, told),
    isCacheBeside: shape.isCacheBeside ?? false,
  };
}

function kindsOf({ kinds }: Shape, told: JsonObject): TokenKinds | null {
  if (kinds === undefined) return null;
  return readKinds({
    input: fieldOf(told, kinds.input),
    output: fieldOf(told, kinds.output),
    cacheRead: kinds.cacheRead === undefined ? undefined : fieldOf(told, kinds.cacheRead),
  });
}

function outputBeside(shape: Shape, told: JsonObject, input: number, output: number): number {
  if (shape.outputBeside === undefined) return 0;
  const tokens = count(fieldOf(told, shape.outputBeside.tokens)) ?? 0;
  return count(fieldOf(told, shape.outputBeside.total)) === input + output + tokens ? tokens : 0;
}

function sumOf(told: JsonObject, fields: readonly Path[]): number | null {
  let sum: number | null = null;
  for (const field of fields) {
    const found = count(fieldOf(told, field));
    if (found !== null) sum = (sum ?? 0) + found;
  }
  return sum;
}

function firstOf(told: JsonObject, fields: readonly Path[]): number | null {
  for (const field of fields) {
    const found = count(fieldOf(told, field));
    if (found !== null) return found;
  }
  return null;
}

function fieldOf(value: unknown, path: Path): unknown {
  let found = value;
  for (const name of path) {
    if (!isObject(found)) return undefined;
    found = found[name];
  }
  return found;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

// Sums stay exact below it, and no call has as many tokens.
const MAX_TOKENS = 1e12;

function count(value: unknown): number | null {
  if (typeof value !== 'number' || !Number.isInteger(value)) return null;
  return value >= 0 && value <= MAX_TOKENS ? value : null;
}
