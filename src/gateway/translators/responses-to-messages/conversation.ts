import { isObject, objectIn, objectsIn, textIn, type JsonObject } from '../../json/json-fields.ts';
import { argumentsIn, toolUseIdOf } from '../tool-calls.ts';
import { UntranslatableError } from '../translator.ts';
import { thoughtsOf } from './reasoning-state.ts';
import { calledName } from './client-tools.ts';

/** A conversation of the Messages API. */
interface Conversation {
  system: string;
  messages: JsonObject[];
}

/** Message roles of instructions. */
const INSTRUCTIONS: ReadonlySet<unknown> = new Set(['system', 'developer']);

/**
 * Translates the input of a Responses request to messages, with blocks for calls, their results and thoughts.
 * @throws UntranslatableError naming the item
 */
export function conversationOf(instructions: unknown, input: unknown): Conversation {
  const items: unknown[] =
    typeof input === 'string'
      ? [{ role: 'user', content: input }]
      : Array.isArray(input)
        ? input
        : [];
  const system = [textIn(instructions) ?? textOf(instructions)];
  const messages: JsonObject[] = [];
  for (const [index, item] of items.entries()) {
    const place = `input[${index}]`;
    if (!isObject(item)) throw new UntranslatableError(`${place} is not an object`);
    if (INSTRUCTIONS.has(item.role) && messages.length === 0) system.push(textOf(item.content));
    else addItem(messages, item, place);
  }
  return { system: system.filter((text) => text !== '').join('\n\n'), messages };
}

function addItem(messages: JsonObject[], item: JsonObject, place: string): void {
  switch (item.type) {
    case undefined:
    case 'message':
      return addMessage(messages, item, place);
    case 'reasoning':
      return say(messages, 'assistant', thoughtsOf(item));
    case 'function_call':
      return say(messages, 'assistant', [toolUse(item, argumentsIn(item.arguments), place)]);
    case 'custom_tool_call':
      return say(messages, 'assistant', [toolUse(item, { input: item.input }, place)]);
    case 'function_call_output':
    case 'custom_tool_call_output':
      return say(messages, 'user', [toolResult(item, place)]);
    case 'item_reference':
      throw new UntranslatableError(
        `${place}: the provider does not store items: send the whole conversation as input`,
      );
    default:
    // Work of the provider of another response, such as a web search, is no part of the conversation.
  }
}

function addMessage(messages: JsonObject[], { role, content }: JsonObject, place: string): void {
  if (INSTRUCTIONS.has(role)) {
    messages.push({ role: 'system', content: textOf(content) });
    return;
  }
  if (role !== 'user' && role !== 'assistant') {
    throw new UntranslatableError(`${place}.role must be user, assistant, system or developer`);
  }
  say(messages, role, blocksOf(content));
}

/** Joins successive messages of one role. */
function say(messages: JsonObject[], role: 'user' | 'assistant', blocks: JsonObject[]): void {
  const last = messages.at(-1);
  if (blocks.length === 0) return;
  if (last?.role === role && Array.isArray(last.content)) last.content.push(...blocks);
  else messages.push({ role, content: blocks });
}

function toolUse(item: JsonObject, input: JsonObject, place: string): JsonObject {
  return { type: 'tool_use', id: callIdOf(item, place), name: calledName(item), input };
}

function toolResult(item: JsonObject, place: string): JsonObject {
  const { output } = item;
  const content = typeof output === 'string' ? output : blocksOf(output);
  return { type: 'tool_result', tool_use_id: callIdOf(item, place), content };
}

function callIdOf({ call_id: id }: JsonObject, place: string): string {
  if (typeof id !== 'string' || id === '') {
    throw new UntranslatableError(`${place}.call_id is missing`);
  }
  return toolUseIdOf(id);
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return objectsIn(content)
    .map((part) => textIn(part.text) ?? textOf(part.content))
    .join('\n\n');
}

function blocksOf(content: unknown): JsonObject[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  return objectsIn(content).map(blockOf);
}

function blockOf(part: JsonObject): JsonObject {
  switch (part.type) {
    case 'input_image':
      return { type: 'image', source: sourceOf(textIn(part.image_url), part.file_id) };
    case 'input_file': {
      const source = sourceOf(textIn(part.file_data) ?? textIn(part.file_url), part.file_id);
      return { type: 'document', source, ...titleOf(part.filename) };
    }
    default:
      return { type: 'text', text: textIn(part.text) ?? textIn(part.refusal) ?? '' };
  }
}

const DATA_URL = /^data:([\w.+-]+\/[\w.+-]+);base64,/i;

function sourceOf(url: string | undefined, fileId: unknown): JsonObject {
  if (url === undefined) return { type: 'file', file_id: fileId };
  const [prefix, mediaType] = DATA_URL.exec(url) ?? [];
  return prefix === undefined
    ? { type: 'url', url }
    : { type: 'base64', media_type: mediaType, data: url.slice(prefix.length) };
}

function titleOf(filename: unknown): JsonObject {
  return typeof filename === 'string' ? { title: filename } : {};
}

/** Returns the name of an output format, which the Messages API lacks. */
export function formatOf(text: unknown): { format?: JsonObject; instruction?: string } {
  const { format } = objectIn(text);
  if (!isObject(format) || format.type === 'text') return {};
  if (format.type === 'json_schema' && isObject(format.schema)) {
    return { format: { type: 'json_schema', schema: format.schema } };
  }
  if (format.type !== 'json_object') {
    throw new UntranslatableError('text.format.type must be text, json_object or json_schema');
  }
  return {
    instruction:
      'Respond with a single JSON object, without any other text and without a code fence.',
  };
}
