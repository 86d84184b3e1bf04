import { UntranslatableError } from '../translator.ts';

/** Of no Gemini model that thinks. */
const NO_GENERATION = 0;
// Names without a number, such as `gemini-flash-latest`, follow the newest model.
const NEWEST_GENERATION = Infinity;

/** The generation of a Gemini model, such as 2.5; 0 for any other model. */
export function generationOf(model: string): number {
  const [, rest] = /^(?:models\/)?gemini-(.*)$/i.exec(model) ?? [];
  if (rest === undefined) return NO_GENERATION;
  const [number] = /^\d+(?:\.\d+)?/.exec(rest) ?? [];
  return number === undefined ? NEWEST_GENERATION : Number(number);
}

/** Whether the model refuses its own function calls unless their thought signatures come back. */
export function demandsSignatures(model: string): boolean {
  return generationOf(model) >= 3;
}

/** Whether it has a place of its own for instructions; Gemma reads them in the first user turn. */
export function hasSystemInstruction(model: string): boolean {
  return !/^(?:models\/)?gemma-/i.test(model);
}

// As Google's own OpenAI-compatible endpoint translates them.
const BUDGET_TOKENS: ReadonlyMap<string, number> = new Map([
  ['none', 0],
  ['minimal', 1_024],
  ['low', 1_024],
  ['medium', 8_192],
  ['high', 24_576],
  ['xhigh', 24_576],
]);
// Gemini 2.5 Pro cannot leave thinking off.
const LEAST_PRO_BUDGET_TOKENS = 128;

/** How much a model shall think, in the words of its generation; undefined when it does not think. */
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

/** The nearest level that there is: from generation 3 on, thinking cannot be left off. */
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

/** Pro models, and Flash from 3.7 on, do not know `minimal`; Flash-Lite does. */
function startsAtLow(model: string): boolean {
  if (model.includes('-lite')) return false;
  return model.includes('-pro') || generationOf(model) >= 3.7;
}
