import { isObject, type JsonObject } from '../json/json-fields.ts';
import {
  type ParameterRule,
  checkParameters,
  expressed,
  hint,
  isEmptyList,
  isEmptyObject,
  never,
  only,
  parameterTable,
  refused,
  types,
} from './parameters.ts';
import { UntranslatableError } from './translator.ts';

/** The parameters of chat completions that every target expresses. */
const COMMON: Readonly<Record<string, ParameterRule>> = {
  model: expressed(types.any),
  messages: expressed(types.any),
  max_tokens: expressed(types.integer),
  max_completion_tokens: expressed(types.integer),
  temperature: expressed(types.number),
  top_p: expressed(types.number),
  top_k: expressed(types.integer),
  stop: expressed(types.textOrTexts),
  stream: expressed(types.boolean),
  stream_options: expressed(types.object),
  tools: expressed(types.objects),
  tool_choice: expressed(types.textOrObject),
  parallel_tool_calls: expressed(types.boolean),
  response_format: expressed(types.object),
};

/**
 * The hints of chat completions, and of the servers that extend them: the user, how a provider stores, caches and bills,
 * and how much a model reasons.
 */
const HINTS: Readonly<Record<string, ParameterRule>> = {
  cache_control: hint(types.object),
  chat_template_args: hint(),
  chat_template_kwargs: hint(),
  enable_thinking: hint(),
  include_reasoning: hint(),
  metadata: hint(),
  prediction: hint(),
  // Names under which the Vercel AI SDK sends options of providers.
  promptCacheKey: hint(),
  prompt_cache_key: hint(),
  prompt_cache_options: hint(),
  prompt_cache_retention: hint(),
  reasoning: hint(),
  reasoningEffort: hint(),
  reasoningSummary: hint(),
  reasoning_effort: hint(types.text),
  reasoning_format: hint(),
  reasoning_split: hint(),
  reasoning_summary: hint(),
  safety_identifier: hint(types.text),
  service_tier: hint(),
  store: hint(types.boolean),
  thinking: hint(types.object),
  textVerbosity: hint(),
  thinkingConfig: hint(),
  thinking_budget: hint(),
  usage: hint(),
  user: hint(types.text),
  verbosity: hint(),
};

/** The parameters that no target expresses. */
const INEXPRESSIBLE: Readonly<Record<string, ParameterRule>> = {
  audio: refused(never, 'the model responds with text'),
  function_call: refused(never, 'use tool_choice'),
  functions: refused(isEmptyList, 'use tools'),
  logit_bias: refused(isEmptyObject),
  min_p: refused(only(0)),
  modalities: refused(isTextOnly, 'the model responds with text'),
  moderation: refused(never),
  repetition_penalty: refused(only(1)),
  web_search_options: refused(never, 'use a tool of the provider on the provider-native path'),
};

function isTextOnly(modalities: unknown): boolean {
  return Array.isArray(modalities) && modalities.every((one) => one === 'text');
}

/** The rules for chat completions that do not depend on the target. */
export const chatParameters: Readonly<Record<string, ParameterRule>> = {
  ...COMMON,
  ...HINTS,
  ...INEXPRESSIBLE,
};

const STREAM_OPTIONS = parameterTable({
  include_usage: expressed(types.boolean),
  include_obfuscation: hint(),
});

/**
 * Checks the members of `stream_options`.
 * @throws UntranslatableError for a member that the translation does not support
 */
export function checkStreamOptions(options: unknown): void {
  if (isObject(options)) checkParameters(options, STREAM_OPTIONS, 'stream_options.');
}

/**
 * Checks the `tool_choice` of a request without tools.
 * @throws UntranslatableError for a choice that forces a call
 */
export function refuseChoiceWithoutTools(choice: unknown): void {
  const isAllowing = isObject(choice) && choice.type === 'allowed_tools';
  const mode = isAllowing ? modeOf(choice) : choice;
  if (mode === undefined || mode === null || mode === 'auto' || mode === 'none') return;
  throw new UntranslatableError('tool_choice: requires tools');
}

function modeOf({ allowed_tools: allowed }: JsonObject): unknown {
  return isObject(allowed) ? allowed.mode : allowed;
}
