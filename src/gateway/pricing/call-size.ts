import { memoize } from '../../lib/memoize.ts';
import type { CostMember, CostMembers } from '../json/cost-members.ts';
import type { Operation } from '../providers/provider.ts';

/** The maximum number of tokens of a call, according to its request. */
export interface CallSize {
  tokensIn: number;
  tokensOut: number;
  /** The request limits its output, so that the call does not take more than these tokens. */
  isBounded: boolean;
  /** The request may lead to a higher price than the listed one, by this factor. */
  priceFactor: number;
  /** The factor of the tier, speed and region that the request names; `auto` names none. */
  namedFactor: number;
}

/** The parts of a request from which its size is estimated. */
export interface SizedRequest {
  operation: Operation | undefined;
  /** Below the provider. */
  path: string;
  /** The size of the body that the client sent. */
  bytes: number;
  /** Undefined: the body is not JSON. */
  cost: CostMembers | undefined;
}

/** Bytes of text per token. Newer models need fewer tokens for most texts, see docs/estimates.md. */
export const BYTES_PER_TOKEN = 3;
/** Output of a call that does not limit it. */
export const DEFAULT_OUTPUT_TOKENS = 4_096;
// An image in base64 has about a hundred bytes per token, and audio has more.
export const MEDIA_BYTES_PER_TOKEN = 100;
// The largest image of most models.
const MIN_MEDIA_TOKENS = 3_000;
// Providers accept fewer. A larger number would exceed the amounts that can be reserved.
const MAX_OUTPUT_TOKENS = 10_000_000;
const MAX_CHOICES = 256;

/** The members that limit the output of an API, of which the largest counts, and those that multiply it. */
interface OutputMembers {
  limits: readonly string[];
  choices: readonly string[];
}

const CHAT: OutputMembers = {
  limits: ['max_tokens', 'max_completion_tokens'],
  choices: ['n', 'best_of'],
};
const RESPONSES: OutputMembers = { limits: ['max_output_tokens'], choices: [] };
const MESSAGES: OutputMembers = { limits: ['max_tokens'], choices: [] };
const GEMINI: OutputMembers = {
  limits: ['generationConfig.maxOutputTokens', 'generation_config.max_output_tokens'],
  choices: ['generationConfig.candidateCount', 'generation_config.candidate_count'],
};
const CONVERSE: OutputMembers = { limits: ['inferenceConfig.maxTokens'], choices: [] };
const OLLAMA: OutputMembers = { limits: ['options.num_predict'], choices: [] };

/** APIs by path. A path that is not in the list has no known limit. */
const APIS: readonly [path: RegExp, members: OutputMembers][] = [
  [/(?:^|\/)completions$/, CHAT],
  [/(?:^|\/)responses$/, RESPONSES],
  [/(?:^|\/)messages$/, MESSAGES],
  [/:(?:stream)?[gG]enerateContent$/, GEMINI],
  [/\/converse(?:-stream)?$/, CONVERSE],
  [/(?:^|\/)api\/(?:chat|generate)$/, OLLAMA],
];
const WITHOUT_OUTPUT = /(?:^|\/)(?:embeddings|embed|rerank)$|:(?:embedContent|batchEmbedContents)$/;

// No known API has such a long path.
const MAX_PATH_LENGTH = 512;
const MAX_KNOWN_PATHS = 1_000;

/** Returns the API of a path; `members` undefined: its output has no known limit. */
const apiOf = memoize(MAX_KNOWN_PATHS, (path) => ({
  hasOutput: !WITHOUT_OUTPUT.test(path),
  members: APIS.find(([pattern]) => pattern.test(path))?.[1],
}));

/** Estimates how many tokens a call takes at most. */
export function callSizeOf({ operation, path, bytes, cost }: SizedRequest): CallSize {
  const mediaBytes = cost?.mediaBytes ?? bytes;
  const parts = cost?.mediaParts ?? 1;
  const mediaTokens =
    parts === 0 ? 0 : parts * MIN_MEDIA_TOKENS + mediaBytes / MEDIA_BYTES_PER_TOKEN;
  const tokensIn = Math.ceil((bytes - mediaBytes) / BYTES_PER_TOKEN + mediaTokens);
  const { hasOutput, members } = apiOf((operation ?? path).slice(-MAX_PATH_LENGTH));
  const factors = factorsOf(cost);
  if (!hasOutput) {
    return { tokensIn, tokensOut: 0, isBounded: parts === 0, ...factors };
  }
  const limit = members && cost && largestOf(cost, members.limits);
  const choices = (members && cost && largestOf(cost, members.choices)) ?? 1;
  return {
    tokensIn,
    tokensOut: (limit ?? DEFAULT_OUTPUT_TOKENS) * Math.min(Math.max(choices, 1), MAX_CHOICES),
    isBounded: limit !== undefined && parts === 0,
    ...factors,
  };
}

function factorsOf(cost: CostMembers | undefined): Pick<CallSize, 'priceFactor' | 'namedFactor'> {
  if (cost === undefined) return { priceFactor: 1, namedFactor: 1 };
  return {
    priceFactor: requestedFactor(cost, ORDINARY_TIERS),
    namedFactor: requestedFactor(cost, UNNAMED_TIERS),
  };
}

/** @returns undefined for a missing limit, or for 0, which providers interpret differently */
function largestOf(cost: CostMembers, names: readonly string[]): number | undefined {
  let largest: number | undefined;
  for (const name of names) {
    const value = cost.get(name);
    if (value === undefined) continue;
    if (typeof value !== 'number' || value <= 0) return undefined;
    largest = Math.max(largest ?? 0, Math.min(Math.ceil(value), MAX_OUTPUT_TOKENS));
  }
  return largest;
}

const ORDINARY_TIERS: ReadonlySet<CostMember | undefined> = new Set([
  undefined,
  'default',
  'standard',
  'standard_only',
  'on_demand',
  'flex',
  'batch',
]);
const UNNAMED_TIERS: typeof ORDINARY_TIERS = new Set([...ORDINARY_TIERS, 'auto']);

/** The price of the most expensive service tier, relative to the listed price. */
export const PRIORITY_FACTOR = 2;
/** Anthropic's `speed: "fast"`. */
export const FAST_FACTOR = 6;
/** Anthropic's `inference_geo`, where it is not `global`. */
export const GEO_FACTOR = 1.1;

function requestedFactor(cost: CostMembers, ordinaryTiers: typeof ORDINARY_TIERS): number {
  const tier = cost.get('service_tier') ?? cost.get('serviceTier.type');
  const speed = cost.get('speed');
  const geo = cost.get('inference_geo');
  return (
    (ordinaryTiers.has(tier) ? 1 : PRIORITY_FACTOR) *
    (speed === undefined || speed === 'standard' ? 1 : FAST_FACTOR) *
    (geo === undefined || geo === 'global' ? 1 : GEO_FACTOR)
  );
}
