import { type Static, Type } from 'typebox';
import { SchemaCheck } from '../../../http/schema-check.ts';
import { ExpectedError } from '../../../lib/expected-error.ts';
import { createId } from '../../../lib/ids.ts';
import { TooManyValuesError, parseRequestJson } from '../../json/exact-json.ts';
import { objectIn, textIn } from '../../json/json-fields.ts';
import type { Usage } from '../../usage/usage.ts';
import type { LocalResponse } from '../provider.ts';

const ChatRequestSchema = Type.Object({
  model: Type.String(),
  messages: Type.Array(
    Type.Object({
      role: Type.String(),
      content: Type.Optional(
        Type.Union([
          Type.String(),
          Type.Null(),
          Type.Array(Type.Object({ type: Type.String(), text: Type.Optional(Type.String()) })),
        ]),
      ),
    }),
    { minItems: 1 },
  ),
  stream: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
  stream_options: Type.Optional(
    Type.Union([
      Type.Null(),
      Type.Object({ include_usage: Type.Optional(Type.Union([Type.Null(), Type.Boolean()])) }),
    ]),
  ),
  tools: Type.Optional(
    Type.Union([
      Type.Null(),
      Type.Array(
        Type.Object({
          type: Type.String(),
          function: Type.Optional(Type.Object({ name: Type.String() })),
        }),
      ),
    ]),
  ),
  tool_choice: Type.Optional(Type.Unknown()),
});

const chatRequest = SchemaCheck.of(ChatRequestSchema);

type ChatRequest = Static<typeof ChatRequestSchema>;
type Message = Pick<ChatRequest['messages'][number], 'content'>;

/**
 * Creates a chat completion of the model `echo`. It repeats the last user message, or calls the tool that the request
 * requires with it. Equal messages have equal responses, each word counts as one token, and a stream has a chunk per word.
 * @throws LocalError
 */
export function completeChat(body: Buffer, nowMs: number): LocalResponse {
  const request = readRequest(chatRequest, body);
  const text = textOf(request.messages.findLast(({ role }) => role === 'user'));
  const tools = (request.tools ?? []).flatMap((tool) => tool.function?.name ?? []);
  const call = requiredCall(tools, request.tool_choice, text);
  const usage = usageOf(
    request.messages.reduce((sum, message) => sum + countTokens(textOf(message)), 0),
    countTokens(call?.arguments ?? text),
  );
  const wireUsage = {
    prompt_tokens: usage.tokensIn,
    completion_tokens: usage.tokensOut,
    total_tokens: (usage.tokensIn ?? 0) + (usage.tokensOut ?? 0),
  };
  const head = { id: `chatcmpl-${createId()}`, created: Math.floor(nowMs / 1_000), model: MODEL };
  if (request.stream === true) {
    const withUsage = request.stream_options?.include_usage === true ? wireUsage : undefined;
    const choices = call === undefined ? textChunks(text) : callChunks(call);
    return streamResponse(frame(head, choices, withUsage), usage);
  }
  const choice = {
    index: 0,
    message: call === undefined ? textMessage(text) : callMessage(call),
    finish_reason: call === undefined ? 'stop' : 'tool_calls',
    logprobs: null,
  };
  const completion = { ...head, object: 'chat.completion', choices: [choice], usage: wireUsage };
  return jsonResponse(completion, usage);
}

/** Returns the text of a message. */
export function textOf(message: Message | undefined): string {
  const content = message?.content ?? '';
  if (typeof content === 'string') return content;
  return content.map((part) => part.text ?? '').join('');
}

function textMessage(content: string): object {
  return { role: 'assistant', content, refusal: null };
}

function callMessage({ id, name, arguments: json }: ToolCall): object {
  const toolCall = { id, type: 'function', function: { name, arguments: json } };
  return { role: 'assistant', content: null, refusal: null, tool_calls: [toolCall] };
}

interface Chunk {
  delta: object;
  finishReason?: string;
}

function* textChunks(text: string): Generator<Chunk> {
  yield { delta: { role: 'assistant', content: '' } };
  for (const content of piecesOf(text)) yield { delta: { content } };
  yield { delta: {}, finishReason: 'stop' };
}

function* callChunks({ id, name, arguments: json }: ToolCall): Generator<Chunk> {
  const begun = { index: 0, id, type: 'function', function: { name, arguments: '' } };
  yield { delta: { role: 'assistant', content: null, tool_calls: [begun] } };
  for (const piece of piecesOf(json)) {
    yield { delta: { tool_calls: [{ index: 0, function: { arguments: piece } }] } };
  }
  yield { delta: {}, finishReason: 'tool_calls' };
}

