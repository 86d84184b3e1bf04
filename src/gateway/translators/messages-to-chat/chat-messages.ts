import { isObject, objectIn, objectsIn, textIn, type JsonObject } from '../../json/json-fields.ts';
import type { ChatModelTraits } from '../chat-models.ts';
import { callIdOf } from '../tool-calls.ts';
import { textOfBlock } from './block-text.ts';
import { shortToolName } from '../tool-names.ts';
import { UntranslatableError } from '../translator.ts';

/**
 * Translates messages of the Messages API to those of a chat completion. Results of tools become separate messages.
 * @param traits of the model
 * @throws UntranslatableError naming the member
 */
export function chatMessages(
  system: unknown,
  messages: unknown,
  traits: Pick<ChatModelTraits, 'thoughts' | 'callId'>,
): JsonObject[] {
  if (!Array.isArray(messages)) throw new UntranslatableError('messages is not a list');
  const instructions = systemText(system);
  return [
    ...(instructions === '' ? [] : [{ role: 'system', content: instructions }]),
    ...(messages as unknown[]).flatMap((message, index) =>
      translateMessage(message, `messages[${index}]`, traits),
    ),
  ];
}

/**
 * A block of Claude Code that is only for Anthropic. It differs in each conversation, so that no server could reuse its
 * prefix cache.
 */
const ATTRIBUTION = 'x-anthropic-billing-header:';

/** Joins texts, because many servers accept only one. */
function systemText(system: unknown): string {
  if (typeof system === 'string') return system;
  return objectsIn(system)
    .map(({ text }) => textIn(text) ?? '')
    .filter((text) => !text.startsWith(ATTRIBUTION))
    .join('\n\n');
}

function translateMessage(
  message: unknown,
  place: string,
  { thoughts, callId }: Pick<ChatModelTraits, 'thoughts' | 'callId'>,
): JsonObject[] {
  if (!isObject(message)) throw new UntranslatableError(`${place} is not an object`);
  const blocks = blocksOf(message.content, `${place}.content`);
  switch (message.role) {
    case 'user':
      return userMessages(blocks, place, callId);
    case 'assistant':
      return [assistantMessage(blocks, thoughts, callId)];
    case 'system':
      return [{ role: 'system', content: systemText(blocks) }];
    default:
      throw new UntranslatableError(`${place}.role must be user, assistant or system`);
  }
}

function blocksOf(content: unknown, place: string): JsonObject[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  if (!Array.isArray(content) || !content.every(isObject)) {
    throw new UntranslatableError(`${place} must be a string or a list of blocks`);
  }
  return content;
}

/** Results come first, directly after the calls. */
function userMessages(
  blocks: readonly JsonObject[],
  place: string,
  callId: ChatModelTraits['callId'],
): JsonObject[] {
  const results: JsonObject[] = [];
  const parts: JsonObject[] = [];
  for (const [index, block] of blocks.entries()) {
    const blockPlace = `${place}.content[${index}]`;
    if (block.type !== 'tool_result') {
      for (const part of contentParts(block, blockPlace)) parts.push(part);
      continue;
    }
    const { message, attachments } = toolMessage(block, blockPlace);
    results.push({ ...message, tool_call_id: chatCallId(block.tool_use_id, callId) });
    for (const part of attachments) parts.push(part);
  }
  if (parts.length === 0) return results.length > 0 ? results : [{ role: 'user', content: '' }];
  return [...results, { role: 'user', content: plainIfText(parts) }];
}

/** The result of a tool in a chat completion is a text. Other content becomes a message after it. */
function toolMessage(
  block: JsonObject,
  place: string,
): { message: JsonObject; attachments: JsonObject[] } {
  const content = blocksOf(block.content ?? [], `${place}.content`);
  const parts = content.flatMap((one, index) => contentParts(one, `${place}.content[${index}]`));
  const text = parts
    .filter(({ type }) => type === 'text')
    .map((part) => textIn(part.text) ?? '')
    .join('\n\n');
  const message = {
    role: 'tool',
    // Chat completions have no member for it.
    content: block.is_error === true ? `Error: ${text}` : text,
  };
  return { message, attachments: parts.filter(({ type }) => type !== 'text') };
}

