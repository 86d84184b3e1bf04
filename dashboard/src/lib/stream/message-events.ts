import {
  type JsonObject,
  isObject,
  listOf,
  memberOf,
  numberOf,
  parseJson,
  textOf,
} from '../json-value.ts';
import type { Assembled } from './assembled-stream.ts';
import type { Growing } from './merge-delta.ts';

/** A content block, and the JSON of its input as far as it has come. */
interface Block {
  block: Growing;
  json: string;
}

/** The events of the Anthropic API as the message that they make, however far they come. */
export function assembleMessage(events: readonly JsonObject[]): Assembled {
  const answer: Growing = {};
  const blocks: Block[] = [];
  let isComplete = false;
  for (const event of events) {
    switch (textOf(event, 'type') ?? '') {
      case 'message_start':
        Object.assign(answer, memberOf(event, 'message'));
        break;
      case 'content_block_start': {
        const index = numberOf(event, 'index') ?? blocks.length;
        const block = { ...(memberOf(event, 'content_block') as object) };
        if (index <= blocks.length) blocks[index] = { block, json: '' };
        break;
      }
      case 'content_block_delta':
        addDelta(blocks[numberOf(event, 'index') ?? -1], memberOf(event, 'delta'));
        break;
      case 'message_delta':
        Object.assign(answer, memberOf(event, 'delta'));
        answer['usage'] = { ...usageOf(answer), ...usageOf(event) };
        break;
      case 'message_stop':
        isComplete = true;
        break;
      default:
    }
  }
  answer['content'] = blocks.map(finished);
  return { answer, isComplete };
}

function usageOf(value: unknown): JsonObject {
  const usage = memberOf(value, 'usage');
  return isObject(usage) ? usage : {};
}

function addDelta(to: Block | undefined, delta: unknown): void {
  if (to === undefined) return;
  const { block } = to;
  const grow = (name: string): void => {
    block[name] = (textOf(block, name) ?? '') + (textOf(delta, name) ?? '');
  };
  switch (textOf(delta, 'type') ?? '') {
    case 'text_delta':
      return grow('text');
    case 'thinking_delta':
      return grow('thinking');
    case 'signature_delta':
      return grow('signature');
    case 'input_json_delta':
      to.json += textOf(delta, 'partial_json') ?? '';
      return;
    case 'citations_delta':
      block['citations'] = [...listOf(block, 'citations'), memberOf(delta, 'citation')];
      return;
    default:
  }
}

function finished({ block, json }: Block): Growing {
  // What broke off in the middle is no JSON: it is shown as it came.
  return json === '' ? block : { ...block, input: parseJson(json) ?? json };
}
