import { type Static, Type } from 'typebox';
import { SchemaCheck } from '../../../http/schema-check.ts';
import { createId } from '../../../lib/ids.ts';
import type { LocalAnswer } from '../provider.ts';
import { errorAnswer, jsonAnswer, streamAnswer } from './answers.ts';
import { MODEL, readRequest } from './read-request.ts';
import { type OutputItem, responseEvents } from './response-events.ts';
import { forcedCall } from './tool-choice.ts';
import { countTokens, usageOf } from './words.ts';

const ResponsesRequestSchema = Type.Object({
  model: Type.String(),
  input: Type.Union([
    Type.String(),
    Type.Array(
      Type.Object({
        role: Type.Optional(Type.String()),
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
  ]),
  instructions: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  previous_response_id: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  stream: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
  tools: Type.Optional(
    Type.Union([
      Type.Null(),
      Type.Array(Type.Object({ type: Type.String(), name: Type.Optional(Type.String()) })),
    ]),
  ),
  tool_choice: Type.Optional(Type.Unknown()),
});

const responsesRequest = SchemaCheck.of(ResponsesRequestSchema);

type ResponsesRequest = Static<typeof ResponsesRequestSchema>;
type InputItem = Exclude<ResponsesRequest['input'], string>[number];

/** The model `echo` behind the Responses API: what it says is what it says in a chat completion. */
export function createResponse(body: Buffer, nowMs: number): LocalAnswer {
  const read = readRequest(responsesRequest, body);
  if ('refusal' in read) return read.refusal;
  const { request } = read;
  if ((request.previous_response_id ?? null) !== null) {
    const message = 'local does not store responses: send the whole conversation as input';
    return errorAnswer(400, message, 'previous_response_id');
  }
  const items: InputItem[] =
    typeof request.input === 'string' ? [{ role: 'user', content: request.input }] : request.input;
  const text = textOf(items.findLast(({ role }) => role === 'user'));
  const tools = (request.tools ?? []).flatMap(({ name }) => name ?? []);
  const call = forcedCall(tools, request.tool_choice, text);
  if (call === 'unknown')
    return errorAnswer(400, 'tool_choice must name one of the tools', 'tool_choice');

  const usage = usageOf(
    items.reduce((sum, item) => sum + countTokens(textOf(item)), 0) +
      countTokens(request.instructions ?? ''),
    countTokens(call?.arguments ?? text),
  );
  const output: OutputItem =
    call === undefined
      ? { kind: 'message', id: `msg_${createId()}`, text }
      : { kind: 'call', id: `fc_${createId()}`, call };
  const head = responseHead(request, nowMs);
  const wireUsage = {
    input_tokens: usage.tokensIn,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: usage.tokensOut,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: (usage.tokensIn ?? 0) + (usage.tokensOut ?? 0),
  };
  const { events, completed } = responseEvents(head, output, wireUsage);
  return request.stream === true ? streamAnswer(events(), usage) : jsonAnswer(completed, usage);
}

function textOf(item: InputItem | undefined): string {
  const content = item?.content ?? '';
  if (typeof content === 'string') return content;
  return content.map((part) => part.text ?? '').join('');
}

/** What a response tells of itself from its beginning on. */
function responseHead(request: ResponsesRequest, nowMs: number): object {
  return {
    id: `resp_${createId()}`,
    object: 'response',
    created_at: Math.floor(nowMs / 1_000),
    error: null,
    incomplete_details: null,
    instructions: request.instructions ?? null,
    metadata: {},
    model: MODEL,
    parallel_tool_calls: false,
    previous_response_id: null,
    store: false,
    temperature: null,
    tool_choice: request.tool_choice ?? 'auto',
    tools: request.tools ?? [],
    top_p: null,
  };
}
