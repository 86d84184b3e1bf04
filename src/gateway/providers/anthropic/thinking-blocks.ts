import { filledTextIn, isObject, objectsIn, textIn } from '../../translation/json-fields.ts';
import type { JsonObject } from '../../translation/translation.ts';

/**
 * The thoughts that can return to the model: those that are signed or encrypted. A chat completion carries them as
 * `thinking_blocks`, a member that other gateways and their clients know, too.
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
 * The thoughts that a client returns with a message of a chat completion: in `thinking_blocks`, or in the
 * `reasoning_details` of OpenRouter.
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
 * The model is in the middle of its calls, and the client has not returned its thoughts. The API then refuses to
 * continue with thinking turned on.
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
