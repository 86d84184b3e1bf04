import { type JsonObject, isObject, listOf, memberOf, numberOf, textOf } from '../json-value.ts';
import type { Assembled } from './assembled-stream.ts';
import type { Growing } from './merge-delta.ts';

const ENDS: ReadonlySet<string> = new Set([
  'response.completed',
  'response.incomplete',
  'response.failed',
]);

/** The events of the Responses API as the response that they make, however far they come. */
export function assembleResponse(events: readonly JsonObject[]): Assembled {
  let answer: Growing = {};
  let isComplete = false;
  const items: Growing[] = [];
  for (const event of events) {
    const { response } = event;
    if (isObject(response)) answer = { ...answer, ...response };
    if (ENDS.has(textOf(event, 'type') ?? '')) isComplete = true;
    else addItemEvent(items, event);
  }
  // Some servers leave out of the last event what they have told before.
  if (listOf(answer, 'output').length === 0) answer['output'] = items.filter(Boolean);
  return { answer, isComplete };
}

function addItemEvent(items: Growing[], event: JsonObject): void {
  const place = numberOf(event, 'output_index');
  if (place === undefined || place > items.length) return;
  const item = (items[place] ??= {});
  switch (textOf(event, 'type') ?? '') {
    case 'response.output_item.added':
    case 'response.output_item.done':
      items[place] = { ...(memberOf(event, 'item') as object) };
      return;
    case 'response.content_part.added':
    case 'response.content_part.done':
      return put(item, 'content', numberOf(event, 'content_index'), memberOf(event, 'part'));
    case 'response.output_text.delta':
    case 'response.reasoning_text.delta':
      return append(item, 'content', numberOf(event, 'content_index'), 'text', event);
    case 'response.refusal.delta':
      return append(item, 'content', numberOf(event, 'content_index'), 'refusal', event);
    case 'response.reasoning_summary_part.added':
    case 'response.reasoning_summary_part.done':
      return put(item, 'summary', numberOf(event, 'summary_index'), memberOf(event, 'part'));
    case 'response.reasoning_summary_text.delta':
      return append(item, 'summary', numberOf(event, 'summary_index'), 'text', event);
    case 'response.function_call_arguments.delta':
    case 'response.mcp_call_arguments.delta':
      item['arguments'] = (textOf(item, 'arguments') ?? '') + (textOf(event, 'delta') ?? '');
      return;
    case 'response.custom_tool_call_input.delta':
      item['input'] = (textOf(item, 'input') ?? '') + (textOf(event, 'delta') ?? '');
      return;
    default:
  }
}

function put(item: Growing, name: string, place: number | undefined, part: unknown): void {
  const parts = [...listOf(item, name)];
  if (place === undefined || place > parts.length) return;
  parts[place] = part;
  item[name] = parts;
}

function append(
  item: Growing,
  list: string,
  place: number | undefined,
  member: string,
  event: JsonObject,
): void {
  const part = listOf(item, list)[place ?? 0];
  const former = textOf(part, member) ?? '';
  const grown = { ...(isObject(part) && part), [member]: former + (textOf(event, 'delta') ?? '') };
  put(item, list, place, grown);
}