/** Formats chunks as server-sent events of the OpenAI API. */
function* frame(
  head: { id: string; created: number; model: string },
  chunks: Iterable<Chunk>,
  usage: object | undefined,
): Generator<string> {
  const event = (fields: object): string =>
    `data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', ...fields })}\n\n`;
  for (const { delta, finishReason = null } of chunks) {
    yield event({ choices: [{ index: 0, delta, finish_reason: finishReason, logprobs: null }] });
  }
  if (usage !== undefined) yield event({ choices: [], usage });
  yield 'data: [DONE]\n\n';
}

/** The only model, of all operations. */
export const MODEL = 'echo';

// The event loop executes the model, so its input must be small.
const MAX_BODY_BYTES = 256 * 1024;

/** An error of the provider `local`, in the format of the OpenAI API. */
export class LocalError extends ExpectedError {
  readonly status: number;
  /** The member that is not valid; null: none. */
  readonly param: string | null;

  constructor(status: number, message: string, param: string | null = null) {
    super(message);
    this.status = status;
    this.param = param;
  }
}

/**
 * Reads a request.
 * @throws LocalError if the body is too large or not valid, or names another model
 */
export function readRequest<Request extends { model: string }>(
  check: SchemaCheck<Request>,
  body: Buffer,
): Request {
  if (body.length > MAX_BODY_BYTES) {
    throw new LocalError(413, `the body is larger than ${MAX_BODY_BYTES} bytes`);
  }
  let request: unknown;
  try {
    request = parseRequestJson(body.toString());
  } catch (error) {
    const reason =
      error instanceof TooManyValuesError ? error.message : 'the body is not valid JSON';
    throw new LocalError(400, reason);
  }
  if (!check.matches(request)) {
    const { pointer, reason } = check.faultOf(request);
    const param = pointer === '' ? null : pointer.slice(1).replaceAll('/', '.');
    throw new LocalError(400, `${param ?? 'the body'} ${reason}`, param);
  }
  const { model } = request;
  if (model === MODEL) return request;
  throw new LocalError(404, `the model "${model}" does not exist; local has "${MODEL}"`, 'model');
}

/** Returns a response that is one JSON text. */
export function jsonResponse(body: object, usage: Usage): LocalResponse {
  return { status: 200, contentType: 'application/json', body: JSON.stringify(body), usage };
}

/** Returns a response of server-sent events. */
export function streamResponse(events: Iterable<string>, usage: Usage): LocalResponse {
  return { status: 200, contentType: 'text/event-stream; charset=utf-8', body: events, usage };
}

/** A call of a tool. */
export interface ToolCall {
  /** Id of the call. */
  id: string;
  name: string;
  /** JSON. */
  arguments: string;
}

/**
 * Returns the call that a request requires: of the tool that it names, or of the first tool if it requires any.
 * @param tools names of the tools
 * @param text the argument of the call
 * @returns undefined if the request requires no call
 * @throws LocalError if the required tool does not exist
 */
export function requiredCall(
  tools: readonly string[],
  choice: unknown,
  text: string,
): ToolCall | undefined {
  const name = choice === 'required' ? (tools[0] ?? '') : nameIn(choice);
  if (name === undefined) return undefined;
  if (!tools.includes(name)) {
    throw new LocalError(400, 'tool_choice must name one of the tools', 'tool_choice');
  }
  return { id: `call_${createId()}`, name, arguments: JSON.stringify({ text }) };
}

/** Reads `{type, function: {name}}` of chat completions, or `{type, name}` of responses. */
function nameIn(choice: unknown): string | undefined {
  const { name, function: named } = objectIn(choice);
  return textIn(name) ?? textIn(objectIn(named).name);
}

/** Counts the words of a text, which are its tokens. */
export function countTokens(text: string): number {
  let count = 0;
  for (const _word of text.matchAll(/\S+/g)) count++;
  return count;
}

/** Returns the chunks of a text: each word with the white space before it. */
export function* piecesOf(text: string): Generator<string> {
  for (const [piece] of text.matchAll(/\s*\S+|\s+$/g)) yield piece;
}

/** Returns the usage of a call without a prompt cache. */
export function usageOf(tokensIn: number, tokensOut: number): Usage {
  return { tokensIn, tokensOut, cacheReadTokens: null, cacheWriteTokens: null };
}
