import { numberIn, type JsonObject } from '../json/json-fields.ts';

/** Decides if a usage of the Messages API counts any tokens. No response without tokens exists, so zero means unknown. */
export function reportsTokens({ input_tokens: input, output_tokens: output }: JsonObject): boolean {
  return [input, output].some((count) => (numberIn(count) ?? 0) > 0);
}
