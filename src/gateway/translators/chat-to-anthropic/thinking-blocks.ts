import { filledTextIn, objectsIn, textIn, type JsonObject } from '../../json/json-fields.ts';

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
 * Returns true between tool calls if a call of the turn has no thoughts: the client has not sent them back, or another
 * model has made the call. The API then rejects requests with thinking.
 * @param messages of a chat completion
 */
export function lacksThoughts(messages: unknown): boolean {
  let isLacking = false;
  let isAfterResult = false;
  for (const message of objectsIn(messages)) {
    if (message.role === 'tool') isAfterResult = true;
    else if (message.role === 'assistant') {
      isAfterResult = false;
      const isCall = objectsIn(message.tool_calls).length > 0;
      if (isCall && returnedThoughts(message).length === 0) isLacking = true;
      // A message of the user directly after a result belongs to the same message of the API.
    } else if (message.role === 'user' && !isAfterResult) isLacking = false;
  }
  return isLacking;
}
