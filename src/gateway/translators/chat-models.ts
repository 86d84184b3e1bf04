import { mistralCallId } from './tool-calls.ts';

/** The parameters that a model accepts in a chat completion. APIs reject others. */
export interface ChatModelTraits {
  /** The member that limits the output. */
  limit: 'max_completion_tokens' | 'max_tokens';
  /** The largest limit; undefined where it is not known. */
  maxOutputTokens: number | undefined;
  /** Takes `reasoning_effort`. */
  takesEffort: boolean;
  /** Takes `temperature` and `top_p`. */
  isSampled: boolean;
  /** Takes `stop`. */
  takesStop: boolean;
  /**
   * The member of a message that returns its thoughts to the model: as a text, or as the blocks of the Messages API;
   * undefined: none.
   */
  thoughts: 'reasoning_content' | 'reasoning' | 'thinking_blocks' | undefined;
  /** Takes instructions in the middle of a conversation. */
  takesLateInstructions: boolean;
  /** Returns the ID of a tool call in the format of the provider. */
  callId: (this: void, id: string) => string;
}

type ModelTraits = Omit<ChatModelTraits, 'thoughts' | 'takesLateInstructions' | 'callId'>;

const TAKE_LATE_INSTRUCTIONS: ReadonlySet<unknown> = new Set(['openai', 'azure-openai']);

/** Unknown models. They may reject a hint, such as the effort. */
const UNKNOWN: ModelTraits = {
  limit: 'max_tokens',
  maxOutputTokens: undefined,
  takesEffort: false,
  isSampled: true,
  takesStop: true,
};

const chat = (maxOutputTokens?: number): ModelTraits => ({ ...UNKNOWN, maxOutputTokens });
const REASONING: ModelTraits = { ...UNKNOWN, takesEffort: true };

/** OpenAI's own reasoning models. */
const openAiReasoning = (maxOutputTokens?: number): ModelTraits => ({
  limit: 'max_completion_tokens',
  maxOutputTokens,
  takesEffort: true,
  isSampled: false,
  takesStop: false,
});
const openAiChat = (maxOutputTokens?: number): ModelTraits => ({
  ...chat(maxOutputTokens),
  limit: 'max_completion_tokens',
});

/** The first entry that matches applies. Names may have a path as a prefix, and a date or a size as a suffix. */
const MODELS: readonly (readonly [RegExp, ModelTraits])[] = [
  [/(?:^|\/)gpt-3\.5/, chat(4_096)],
  [/(?:^|\/)gpt-4-(?:turbo|1106|0125|vision)/, chat(4_096)],
  [/(?:^|\/)gpt-4o-2024-05-13/, chat(4_096)],
  [/(?:^|\/)gpt-4o/, chat(16_384)],
  [/(?:^|\/)gpt-4\.1/, chat(32_768)],
  [/(?:^|\/)gpt-4\.5/, chat(16_384)],
  [/(?:^|\/)gpt-4(?:-|$)/, chat(8_192)],
  [/(?:^|\/)gpt-oss/, REASONING],
  [/(?:^|\/)(?:gpt-5[\w.]*-chat|chatgpt-4o)/, openAiChat(16_384)],
  [/(?:^|\/)(?:gpt-\d[\w.]*-chat|chatgpt)/, openAiChat()],
  // These models accept one effort only.
  [/(?:^|\/)gpt-[5-9][\w.]*-pro/, { ...openAiReasoning(), takesEffort: false }],
  [/(?:^|\/)gpt-5/, openAiReasoning(128_000)],
  [/(?:^|\/)gpt-(?:[6-9]|\d\d)/, openAiReasoning()],
  [/(?:^|\/)o1-mini/, { ...openAiReasoning(65_536), takesEffort: false }],
  [/(?:^|\/)o1-preview/, { ...openAiReasoning(32_768), takesEffort: false }],
  [/(?:^|\/)o\d/, openAiReasoning(100_000)],
  [/(?:^|\/)gemini-(?:2\.5|[3-9]|\d\d|[a-z])/, REASONING],
  [/(?:^|\/)grok-3-mini/, REASONING],
  [/(?:^|\/)sonar-(?:reasoning|deep-research)/, REASONING],
];

/** Custom providers are mostly servers that accept the member or ignore it. */
const CUSTOM = /^custom-/;

const THOUGHTS: ReadonlyMap<string, ChatModelTraits['thoughts']> = new Map([
  ['cerebras', 'reasoning'],
  ['deepseek', 'reasoning_content'],
  ['fireworks', 'reasoning_content'],
  ['huggingface', 'reasoning_content'],
  ['ollama', 'reasoning'],
  ['openrouter', 'reasoning'],
  ['together', 'reasoning_content'],
  ['vllm', 'reasoning_content'],
  ['xai', 'reasoning_content'],
]);

/** Reasoning models at Groq. Groq rejects thoughts in the messages of all other models. */
const THINKS_AT_GROQ = /gpt-oss|qwen|deepseek|thinking/;

/**
 * Returns the traits of a model in chat completions.
 * @param provider the name in models and paths; undefined if unknown
 * @param model the name at the provider
 */
export function chatTraitsOf(provider: string | undefined, model: string): ChatModelTraits {
  const traits = MODELS.find(([name]) => name.test(model))?.[1] ?? UNKNOWN;
  return {
    ...traits,
    thoughts: thoughtsOf(provider, model),
    takesLateInstructions: TAKE_LATE_INSTRUCTIONS.has(provider),
    callId: provider === 'mistral' ? mistralCallId : unchanged,
  };
}

function thoughtsOf(provider: string | undefined, model: string): ChatModelTraits['thoughts'] {
  if (provider === undefined) return undefined;
  if (CUSTOM.test(provider)) return 'reasoning_content';
  if (provider === 'groq') return THINKS_AT_GROQ.test(model) ? 'reasoning' : undefined;
  return THOUGHTS.get(provider);
}

/** For a chat completion that is translated again: the next translator applies the traits of the model. */
export const UNLIMITED_TRAITS: ChatModelTraits = {
  ...UNKNOWN,
  takesEffort: true,
  thoughts: 'thinking_blocks',
  takesLateInstructions: true,
  callId: unchanged,
};

function unchanged(id: string): string {
  return id;
}
