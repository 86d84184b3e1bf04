import { UntranslatableError } from '../translator.ts';
import {
  isObject,
  objectIn,
  objectsIn,
  textIn,
  type JsonObject,
  parseObject,
} from '../../json/json-fields.ts';
import { argumentsIn } from '../tool-calls.ts';
import { inlineAudio, inlineFile, mediaAt } from './gemini-media.ts';
import { demandsSignatures, hasSystemInstruction, generationOf } from './gemini-model.ts';
import { measureJson } from '../../../http/parse-json.ts';

/** Gemini accepts this value instead of a signature that was lost or belongs to another model. */
const NO_SIGNATURE = 'skip_thought_signature_validator';

interface Content {
  role: 'user' | 'model';
  parts: JsonObject[];
}

/** The conversation of a request. */
export interface Conversation {
  systemInstruction?: { parts: JsonObject[] };
  contents: Content[];
}

/**
 * Translates the messages of a chat to Gemini's contents. All instructions become the system instruction.
 * @throws UntranslatableError for content that Gemini cannot express
 */
export function toConversation(model: string, messages: unknown): Conversation {
  if (!Array.isArray(messages)) throw new UntranslatableError('messages: must be a list');
  const reading = new Reading(model);
  for (const [index, message] of messages.entries()) {
    if (!isObject(message)) {
      throw new UntranslatableError(`messages[${index}]: must be an object`);
    }
    reading.add(message, `messages[${index}]`);
  }
  return reading.finish();
}

/** Translates the messages of one chat. */
class Reading {
  readonly #model: string;
  readonly #instructions: JsonObject[] = [];
  readonly #contents: Content[] = [];
  /** Names of the called functions, by the id of the call. */
  readonly #calls = new Map<string, string>();
  #isAfterToolResult = false;

  constructor(model: string) {
    this.#model = model;
  }

  add(message: JsonObject, field: string): void {
    switch (message.role) {
      case 'system':
      case 'developer':
        for (const part of readParts(message.content, `${field}.content`)) {
          this.#instructions.push(part);
        }
        return;
      case 'user':
        return this.#append('user', readParts(message.content, `${field}.content`), false);
      case 'assistant':
        return this.#append('model', this.#readAnswer(message, field), false);
      case 'tool':
        return this.#append('user', this.#readToolResult(message, field), true);
      default:
        throw new UntranslatableError(`${field}.role: Gemini does not support this role`);
    }
  }