function plainIfText(parts: JsonObject[]): unknown {
  const [only] = parts;
  return parts.length === 1 && only?.type === 'text' ? only.text : parts;
}

function contentParts(block: JsonObject, place: string): JsonObject[] {
  switch (block.type) {
    case 'text':
      return [{ type: 'text', text: block.text }];
    case 'image':
      return [imagePart(block)];
    case 'document':
      return documentParts(block, place);
    case 'search_result': {
      const texts = [block.title, block.source, systemText(block.content)];
      return [{ type: 'text', text: texts.filter((text) => textIn(text)).join('\n') }];
    }
    default:
      return [textPart(block)];
  }
}

/** Content that chat completions lack. The conversation continues without it. */
function textPart(block: JsonObject): JsonObject {
  return { type: 'text', text: textOfBlock(block) };
}

function imagePart(block: JsonObject): JsonObject {
  const source = objectIn(block.source);
  if (source.type === 'url') return { type: 'image_url', image_url: { url: source.url } };
  if (source.type !== 'base64') return textPart(block);
  const url = `data:${String(source.media_type)};base64,${String(source.data)}`;
  return { type: 'image_url', image_url: { url } };
}

function documentParts(block: JsonObject, place: string): JsonObject[] {
  const source = objectIn(block.source);
  const title = textIn(block.title);
  switch (source.type) {
    case 'base64': {
      const url = `data:${String(source.media_type)};base64,${String(source.data)}`;
      return [{ type: 'file', file: { filename: title ?? 'document.pdf', file_data: url } }];
    }
    case 'text': {
      const text = textIn(source.data) ?? '';
      return [{ type: 'text', text: title === undefined ? text : `${title}\n\n${text}` }];
    }
    case 'content':
      return blocksOf(source.content, `${place}.source.content`).flatMap((one, index) =>
        contentParts(one, `${place}.source.content[${index}]`),
      );
    default:
      return [textPart(block)];
  }
}

/**
 * Thoughts return with tool calls, because thinking models require them there. Other turns are complete without them, and
 * so is a turn with encrypted thoughts.
 */
function assistantMessage(
  blocks: readonly JsonObject[],
  thoughts: ChatModelTraits['thoughts'],
  callId: ChatModelTraits['callId'],
): JsonObject {
  const texts: string[] = [];
  const thinking: JsonObject[] = [];
  const calls: JsonObject[] = [];
  for (const block of blocks) {
    if (block.type === 'text') texts.push(textIn(block.text) ?? '');
    else if (block.type === 'tool_use') calls.push(toolCall(block, callId));
    else if (block.type === 'thinking' || block.type === 'redacted_thinking') thinking.push(block);
    else texts.push(`\n${textOfBlock(block)}\n`);
  }
  const text = texts.join('');
  if (calls.length === 0) return { role: 'assistant', content: text };
  const thought =
    thoughts === 'thinking_blocks'
      ? thinking
      : thinking.map((block) => textIn(block.thinking) ?? '').join('');
  return {
    role: 'assistant',
    content: text === '' ? null : text,
    ...(thoughts === undefined || thought.length === 0 ? {} : { [thoughts]: thought }),
    tool_calls: calls,
  };
}

function toolCall({ id, name, input }: JsonObject, callId: ChatModelTraits['callId']): JsonObject {
  const json = JSON.stringify(input ?? {});
  return {
    id: chatCallId(id, callId),
    type: 'function',
    function: { name: shortToolName(name), arguments: json },
  };
}

function chatCallId(id: unknown, callId: ChatModelTraits['callId']): string | undefined {
  return typeof id === 'string' ? callId(callIdOf(id)) : undefined;
}
