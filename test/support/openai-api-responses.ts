import { type Wire, halves, textFor } from './openai-api-chat.ts';

/** The Responses API of OpenAI; for openai-api-upstream.ts. */

const USAGE = {
  input_tokens: 11,
  input_tokens_details: { cached_tokens: 3 },
  output_tokens: 7,
  output_tokens_details: { reasoning_tokens: 2 },
  total_tokens: 18,
};

/** What the API finds wrong with a request. */
export function responsesFault({ input, previous_response_id: previous }: Wire) {
  if (input === undefined) return "Missing required parameter: 'input'.";
  const items: Wire[] = typeof input === 'string' ? [] : input;
  const calls = new Set(items.map(({ type, call_id: id }) => type === 'function_call' && id));
  const unmatched = items.find(
    ({ type, call_id: id }) => type === 'function_call_output' && !calls.has(id),
  );
  if (unmatched === undefined || previous === 'resp_upstream') return undefined;
  return `No tool call found for function call output with call_id ${unmatched.call_id}.`;
}

/** What the model writes: it calls each tool once, and tells what they said. */
export function responseFor(asked: Wire): Wire {
  const items: Wire[] = typeof asked.input === 'string' ? [] : asked.input;
  const results = items.filter(({ type }) => type === 'function_call_output');
  const isCalling = asked.tools?.length > 0 && results.length === 0;
  const text = textFor(asked.text?.format?.type, results);
  return {
    id: 'resp_upstream',
    object: 'response',
    created_at: 1,
    status: 'completed',
    background: false,
    error: null,
    incomplete_details: null,
    instructions: asked.instructions ?? null,
    max_output_tokens: null,
    model: `${asked.model}-2026-01-01`,
    output: isCalling ? asked.tools.map(functionCall) : [messageItem(text)],
    parallel_tool_calls: true,
    previous_response_id: asked.previous_response_id ?? null,
    reasoning: { effort: null, summary: null },
    service_tier: 'default',
    store: true,
    temperature: 1,
    text: { format: asked.text?.format ?? { type: 'text' }, verbosity: 'medium' },
    tool_choice: asked.tool_choice ?? 'auto',
    tools: asked.tools ?? [],
    top_p: 1,
    truncation: 'disabled',
    usage: USAGE,
    user: null,
    metadata: asked.metadata ?? {},
  };
}

function functionCall({ name }: Wire, index: number): Wire {
  return {
    id: `fc_${index}`,
    type: 'function_call',
    status: 'completed',
    arguments: index === 0 ? '{"city":"Wien"}' : '{}',
    call_id: `call_${index}`,
    name,
  };
}

function messageItem(text: string): Wire {
  return {
    id: 'msg_upstream',
    type: 'message',
    status: 'completed',
    content: [{ type: 'output_text', annotations: [], logprobs: [], text }],
    role: 'assistant',
  };
}

/** The events of a stream. */
export function* responseEvents(response: Wire): Generator<string> {
  let number = 0;
  const event = (type: string, fields: object): string =>
    `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: number++, ...fields })}\n\n`;
  const begun = { ...response, status: 'in_progress', output: [], usage: null };
  yield event('response.created', { response: begun });
  yield event('response.in_progress', { response: begun });
  for (const [index, item] of response.output.entries()) {
    for (const [type, fields] of itemEvents(item)) {
      yield event(type, { output_index: index, ...fields });
    }
  }
  yield event('response.completed', { response });
}

function* itemEvents(item: Wire): Generator<[type: string, fields: object]> {
  const place = { item_id: item.id };
  if (item.type === 'function_call') {
    const { arguments: json, name } = item;
    const empty = { ...item, status: 'in_progress', arguments: '' };
    yield ['response.output_item.added', { item: empty }];
    for (const delta of halves(json)) {
      yield ['response.function_call_arguments.delta', { ...place, delta }];
    }
    yield ['response.function_call_arguments.done', { ...place, arguments: json, name }];
  } else {
    const [part] = item.content;
    const content = { ...place, content_index: 0 };
    yield ['response.output_item.added', { item: { ...item, status: 'in_progress', content: [] } }];
    yield ['response.content_part.added', { ...content, part: { ...part, text: '' } }];
    for (const delta of halves(part.text)) {
      yield ['response.output_text.delta', { ...content, delta, logprobs: [] }];
    }
    yield ['response.output_text.done', { ...content, text: part.text, logprobs: [] }];
    yield ['response.content_part.done', { ...content, part }];
  }
  yield ['response.output_item.done', { item }];
}
