import { isObject, textIn, type JsonObject } from '../../json/json-fields.ts';
import { UntranslatableError } from '../translator.ts';
import type { ModelTraits } from './claude-models.ts';
import { lacksThoughts } from './thinking-blocks.ts';

/** The minimum of the API. */
const MIN_BUDGET_TOKENS = 1_024;

/** Limits of thinking tokens, for models that require one. */
const BUDGET_TOKENS = new Map([
  ['minimal', MIN_BUDGET_TOKENS],
  ['low', 4_096],
  ['medium', 12_288],
  ['high', 24_576],
  ['xhigh', 32_768],
  ['max', 32_768],
]);

/** The members of a request that control thinking. */
export interface ReasoningFields {
  thinking?: JsonObject;
  /** For `output_config`. */
  effort?: string;
}

/**
 * Translates `reasoning_effort` for the generation of the model. A `thinking` of the Messages API, which some clients add,
 * takes precedence.
 * @throws UntranslatableError for an unknown effort
 */
export function reasoningFields(
  body: JsonObject,
  traits: ModelTraits,
  maxTokens: number,
  toolChoice: unknown,
): ReasoningFields {
  if (isObject(body.thinking)) {
    const isRefused = body.thinking.type === 'enabled' && lacksThoughts(body.messages);
    return isRefused ? {} : { thinking: body.thinking };
  }
  const { reasoning_effort: wanted } = body;
  if (wanted === undefined || wanted === null || traits.thinking === 'none') return {};
  const effort = textIn(wanted) ?? '';
  if (effort === 'none') return leastThinking(traits);
  const budget = BUDGET_TOKENS.get(effort);
  if (budget === undefined) {
    throw new UntranslatableError(
      `reasoning_effort: must be none, ${[...BUDGET_TOKENS.keys()].join(', ')}`,
    );
  }
  const isForced = forcesCall(toolChoice);
  if (traits.thinking === 'adaptive') {
    return {
      ...(isForced ? {} : { thinking: { type: 'adaptive', display: 'summarized' } }),
      effort: knownEffort(effort, traits),
    };
  }
  // At least half is left for the response.
  const budgetTokens = Math.min(budget, Math.floor(maxTokens / 2));
  if (isForced || budgetTokens < MIN_BUDGET_TOKENS || lacksThoughts(body.messages)) return {};
  return { thinking: { type: 'enabled', budget_tokens: budgetTokens } };
}

function leastThinking({ leastThinking: least }: ModelTraits): ReasoningFields {
  return least === 'low-effort' ? { effort: 'low' } : { thinking: { type: least } };
}

function knownEffort(effort: string, { hasXhighEffort }: ModelTraits): string {
  if (effort === 'minimal') return 'low';
  return effort === 'xhigh' && !hasXhighEffort ? 'high' : effort;
}

/** Returns true if the model must call a tool. The API rejects thinking before that. */
function forcesCall(toolChoice: unknown): boolean {
  return isObject(toolChoice) && ['any', 'tool'].includes(String(toolChoice.type));
}
