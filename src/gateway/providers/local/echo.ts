import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { createId } from '../../../lib/ids.ts';
import type { LocalAnswer } from '../provider.ts';

// It answers on the event loop: what it takes must be small.
const MAX_BODY_BYTES = 256 * 1024;

const NO_USAGE = { tokensIn: null, tokensOut: null };

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
    Type.Union([Type.Null(), Type.Object({ include_usage: Type.Optional(Type.Boolean()) })]),
  ),
});

const chatRequest = Compile(ChatRequestSchema);

type ChatRequest = Static<typeof ChatRequestSchema>;
type Message = ChatRequest['messages'][number];

/** An error in the shape of the OpenAI API. */
export function errorAnswer(status: number, message: string, param: string | null): LocalAnswer {
  const error = { message, type: 'invalid_request_error', param, code: null };
  return {
    status,
    contentType: 'application/json',
    body: JSON.stringify({ error }),
    usage: NO_USAGE,
  };
}

/**
 * The model `echo`: a chat completion that repeats the last user message. The same messages always
 * give the same content, words count as tokens, and `stream` sends a word per chunk.
 */
export function echo(body: Buffer, nowMs: number): LocalAnswer {
  if (body.length > MAX_BODY_BYTES) {
    return errorAnswer(413, `the body is larger than ${MAX_BODY_BYTES} bytes`, null);
  }
  let request: unknown;
  try {
    request = JSON.parse(body.toString());
  } catch {
    return errorAnswer(400, 'the body is not JSON', null);
  }
  if (!chatRequest.Check(request)) {
    const [fault] = chatRequest.Errors(request);
    const param = fault?.instancePath.slice(1).replaceAll('/', '.') ?? null;
    return errorAnswer(400, `${param ?? 'the body'} ${fault?.message ?? 'is invalid'}`, param);
  }
  if (request.model !== 'echo') {
    return errorAnswer(
      404,
      `the model "${request.model}" does not exist; local has "echo"`,
      'model',
    );
  }
  return complete(request, nowMs);
}

function complete(request: ChatRequest, nowMs: number): LocalAnswer {
  const content = textOf(request.messages.findLast(({ role }) => role === 'user'));
  const usage = {
    tokensIn: request.messages.reduce((sum, message) => sum + countTokens(textOf(message)), 0),
    tokensOut: countTokens(content),
  };
  const head = {
    id: `chatcmpl-${createId()}`,
    created: Math.floor(nowMs / 1_000),
    model: 'echo',
  };
  const wireUsage = {
    prompt_tokens: usage.tokensIn,
    completion_tokens: usage.tokensOut,
    total_tokens: usage.tokensIn + usage.tokensOut,
  };
  if (request.stream === true) {
    const withUsage = request.stream_options?.include_usage === true ? wireUsage : undefined;
    const events = streamEvents(head, content, withUsage);
    return { status: 200, contentType: 'text/event-stream; charset=utf-8', body: events, usage };
  }
  const message = { role: 'assistant', content, refusal: null };
  const answer = {
    ...head,
    object: 'chat.completion',
    choices: [{ index: 0, message, finish_reason: 'stop', logprobs: null }],
    usage: wireUsage,
  };
  return { status: 200, contentType: 'application/json', body: JSON.stringify(answer), usage };
}

function textOf(message: Message | undefined): string {
  const content = message?.content ?? '';
  if (typeof content === 'string') return content;
  return content.map((part) => part.text ?? '').join('');
}

function countTokens(text: string): number {
  let count = 0;
  for (const _word of text.matchAll(/\S+/g)) count++;
  return count;
}

/** Server-sent events as the OpenAI API frames them; each word keeps the white space before it. */
function* streamEvents(
  head: { id: string; created: number; model: string },
  content: string,
  usage: object | undefined,
): Generator<string> {
  const event = (fields: object): string =>
    `data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', ...fields })}\n\n`;
  const choice = (delta: object, finishReason: string | null): object => ({
    choices: [{ index: 0, delta, finish_reason: finishReason, logprobs: null }],
  });
  yield event(choice({ role: 'assistant', content: '' }, null));
  for (const [word] of content.matchAll(/\s*\S+|\s+$/g))
    yield event(choice({ content: word }, null));
  yield event(choice({}, 'stop'));
  if (usage !== undefined) yield event({ choices: [], usage });
  yield 'data: [DONE]\n\n';
}
