import type { ToolCall } from './tool-choice.ts';
import { piecesOf } from './words.ts';

/** The one item of a response. */
export type OutputItem =
  | { kind: 'message'; id: string; text: string }
  | { kind: 'call'; id: string; call: ToolCall };

/** A response of the Responses API: as a whole, and as the events that it is streamed in. */
export function responseEvents(
  head: object,
  output: OutputItem,
  usage: object,
): { completed: object; events: () => Generator<string> } {
  const completed = { ...head, status: 'completed', output: [finished(output)], usage };
  const begun = { ...head, status: 'in_progress', output: [], usage: null };
  return { completed, events: () => eventsOf(begun, output, completed) };
}

function* eventsOf(begun: object, output: OutputItem, completed: object): Generator<string> {
  let number = 0;
  const event = (type: string, fields: object): string =>
    `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: number++, ...fields })}\n\n`;
  yield event('response.created', { response: begun });
  yield event('response.in_progress', { response: begun });
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

/** What happens between the beginning and the end of an item. */
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