  finish(): Conversation {
    const contents = this.#contents;
    const [first] = contents;
    if (this.#instructions.length === 0) return { contents };
    if (first !== undefined && hasSystemInstruction(this.#model)) {
      return { systemInstruction: { parts: this.#instructions }, contents };
    }
    if (first?.role === 'user') first.parts = [...this.#instructions, ...first.parts];
    else contents.unshift({ role: 'user', parts: this.#instructions });
    return { contents };
  }

  /** Joins turns of one role, except results of tools, because Gemini counts them. */
  #append(role: Content['role'], parts: JsonObject[], isToolResult: boolean): void {
    if (parts.length === 0) return;
    const last = this.#contents.at(-1);
    const isContinued = last?.role === role && isToolResult === this.#isAfterToolResult;
    if (last === undefined || !isContinued) this.#contents.push({ role, parts });
    else for (const part of parts) last.parts.push(part);
    this.#isAfterToolResult = isToolResult;
  }

  #readAnswer(message: JsonObject, field: string): JsonObject[] {
    if (message.function_call !== undefined && message.function_call !== null) {
      throw new UntranslatableError(`${field}.function_call: use tool_calls`);
    }
    const parts = readParts(message.content, `${field}.content`).filter(({ text }) => text !== '');
    sign(parts, signatureOf(message));
    const calls = objectsIn(message.tool_calls).map((call, index) =>
      this.#readCall(call, `${field}.tool_calls[${index}]`),
    );
    const [firstCall] = calls;
    const isSigned = calls.some(({ thoughtSignature }) => thoughtSignature !== undefined);
    if (firstCall !== undefined && !isSigned && demandsSignatures(this.#model)) {
      firstCall.thoughtSignature = NO_SIGNATURE;
    }
    return [...parts, ...calls];
  }

  #readCall(call: JsonObject, field: string): JsonObject {
    const called = objectIn(call.function);
    const name = textIn(called.name);
    if (name === undefined) {
      throw new UntranslatableError(`${field}: Gemini supports only function calls`);
    }
    const args = argumentsIn(called.arguments);
    const id = textIn(call.id);
    if (id !== undefined) this.#calls.set(id, name);
    const signature = signatureOf(call);
    return {
      functionCall: { ...(id === undefined ? {} : { id }), name, args },
      ...(signature === undefined ? {} : { thoughtSignature: signature }),
    };
  }

  #readToolResult(message: JsonObject, field: string): JsonObject[] {
    const id = textIn(message.tool_call_id) ?? '';
    const name = this.#calls.get(id) ?? textIn(message.name);
    if (name === undefined) {
      throw new UntranslatableError(`${field}.tool_call_id: no preceding call has this id`);
    }
    const parts = readParts(message.content, `${field}.content`);
    return functionResponse({ id, name, parts }, this.#model);
  }
}

/** Returns the parts of a message: its text, or a list of texts, images, audio and files. */
function readParts(content: unknown, field: string): JsonObject[] {
  if (content === undefined || content === null) return [];
  if (typeof content === 'string') return [{ text: content }];
  if (!Array.isArray(content)) {
    throw new UntranslatableError(`${field}: must be a string or a list`);
  }
  return content.map((part, index) => readPart(objectIn(part), `${field}[${index}]`));
}

function readPart(part: JsonObject, field: string): JsonObject {
  switch (part.type) {
    case 'text':
      return { text: textIn(part.text) ?? '' };
    case 'refusal':
      return { text: textIn(part.refusal) ?? '' };
    case 'image_url':
      return mediaAt(urlOf(part.image_url), 'image/jpeg', `${field}.image_url.url`);
    case 'video_url':
      return mediaAt(urlOf(part.video_url), 'video/mp4', `${field}.video_url.url`);
    case 'input_audio':
      return inlineAudio(objectIn(part.input_audio), `${field}.input_audio`);
    case 'file':
      return inlineFile(objectIn(part.file), `${field}.file`);
    default:
      throw new UntranslatableError(`${field}.type: Gemini does not support parts of this type`);
  }
}

/** Some clients send the URL itself instead of an object. */
function urlOf(holder: unknown): unknown {
  return textIn(holder) ?? objectIn(holder).url;
}

/** Adds the signature of a text to its last part. */
function sign(parts: JsonObject[], signature: string | undefined): void {
  if (signature === undefined) return;
  const last = parts.at(-1);
  if (last === undefined) parts.push({ text: '', thoughtSignature: signature });
  else last.thoughtSignature = signature;
}

/** Reads a thought signature from the member of Google's own OpenAI-compatible endpoint. */
function signatureOf(holder: JsonObject): string | undefined {
  return textIn(objectIn(objectIn(holder.extra_content).google).thought_signature);
}

/** The result of a tool. */
interface ToolResult {
  /** Id of the call. */
  id: string;
  /** Name of the function. */
  name: string;
  parts: JsonObject[];
}

/** Returns the parts of the result of a tool. Images are inside of it if the model supports that, or else next to it. */
function functionResponse({ id, name, parts }: ToolResult, model: string): JsonObject[] {
  const text = parts.map((part) => textIn(part.text) ?? '').join('');
  const media = parts.filter((part) => part.text === undefined);
  const isInside = media.length > 0 && generationOf(model) >= 3;
  const result = {
    ...(id === '' ? {} : { id }),
    name,
    response: responseObject(text),
    ...(isInside ? { parts: media } : {}),
  };
  return [{ functionResponse: result }, ...(isInside ? [] : media)];
}

// A request may contain thousands of results, which are read at once.
const MAX_RESULT_VALUES = 5_000;

// Gemini parses numbers as doubles, which would change the last digits of a long id in an object.
const LONG_NUMBER = /\d{16}/;

/** Gemini requires an object. A result that is none becomes `output`. */
function responseObject(text: string): JsonObject {
  const isObject =
    text.trimStart().startsWith('{') &&
    !LONG_NUMBER.test(text) &&
    measureJson(text).values <= MAX_RESULT_VALUES;
  return (isObject ? parseObject(text) : undefined) ?? { output: text };
}
