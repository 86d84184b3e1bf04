import { isObject, objectIn, type JsonObject } from '../../json/json-fields.ts';
import { argumentsIn, toolUseIdOf } from '../tool-calls.ts';
import { UntranslatableError } from '../translator.ts';
import { contentBlocks, withCacheControl } from './content-blocks.ts';
import { returnedThoughts } from './thinking-blocks.ts';

/** A conversation of the Messages API. */
export interface Conversation {
  /** The texts of all system and developer messages. */
  system: JsonObject[];
  /** Alternating messages of user and assistant. */
  messages: { role: 'user' | 'assistant'; content: JsonObject[] }[];
}

/**
 * Translates the messages of a chat completion. Results of tools become a part of the next message of the user, and
 * successive messages of one role become one.
 * @param takesThoughts the model thinks, and gets the thoughts that clients return
 * @throws UntranslatableError naming the member
 */
export function conversationOf(messages: unknown, takesThoughts = true): Conversation {
  if (!Array.isArray(messages)) throw new UntranslatableError('messages is not a list');
  const conversation: Conversation = { system: [], messages: [] };
  for (const [index, message] of (messages as unknown[]).entries()) {
    const place = `messages[${index}]`;
    if (!isObject(message)) throw new UntranslatableError(`${place} is not an object`);
    if (takesThoughts && message.role === 'assistant') {
      say(conversation, 'assistant', returnedThoughts(message));
    }
    addMessage(conversation, message, place);
  }
  const { system, messages: turns } = conversation;
  // The API requires results before all other content of the message.
  for (const turn of turns) turn.content.sort((a, b) => Number(isResult(b)) - Number(isResult(a)));
  // The API requires a message; a chat completion may contain instructions only.
  return turns.length > 0
    ? conversation
    : { system: [], messages: [{ role: 'user', content: system }] };
}

function addMessage(conversation: Conversation, message: JsonObject, place: string): void {
  switch (message.role) {
    case 'system':
    case 'developer':
      for (const block of ownContent(message, place)) conversation.system.push(block);
      return;
    case 'user':
      return say(conversation, 'user', ownContent(message, place));
    case 'assistant':
      return say(conversation, 'assistant', assistantBlocks(message, place));
    case 'tool':
      return say(conversation, 'user', [toolResult(message, place)]);
    default:
      throw new UntranslatableError(
        `${place}.role: Anthropic models do not support the role ${JSON.stringify(message.role)}`,
      );
  }
}

function isResult({ type }: JsonObject): boolean {
  return type === 'tool_result';
}

function say({ messages }: Conversation, role: 'user' | 'assistant', content: JsonObject[]): void {
  const last = messages.at(-1);
  if (content.length === 0) return;
  if (last?.role !== role) messages.push({ role, content });
  else for (const block of content) last.content.push(block);
}

/** Returns the content. `cache_control` of the whole message goes to its last block. */
function ownContent(message: JsonObject, place: string): JsonObject[] {
  const blocks = contentBlocks(message.content, `${place}.content`);
  const last = blocks.at(-1);
  return last === undefined ? [] : [...blocks.slice(0, -1), withCacheControl(last, message)];
}

function assistantBlocks(message: JsonObject, place: string): JsonObject[] {
  if (isObject(message.function_call)) {
    throw new UntranslatableError(`${place}.function_call: send tool_calls instead`);
  }
  const { tool_calls: calls } = message;
  return [
    ...ownContent(message, place),
    ...contentBlocks(message.refusal, `${place}.refusal`),
    ...(Array.isArray(calls) ? (calls as unknown[]) : []).map((call, index) =>
      toolUse(objectIn(call), `${place}.tool_calls[${index}]`),
    ),
  ];
}

function toolUse(call: JsonObject, place: string): JsonObject {
  if (!isObject(call.function)) {
    throw new UntranslatableError(
      `${place}.function is missing; Anthropic models support only functions`,
    );
  }
  const { name, arguments: written } = call.function;
  const input = argumentsIn(written);
  return { type: 'tool_use', id: toolUseId(call.id, `${place}.id`), name, input };
}

function toolResult(message: JsonObject, place: string): JsonObject {
  const content = contentBlocks(message.content, `${place}.content`);
  const result = {
    type: 'tool_result',
    tool_use_id: toolUseId(message.tool_call_id, `${place}.tool_call_id`),
    ...(content.length === 0 ? {} : { content }),
  };
  return withCacheControl(result, message);
}

function toolUseId(id: unknown, place: string): string {
  if (typeof id !== 'string' || id === '') throw new UntranslatableError(`${place} is missing`);
  return toolUseIdOf(id);
}
