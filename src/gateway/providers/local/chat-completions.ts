import { type Static, Type } from 'typebox';
import { SchemaCheck } from '../../../http/schema-check.ts';
import { createId } from '../../../lib/ids.ts';
import type { LocalAnswer } from '../provider.ts';
import { errorAnswer, jsonAnswer, streamAnswer } from './answers.ts';
import { MODEL, readRequest } from './read-request.ts';
import { type ToolCall, forcedCall } from './tool-choice.ts';
import { countTokens, piecesOf, usageOf } from './words.ts';

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
type Message = ChatRequest['messages'][number];

/**
 * The model `echo`: a chat completion that repeats the last user message, or gives it to the tool
 * that the request insists on. The same messages always give the same content, words count as tokens,
 * and `stream` sends a word per chunk.
 */
export function completeChat(body: Buffer, nowMs: number): LocalAnswer {
  const read = readRequest(chatRequest, body);
  if ('refusal' in read) return read.refusal;
  const { request } = read;
  const text = textOf(request.messages.findLast(({ role }) => role === 'user'));
  const tools = (request.tools ?? []).flatMap((tool) => tool.function?.name ?? []);
  const call = forcedCall(tools, request.tool_choice, text);
  if (call === 'unknown')
    return errorAnswer(400, 'tool_choice must name one of the tools', 'tool_choice');

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
    return streamAnswer(frame(head, choices, withUsage), usage);
  }
  const choice = {
    index: 0,
    message: call === undefined ? textMessage(text) : callMessage(call),
    finish_reason: call === undefined ? 'stop' : 'tool_calls',
    logprobs: null,
  };
  const answer = { ...head, object: 'chat.completion', choices: [choice], usage: wireUsage };
  return jsonAnswer(answer, usage);
}

function textOf(message: Message | undefined): string {
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

/** Server-sent events as the OpenAI API frames them. */
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
