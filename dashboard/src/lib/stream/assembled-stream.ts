import { type JsonObject, isObject, listOf, memberOf, parseJson, textOf } from '../json-value.ts';
import { assembleChat } from './chat-chunks.ts';
import { type EventStream, parseEventStream } from './event-stream.ts';
import { assembleGemini } from './gemini-chunks.ts';
import { assembleMessage } from './message-events.ts';
import { assembleResponse } from './response-events.ts';

/** What the events of a stream make together. */
export interface Assembled {
  /** As the API would have answered without streaming, as far as it came. */
  answer: JsonObject;
  /** Whether the stream came to its own end. */
  isComplete: boolean;
}

/** The APIs whose streams are understood. */
export type StreamApi =
  | 'OpenAI chat completions'
  | 'OpenAI responses'
  | 'Anthropic messages'
  | 'Gemini';

/** A stream with what it makes. */
export interface AssembledStream extends EventStream {
  /** Undefined: nobody knows what these events are. */
  api: StreamApi | undefined;
  assembled: Assembled | undefined;
  /** What the stream itself said went wrong. */
  failure: unknown;
}

/** Reads a stream as it was kept, and puts together what it makes. */
export function assembleStream(text: string): AssembledStream {
  const stream = parseEventStream(text);
  const { events } = stream;
  const chunks = events.map(({ data }) => parseJson(data)).filter(isObject);
  const api = apiOf(chunks);
  const failure = chunks.find((chunk) => isObject(chunk['error']))?.['error'];
  const said = chunks.filter((chunk) => !isObject(chunk['error']));
  return { ...stream, api, failure, assembled: assemble(api, said, stream) };
}

/** The list that Gemini answers with to whoever does not ask for events; undefined for anything else. */
export function assembleList(value: unknown): Assembled | undefined {
  if (!Array.isArray(value)) return undefined;
  const chunks = (value as unknown[]).filter(isObject);
  return apiOf(chunks) === 'Gemini' ? assembleGemini(chunks) : undefined;
}

function assemble(
  api: StreamApi | undefined,
  chunks: readonly JsonObject[],
  { events }: EventStream,
): Assembled | undefined {
  switch (api) {
    case 'OpenAI chat completions':
      return assembleChat(chunks, events);
    case 'OpenAI responses':
      return assembleResponse(chunks);
    case 'Anthropic messages':
      return assembleMessage(chunks);
    case 'Gemini':
      return assembleGemini(chunks);
    case undefined:
      return undefined;
  }
}

const MESSAGE_EVENT = /^(?:message_|content_block_)/;

function apiOf(chunks: readonly JsonObject[]): StreamApi | undefined {
  for (const chunk of chunks) {
    const type = textOf(chunk, 'type') ?? '';
    if (MESSAGE_EVENT.test(type)) return 'Anthropic messages';
    if (type.startsWith('response.')) return 'OpenAI responses';
    if (Array.isArray(chunk['choices'])) return 'OpenAI chat completions';
    const isGemini = listOf(chunk, 'candidates').length > 0 || isObject(chunk['usageMetadata']);
    if (isGemini || isObject(memberOf(chunk, 'promptFeedback'))) return 'Gemini';
  }
  return undefined;
}
