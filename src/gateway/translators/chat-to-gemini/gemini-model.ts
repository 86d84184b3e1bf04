import { UntranslatableError } from '../translator.ts';

/** Models of other generations than those that think. */
const NO_GENERATION = 0;
// Names without a number, such as `gemini-flash-latest`, follow the newest model.
const NEWEST_GENERATION = Infinity;

/** Returns the generation of a Gemini model, such as 2.5; 0 for any other model. */
export function generationOf(model: string): number {
  const [, rest] = /^(?:models\/)?gemini-(.*)$/i.exec(model) ?? [];
  if (rest === undefined) return NO_GENERATION;
  const [number] = /^\d+(?:\.\d+)?/.exec(rest) ?? [];
  return number === undefined ? NEWEST_GENERATION : Number(number);
}

/** Returns true for models that reject their own function calls without the thought signatures. */
export function demandsSignatures(model: string): boolean {
  return generationOf(model) >= 3;
}

/** Returns true for models with `systemInstruction`. Gemma reads instructions in the first turn of the user. */
export function hasSystemInstruction(model: string): boolean {
  return !/^(?:models\/)?gemma-/i.test(model);
}

// The values of Google's own OpenAI-compatible endpoint.
const BUDGET_TOKENS: ReadonlyMap<string, number> = new Map([
  ['none', 0],
  ['minimal', 1_024],
  ['low', 1_024],
  ['medium', 8_192],
  ['high', 24_576],
  ['xhigh', 24_576],
]);
// Thinking of Gemini 2.5 Pro cannot be disabled.
const LEAST_PRO_BUDGET_TOKENS = 128;

/** Returns the thinking configuration of a model by its generation; undefined: the model does not think. */
export function thinkingConfig(
  model: string,
  effort: string,
): { thinkingBudget: number } | { thinkingLevel: string } | undefined {
  const budget = BUDGET_TOKENS.get(effort);
  if (budget === undefined) {
    throw new UntranslatableError(`reasoning_effort: Gemini does not support "${effort}"`);
  }
  const generation = generationOf(model);
  if (generation >= 3) return { thinkingLevel: levelFor(model, effort) };
  if (generation < 2.5) return undefined;
  const least = model.includes('-pro') ? LEAST_PRO_BUDGET_TOKENS : 0;
  return { thinkingBudget: Math.max(least, budget) };
}

/** Returns the nearest level of the model. From generation 3 on, thinking cannot be disabled. */
function levelFor(model: string, effort: string): string {
  switch (effort) {
    case 'none':
    case 'minimal':
      return startsAtLow(model) ? 'low' : 'minimal';
    case 'xhigh':
      return /gemini-4-hydrogen(?:-|$)/i.test(model) ? 'xhigh' : 'high';
    default:
      return effort;
  }
}

/** Pro models, and Flash from 3.7 on, lack `minimal`; Flash-Lite has it. */
function startsAtLow(model: string): boolean {
  if (model.includes('-lite')) return false;
  return model.includes('-pro') || generationOf(model) >= 3.7;
}
