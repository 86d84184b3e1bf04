import { isObject, listOf, memberOf, numberOf, textOf } from '../json-value.ts';
import type { Part } from './conversation.ts';

/** What somebody said, in whichever API: a text, or a list of parts. */
export function readContent(content: unknown): Part[] {
  if (content === null || content === undefined) return [];
  if (typeof content === 'string') return textParts(content);
  if (!Array.isArray(content)) return [readPart(content)];
  return (content as unknown[]).map((part) =>
    typeof part === 'string' ? textPart(part) : readPart(part),
  );
}

/** A text as a part; an empty one is none. */
export function textParts(text: string | undefined): Part[] {
  return text === undefined || text === '' ? [] : [textPart(text)];
}

function textPart(text: string): Part {
  return { kind: 'text', text };
}

function readPart(part: unknown): Part {
  return readTyped(part) ?? readGemini(part) ?? otherPart(part);
}

/** What no reader knows, as it is. */
export function otherPart(value: unknown): Part {
  const type = textOf(value, 'type') ?? Object.keys(isObject(value) ? value : {})[0] ?? 'unknown';
  return { kind: 'other', type, json: jsonOf(value) };
}

function jsonOf(value: unknown): string {
  return JSON.stringify(value, null, 2) ?? 'undefined';
}

const MEDIA: Readonly<Record<string, string>> = {
  image_url: 'Image',
  input_image: 'Image',
  image: 'Image',
  input_audio: 'Audio',
  audio: 'Audio',
  file: 'File',
  input_file: 'File',
  document: 'Document',
  video_url: 'Video',
  image_generation_call: 'Image',
};

/** Parts of the OpenAI and the Anthropic API, which tell their type. */
function readTyped(part: unknown): Part | undefined {
  const type = textOf(part, 'type');
  if (type === undefined) return undefined;
  const what = Object.hasOwn(MEDIA, type) ? MEDIA[type] : undefined;
  if (what !== undefined) return mediaOf(what, part);
  switch (type) {
    case 'text':
    case 'input_text':
    case 'output_text':
    case 'summary_text':
      return textPart(textOf(part, 'text') ?? '');
    case 'thinking':
      return { kind: 'thinking', text: textOf(part, 'thinking') ?? '' };
    case 'reasoning_text':
      return { kind: 'thinking', text: textOf(part, 'text') ?? '' };
    case 'redacted_thinking':
      return { kind: 'thinking', text: 'Encrypted by the provider.' };
    case 'refusal':
      return { kind: 'refusal', text: textOf(part, 'refusal') ?? '' };
    case 'tool_use':
    case 'server_tool_use':
    case 'mcp_tool_use':
      return callPart(part, textOf(part, 'name'), memberOf(part, 'input'));
    default:
      return type.endsWith('tool_result') ? toolResult(part) : undefined;
  }
}

/** A call of a tool; its input is told as JSON already, or as what the JSON stands for. */
export function callPart(part: unknown, name: string | undefined, input: unknown): Part {
  const text = typeof input === 'string' ? input : jsonOf(input ?? {});
  const id = textOf(part, 'call_id') ?? textOf(part, 'id');
  return { kind: 'call', id, name: name ?? 'unnamed', input: text };
}

function toolResult(part: unknown): Part {
  return {
    kind: 'result',
    name: textOf(part, 'tool_use_id'),
    isError: memberOf(part, 'is_error') === true,
    parts: readContent(memberOf(part, 'content')),
  };
}

/** Parts of Gemini, which tell their type by the name of their only member. */
function readGemini(part: unknown): Part | undefined {
  const text = textOf(part, 'text');
  if (text !== undefined) {
    return { kind: memberOf(part, 'thought') === true ? 'thinking' : 'text', text };
  }
  const called = eitherOf(part, 'functionCall', 'function_call');
  if (called !== undefined)
    return callPart(called, textOf(called, 'name'), memberOf(called, 'args'));
  const returned = eitherOf(part, 'functionResponse', 'function_response');
  if (returned !== undefined) {
    const response = memberOf(returned, 'response');
    const parts = textParts(textOf(response, 'output') ?? jsonOf(response));
    return { kind: 'result', name: textOf(returned, 'name'), isError: false, parts };
  }
  const inline = eitherOf(part, 'inlineData', 'inline_data');
  const file = eitherOf(part, 'fileData', 'file_data');
  if (inline === undefined && file === undefined) return undefined;
  const type = eitherOf(inline ?? file, 'mimeType', 'mime_type');
  return mediaOf(whatIs(typeof type === 'string' ? type : undefined), inline ?? file);
}

function eitherOf(value: unknown, name: string, other: string): unknown {
  return memberOf(value, name) ?? memberOf(value, other);
}

function whatIs(type: string | undefined): string {
  const kind = type?.split('/', 1)[0] ?? '';
  return ['image', 'audio', 'video'].includes(kind)
    ? kind.charAt(0).toUpperCase() + kind.slice(1)
    : 'File';
}

const DATA_URL = /^data:([^;,]*)[^,]*,/;
const BITS_OF_BASE64 = 6;

/** A note of what is no text: where it is, or how large. */
function mediaOf(what: string, part: unknown): Part {
  const inner = ['image_url', 'input_audio', 'audio', 'file', 'source', 'video_url']
    .map((name) => memberOf(part, name))
    .find((value) => value !== undefined);
  const holders = [inner, part];
  const url =
    (typeof inner === 'string' ? inner : undefined) ??
    firstText(holders, ['url', 'file_url', 'fileUri', 'file_uri', 'file_data', 'result']);
  const [prefix, dataType] = DATA_URL.exec(url ?? '') ?? [];
  const data = prefix === undefined ? firstText(holders, ['data']) : url?.slice(prefix.length);
  const named = ['media_type', 'mimeType', 'mime_type', 'format', 'filename', 'file_id'];
  const type = (dataType === '' ? undefined : dataType) ?? firstText(holders, named);
  const size = data === undefined ? undefined : Math.floor((data.length * BITS_OF_BASE64) / 8);
  const isElsewhere = url !== undefined && /^https?:\/\//i.test(url);
  return { kind: 'media', what, type, size, ...(isElsewhere && { url }) };
}

function firstText(holders: readonly unknown[], names: readonly string[]): string | undefined {
  for (const holder of holders) {
    for (const name of names) {
      const text = textOf(holder, name);
      if (text !== undefined) return text;
    }
  }
  return undefined;
}

/** How many numbers an embedding has. */
export function dimensionsOf(embedding: unknown): number | undefined {
  const values = memberOf(embedding, 'embedding') ?? memberOf(embedding, 'values') ?? embedding;
  return Array.isArray(values) ? values.length : numberOf(values, 'length');
}

/** The items of a list of which each may be anything, as parts. */
export function partsOf(value: unknown, name: string): Part[] {
  return readContent(listOf(value, name));
}
