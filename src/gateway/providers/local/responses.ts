import { type Static, Type } from 'typebox';
import { SchemaCheck } from '../../../http/schema-check.ts';
import { createId } from '../../../lib/ids.ts';
import type { LocalResponse } from '../provider.ts';
import {
  LocalError,
  MODEL,
  type ToolCall,
  countTokens,
  jsonResponse,
  piecesOf,
  readRequest,
  requiredCall,
  streamResponse,
  textOf,
  usageOf,
} from './chat.ts';

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

/**
 * Creates a response of the model `echo`, with the text of its chat completion.
 * @throws LocalError
 */
export function createResponse(body: Buffer, nowMs: number): LocalResponse {
  const request = readRequest(responsesRequest, body);
  if ((request.previous_response_id ?? null) !== null) {
    const message = 'local does not store responses: send the whole conversation as input';
    throw new LocalError(400, message, 'previous_response_id');
  }
  const items: InputItem[] =
    typeof request.input === 'string' ? [{ role: 'user', content: request.input }] : request.input;
  const text = textOf(items.findLast(({ role }) => role === 'user'));
  const tools = (request.tools ?? []).flatMap(({ name }) => name ?? []);
  const call = requiredCall(tools, request.tool_choice, text);
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
  return request.stream === true ? streamResponse(events(), usage) : jsonResponse(completed, usage);
}

/** Returns the members of a response that are known from its beginning. */
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

/** The only item of a response. */
type OutputItem =
  | { kind: 'message'; id: string; text: string }
  | { kind: 'call'; id: string; call: ToolCall };

/** Returns a response of the Responses API as a whole, and as the events of its stream. */
function responseEvents(
  head: object,
  output: OutputItem,
  usage: object,
): { completed: object; events: () => Generator<string> } {
  const completed = { ...head, status: 'completed', output: [finished(output)], usage };
  const started = { ...head, status: 'in_progress', output: [], usage: null };
  return { completed, events: () => eventsOf(started, output, completed) };
}

function* eventsOf(started: object, output: OutputItem, completed: object): Generator<string> {
  let number = 0;
  const event = (type: string, fields: object): string =>
    `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: number++, ...fields })}\n\n`;
  yield event('response.created', { response: started });
  yield event('response.in_progress', { response: started });
  yield event('response.output_item.added', { output_index: 0, item: unfinished(output) });
  for (const [type, fields] of progressOf(output)) {
    yield event(type, { item_id: output.id, output_index: 0, ...fields });
  }
  yield event('response.output_item.done', { output_index: 0, item: finished(output) });
  yield event('response.completed', { response: completed });
}

function textPart(text: string): object {
  return { type: 'output_text', text, annotations: [], logprobs: [] };
}

function finished(output: OutputItem): object {
  if (output.kind === 'call') return callItem(output, 'completed', output.call.arguments);
  return messageItem(output.id, 'completed', [textPart(output.text)]);
}

function unfinished(output: OutputItem): object {
  if (output.kind === 'call') return callItem(output, 'in_progress', '');
  return messageItem(output.id, 'in_progress', []);
}

function messageItem(id: string, status: string, content: object[]): object {
  return { type: 'message', id, status, role: 'assistant', content };
}

function callItem(
  { id, call }: OutputItem & { kind: 'call' },
  status: string,
  json: string,
): object {
  return { type: 'function_call', id, call_id: call.id, name: call.name, arguments: json, status };
}

/** Returns the events between the beginning and the end of an item. */
function* progressOf(output: OutputItem): Generator<[type: string, fields: object]> {
  if (output.kind === 'call') {
    const { name, arguments: json } = output.call;
    for (const delta of piecesOf(json)) yield ['response.function_call_arguments.delta', { delta }];
    yield ['response.function_call_arguments.done', { name, arguments: json }];
    return;
  }
  const { text } = output;
  yield ['response.content_part.added', { content_index: 0, part: textPart('') }];
  for (const delta of piecesOf(text)) {
    yield ['response.output_text.delta', { content_index: 0, delta, logprobs: [] }];
  }
  yield ['response.output_text.done', { content_index: 0, text, logprobs: [] }];
  yield ['response.content_part.done', { content_index: 0, part: textPart(text) }];
}
