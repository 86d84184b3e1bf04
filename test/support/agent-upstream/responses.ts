import {
  type AgentDialect,
  type Body,
  type ModelReply,
  type ModelTurn,
  demand,
  imageOf,
  nextId,
  parseArguments,
  pieces,
} from './model.ts';

/** The Responses API of OpenAI, without stored responses. */
export const responses: AgentDialect = {
  read(body) {
    const turns: ModelTurn[] = [turnOf('system', body.instructions ?? '')];
    const pending = new Set<string>();
    const items = typeof body.input === 'string' ? [userMessage(body.input)] : body.input;
    for (const item of items) {
      if (item.type === 'function_call') {
        const call = { name: item.name, arguments: parseArguments(item.arguments) };
        turns.push({ role: 'assistant', text: '', images: [], calls: [call] });
        pending.add(item.call_id);
      } else if (item.type === 'function_call_output') {
        demand(pending.delete(item.call_id), `no function call ${item.call_id}`);
        turns.push(turnOf('tool', item.output));
      } else if (item.type === 'reasoning')
        demand(item.encrypted_content === SECRET, 'the encrypted content could not be verified');
      else if (item.role !== undefined) {
        const role = item.role === 'developer' ? 'system' : item.role;
        turns.push(turnOf(role, item.content));
      }
    }
    demand(pending.size === 0, `no output of the function calls ${[...pending].join()}`);
    const tools = (body.tools ?? []).filter(({ type }: Body) => type === 'function');
    return { model: body.model, tools: tools.map(({ name }: Body) => name), turns };
  },
  write(reply, body) {
    const output = itemsOf(reply).map(({ value }) => value);
    return { ...envelope(body), status: 'completed', output, usage: USAGE };
  },
  *stream(reply, body) {
    const response = envelope(body);
    let sequence = 0;
    const event = (type: string, data: object) => ({
      name: type,
      data: { type, sequence_number: sequence++, ...data },
    });
    yield event('response.created', { response });
    const items = itemsOf(reply);
    for (const [output_index, { value, start, deltas }] of items.entries()) {
      yield event('response.output_item.added', { output_index, item: start });
      for (const { type, ...data } of deltas)
        yield event(type, { output_index, item_id: value.id, ...data });
      yield event('response.output_item.done', { output_index, item: value });
    }
    const output = items.map(({ value }) => value);
    yield event('response.completed', {
      response: { ...response, status: 'completed', output, usage: USAGE },
    });
  },
  error: (message) => ({ error: { message, type: 'invalid_request_error', param: 'input' } }),
};

const SECRET = 'ZW5jcnlwdGVkIHJlYXNvbmluZw==';
const USAGE = {
  input_tokens: 100,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 20,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 120,
};

function userMessage(text: string) {
  return { role: 'user', content: [{ type: 'input_text', text }] };
}

function envelope(body: Body) {
  return {
    id: nextId('resp_'),
    object: 'response',
    created_at: 1,
    status: 'in_progress',
    model: body.model,
    output: [],
    parallel_tool_calls: true,
    tool_choice: 'auto',
    tools: [],
  };
}

/** Output items, each with the events that a stream sends for it. */
function itemsOf({ thought, text, calls = [] }: ModelReply): Body[] {
  const items: Body[] = [];
  if (thought !== undefined) {
    const id = nextId('rs_');
    const value = {
      id,
      type: 'reasoning',
      summary: [{ type: 'summary_text', text: thought }],
      encrypted_content: SECRET,
    };
    items.push({ value, start: { ...value, summary: [] }, deltas: [] });
  }
  if (text !== undefined) {
    const part = { type: 'output_text', text, annotations: [] };
    const value = { id: nextId('msg_'), type: 'message', role: 'assistant', status: 'completed' };
    const place = { content_index: 0 };
    items.push({
      value: { ...value, content: [part] },
      start: { ...value, status: 'in_progress', content: [] },
      deltas: [
        { type: 'response.content_part.added', ...place, part: { ...part, text: '' } },
        ...pieces(text).map((delta) => ({ type: 'response.output_text.delta', ...place, delta })),
        { type: 'response.output_text.done', ...place, text },
        { type: 'response.content_part.done', ...place, part },
      ],
    });
  }
  for (const call of calls) {
    const text = JSON.stringify(call.arguments);
    const item = { id: nextId('fc_'), type: 'function_call', call_id: nextId('call_') };
    const value = { ...item, name: call.name, status: 'completed', arguments: text };
    items.push({
      value,
      start: { ...value, status: 'in_progress', arguments: '' },
      deltas: [
        ...pieces(text).map((delta) => ({ type: 'response.function_call_arguments.delta', delta })),
        { type: 'response.function_call_arguments.done', arguments: text },
      ],
    });
  }
  return items;
}

function turnOf(role: ModelTurn['role'], content: Body): ModelTurn {
  const parts = Array.isArray(content) ? content : [];
  const images = parts
    .filter(({ type }: Body) => type === 'input_image')
    .map((part: Body) => imageOf(part.image_url));
  return { role, text: textOf(content), images, calls: [] };
}

function textOf(content: Body): string {
  if (typeof content === 'string') return content;
  return (content ?? [])
    .filter((part: Body) => part.text !== undefined)
    .map((part: Body) => part.text)
    .join('\n');
}
