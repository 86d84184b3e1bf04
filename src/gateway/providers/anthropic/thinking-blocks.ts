import { filledTextIn, isObject, objectsIn, textIn } from '../../translation/json-fields.ts';
import type { JsonObject } from '../../translation/translation.ts';

/**
 * Returns the signed and the encrypted thoughts, which can return to the model. A chat completion contains them
 * as `thinking_blocks`, a member that other gateways and their clients use, too.
 * @param blocks of a message
 */
export function thoughtsIn(blocks: readonly JsonObject[]): JsonObject[] {
  return blocks.flatMap(({ type, thinking, signature, data }): JsonObject[] => {
    if (type === 'redacted_thinking' && filledTextIn(data) !== undefined) return [{ type, data }];
    if (type !== 'thinking' || filledTextIn(signature) === undefined) return [];
    return [{ type, thinking: textIn(thinking) ?? '', signature }];
  });
}

/**
 * Returns the thoughts that a client sends back with a message: in `thinking_blocks`, or in `reasoning_details`
 * as from OpenRouter.
 */
export function returnedThoughts(message: JsonObject): JsonObject[] {
  const blocks = thoughtsIn(objectsIn(message.thinking_blocks));
  if (blocks.length > 0) return blocks;
  const details = objectsIn(message.reasoning_details).map(({ type, text, signature, data }) =>
    type === 'reasoning.encrypted'
      ? { type: 'redacted_thinking', data }
      : { type: 'thinking', thinking: text, signature },
  );
  return thoughtsIn(details);
}

/**
 * Returns true between tool calls if the client has not sent the thoughts back. The API then rejects requests
 * with thinking.
 * @param messages of a chat completion
 */
export function lacksThoughts(messages: unknown): boolean {
  if (!Array.isArray(messages)) return false;
  const turn = (messages as unknown[]).findLast((one) => isObject(one) && one.role !== 'tool');
  const last: unknown = messages.at(-1);
  return (
    isObject(last) && last.role === 'tool' && !(isObject(turn) && returnedThoughts(turn).length > 0)
  );
}
