import type { Json } from './server.ts';

/** Chat completions as OpenAI's API answers them; for openai-api-upstream.ts. */

// They read requests as the API does: by looking at them.
export type Wire = Json;

const USAGE = {
  prompt_tokens: 11,
  completion_tokens: 7,
  total_tokens: 18,
  prompt_tokens_details: { cached_tokens: 3, audio_tokens: 0 },
  completion_tokens_details: { reasoning_tokens: 2, audio_tokens: 0 },
};

/** What the API finds wrong with a request. */
export function completionsFault({ messages, stream, stream_options: options }: Wire) {
  if (!Array.isArray(messages) || messages.length === 0) {
    return "Invalid 'messages': empty array.";
  }
  if (options !== undefined && stream !== true) {
    return "The 'stream_options' parameter is only allowed when 'stream' is enabled.";
  }
  let calls: string[] = [];
  for (const { role, tool_calls: called, tool_call_id: id } of messages) {
    if (role === 'tool' && !calls.includes(id)) {
      return "Messages with role 'tool' must be a response to a preceding message with 'tool_calls'.";
    }
    if (role !== 'tool') calls = (called ?? []).map((call: Wire) => call.id);
  }
  return undefined;
}

/** What the model writes: it calls each tool once, and tells what they said. */
export function completionFor(asked: Wire): Wire {
  const results = asked.messages.filter(({ role }: Wire) => role === 'tool');
  const isCalling =
    asked.tools !== undefined && asked.tool_choice !== 'none' && results.length === 0;
  const calls = isCalling ? asked.tools.map(toolCall) : [];
  const content = isCalling ? null : textFor(asked.response_format?.type, results);
  const message = {
    role: 'assistant',
    content,
    refusal: null,
    annotations: [],
    ...(isCalling ? { tool_calls: calls } : {}),
  };
  const finish = isCalling ? 'tool_calls' : 'stop';
  return {
    id: 'chatcmpl-upstream',
    object: 'chat.completion',
    created: 1,
    model: `${asked.model}-2026-01-01`,
    choices: [{ index: 0, message, logprobs: null, finish_reason: finish }],
    usage: USAGE,
    service_tier: 'default',
    system_fingerprint: 'fp_upstream',
  };
}

function toolCall({ function: { name } }: Wire, index: number): Wire {
  return {
    id: `call_${index}`,
    type: 'function',
    function: { name, arguments: index === 0 ? '{"city":"Wien"}' : '{}' },
  };
}

/** What the model says, in either of the two APIs. */
export function textFor(format: string | undefined, results: Wire[]): string {
  if (format === 'json_schema') return '{"city":"Wien","population":2028000}';
  if (format === 'json_object') return '{"city":"Wien"}';
  const said = results.map(({ content, output }: Wire) => content ?? output);
  return said.length === 0 ? 'Grüße 🌍' : `The tools said ${said.join(' and ')}.`;
}

/** The events of a stream. */
export function* chatEvents(asked: Wire, completion: Wire): Generator<string> {
  const { choices, usage, object: _object, ...head } = completion;
  const [{ message, finish_reason: finish }] = choices;
  const wantsUsage = asked.stream_options?.include_usage === true;
  const event = (fields: object): string =>
    `data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', ...fields })}\n\n`;
  const delta = (piece: object, reason: string | null = null): string =>
    event({
      choices: [{ index: 0, delta: piece, logprobs: null, finish_reason: reason }],
      ...(wantsUsage ? { usage: null } : {}),
    });
  yield delta({ role: 'assistant', content: message.content === null ? null : '', refusal: null });
  for (const content of halves(message.content)) yield delta({ content });
  for (const [index, call] of (message.tool_calls ?? []).entries()) {
    const { name, arguments: json } = call.function;
    yield delta({ tool_calls: [{ index, ...call, function: { name, arguments: '' } }] });
    for (const half of halves(json)) {
      yield delta({ tool_calls: [{ index, function: { arguments: half } }] });
    }
  }
  yield delta({}, finish);
  if (wantsUsage) yield event({ choices: [], usage });
  yield 'data: [DONE]\n\n';
}

/** A text in the two pieces that it is streamed in. */
export function halves(text: string | null): string[] {
  if (text === null) return [];
  return [text.slice(0, 6), text.slice(6)].filter((half) => half !== '');
}
