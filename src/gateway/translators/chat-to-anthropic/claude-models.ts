/** The parameters that one generation of models accepts. The API rejects others. */
export interface ModelTraits {
  /** The largest `max_tokens`. */
  maxOutputTokens: number;
  /** `adaptive`: an effort controls the thinking of the model; `budget`: the request limits its tokens. */
  thinking: 'adaptive' | 'budget' | 'none';
  /** The setting with the least thinking. */
  leastThinking: 'disabled' | 'between_tools' | 'low-effort';
  /** Accepts the effort between `high` and `max`. */
  hasXhighEffort: boolean;
  /** Takes temperature and top_p. */
  isSampled: boolean;
  /** Takes temperature and top_p in one request. */
  takesTopPWithTemperature: boolean;
  /** Takes `strict` tools, and a format of the output. */
  hasStructuredOutput: boolean;
}

const CURRENT: ModelTraits = {
  maxOutputTokens: 128_000,
  thinking: 'adaptive',
  leastThinking: 'disabled',
  hasXhighEffort: true,
  isSampled: false,
  takesTopPWithTemperature: false,
  hasStructuredOutput: true,
};

const ALWAYS_THINKING: ModelTraits = { ...CURRENT, leastThinking: 'low-effort' };

const WITH_BUDGET: ModelTraits = {
  ...CURRENT,
  maxOutputTokens: 64_000,
  thinking: 'budget',
  hasXhighEffort: false,
  isSampled: true,
};

const EARLIER: ModelTraits = {
  ...WITH_BUDGET,
  takesTopPWithTemperature: true,
  hasStructuredOutput: false,
};

/** The first entry applies whose name is a part of the model: other clouds add a prefix and a suffix. */
const GENERATIONS: readonly (readonly [RegExp, ModelTraits])[] = [
  [/claude-sonnet-5-5/, { ...CURRENT, leastThinking: 'between_tools' }],
  [/claude-(opus-5-5|fable-|mythos-)/, ALWAYS_THINKING],
  [/claude-(haiku-5-5|opus-5|sonnet-5|opus-4-[78])/, CURRENT],
  [/claude-(opus|sonnet)-4-6/, { ...CURRENT, hasXhighEffort: false, isSampled: true }],
  [/claude-(opus|sonnet|haiku)-4-5/, WITH_BUDGET],
  [/claude-opus-4-1/, { ...WITH_BUDGET, maxOutputTokens: 32_000 }],
  [/claude-opus-4/, { ...EARLIER, maxOutputTokens: 32_000 }],
  [/claude-(sonnet-4|3-7-sonnet)/, EARLIER],
  [/claude-(3|2|instant)/, { ...EARLIER, maxOutputTokens: 4_096, thinking: 'none' }],
  // A newer model: the traits of the newest one, with the output limit of every model since 4.5.
  [/claude/, { ...ALWAYS_THINKING, maxOutputTokens: 64_000 }],
];

/** A model of another company behind the same API. */
const FOREIGN: ModelTraits = {
  ...WITH_BUDGET,
  maxOutputTokens: 4_096,
  takesTopPWithTemperature: true,
};

/** Returns the traits of a model, by its name at Anthropic or at a cloud provider. */
export function traitsOf(model: string): ModelTraits {
  return GENERATIONS.find(([name]) => name.test(model))?.[1] ?? FOREIGN;
}
