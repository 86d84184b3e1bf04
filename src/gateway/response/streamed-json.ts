import {
  isObject,
  numberIn,
  objectIn,
  objectsIn,
  parseObject,
  textIn,
  type JsonObject,
} from '../json/json-fields.ts';
import { measureJson } from '../../http/parse-json.ts';
import { messageEvent } from '../translators/messages-to-chat/message-event.ts';
import type { ServerSentEvent } from '../translators/translator.ts';
import type { JsonRewrite } from './json-rewriter.ts';
import { writeEvent } from './write-event.ts';

/** The maximum number of objects and arrays: the conversion blocks the event loop. */
const MAX_CONTAINERS = 50_000;

/** Writes JSON as a stream for a client that asks for one, if the API of the response is recognized. */
export const streamedJson: JsonRewrite = {
  rewrite(body) {
    const text = body.toString();
    if (measureJson(text).containers > MAX_CONTAINERS) return undefined;
    const response = parseObject(text);
    const events = response && streamOf(response);
    return events && Buffer.from(events.map(writeEvent).join(''));
  },
};

/**
 * The events of a stream that contain the same as a whole JSON response: some servers ignore that a client asks for a
 * stream.
 * @returns undefined for a response whose API is not recognized
 */
export function streamOf(response: JsonObject): ServerSentEvent[] | undefined {
  if (objectsIn(response.choices).length > 0) return completionEvents(response);
  if (response.type === 'message' && Array.isArray(response.content)) {
    return messageEvents(response);
  }
  // A chunk of Gemini has the shape of a whole response.
  return Array.isArray(response.candidates) ? [{ data: JSON.stringify(response) }] : undefined;
}

function completionEvents(completion: JsonObject): ServerSentEvent[] {
  const { choices, usage, ...head } = completion;
  const chunk = (fields: JsonObject): ServerSentEvent => ({
    data: JSON.stringify({ ...head, object: 'chat.completion.chunk', ...fields }),
  });
  const events = objectsIn(choices).flatMap((choice) => {
    const { message, finish_reason: finishReason, ...rest } = choice;
    const { tool_calls: calls, ...said } = objectIn(message);
    const numbered = objectsIn(calls).map((call, index) => ({ index, ...call }));
    const delta = numbered.length === 0 ? said : { ...said, tool_calls: numbered };
    return [
      chunk({ choices: [{ ...rest, delta, finish_reason: null }] }),
      chunk({ choices: [{ index: rest.index, delta: {}, finish_reason: finishReason ?? 'stop' }] }),
    ];
  });
  const told = isObject(usage) ? [chunk({ choices: [], usage })] : [];
  return [...events, ...told, { data: '[DONE]' }];
}

function messageEvents(message: JsonObject): ServerSentEvent[] {
  const { content, stop_reason: reason, stop_sequence: sequence = null, ...head } = message;
  const usage = objectIn(message.usage);
  const begun = {
    ...head,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { ...usage, output_tokens: 0 },
  };
  const blocks = objectsIn(content).flatMap((block, index) => {
    const { start, deltas } = pieces(block);
    return [
      messageEvent('content_block_start', { index, content_block: start }),
      ...deltas.map((delta) => messageEvent('content_block_delta', { index, delta })),
      messageEvent('content_block_stop', { index }),
    ];
  });
  const delta = { stop_reason: reason ?? 'end_turn', stop_sequence: sequence };
  const output = { ...usage, output_tokens: numberIn(usage.output_tokens) ?? 0 };
  return [
    messageEvent('message_start', { message: begun }),
    ...blocks,
    messageEvent('message_delta', { delta, usage: output }),
    messageEvent('message_stop', {}),
  ];
}

/** A block as it begins, and what is added to it. Blocks of other types begin complete. */
function pieces(block: JsonObject): { start: JsonObject; deltas: JsonObject[] } {
  switch (block.type) {
    case 'text':
      return {
        start: { ...block, text: '', ...(isObject(block.citations) ? { citations: null } : {}) },
        deltas: [{ type: 'text_delta', text: textIn(block.text) ?? '' }],
      };
    case 'thinking': {
      const { thinking, signature } = block;
      const signed = textIn(signature) ?? '';
      return {
        start: { ...block, thinking: '', signature: '' },
        deltas: [
          { type: 'thinking_delta', thinking: textIn(thinking) ?? '' },
          ...(signed === '' ? [] : [{ type: 'signature_delta', signature: signed }]),
        ],
      };
    }
    case 'tool_use':
    case 'server_tool_use':
    case 'mcp_tool_use':
      return {
        start: { ...block, input: {} },
        deltas: [{ type: 'input_json_delta', partial_json: JSON.stringify(block.input ?? {}) }],
      };
    default:
      return { start: block, deltas: [] };
  }
}
