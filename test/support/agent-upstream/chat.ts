import {
  type AgentDialect,
  type Body,
  type ModelCall,
  type ModelReply,
  type ModelTurn,
  demand,
  imageOf,
  nextId,
  parseArguments,
  pieces,
} from './model.ts';

/** Chat completions of OpenAI and of the many providers that copy them. */
export const chat: AgentDialect = {
  read(body) {
    const turns: ModelTurn[] = [];
    let pending: string[] = [];
    for (const [index, message] of body.messages.entries()) {
      const accepted = isMistral(body) ? MISTRAL_MEMBERS : OPENAI_MEMBERS;
      for (const name of Object.keys(message))
        demand(accepted.has(name), `Unknown parameter: messages[${index}].${name}`);
      if (message.role === 'tool') {
        demand(pending.includes(message.tool_call_id), `no call ${message.tool_call_id}`);
        pending = pending.filter((id) => id !== message.tool_call_id);
      } else demand(pending.length === 0, `no result of the calls ${pending.join()}`);
      const calls: ModelCall[] = [];
      for (const call of message.tool_calls ?? []) {
        for (const name of Object.keys(call))
          demand(CALL_MEMBERS.has(name), `Unknown parameter: tool_calls[].${name}`);
        const { name } = call.function;
        calls.push({ name, arguments: parseArguments(call.function.arguments) });
        if (isMistral(body)) demand(/^[a-zA-Z0-9]{9}$/.test(call.id), `tool call id ${call.id}`);
        pending.push(call.id);
      }
      const role = message.role === 'developer' ? 'system' : message.role;
      turns.push({ role, text: textOf(message.content), images: imagesIn(message.content), calls });
    }
    demand(pending.length === 0, `no result of the calls ${pending.join()}`);
    const tools = (body.tools ?? []).map((tool: Body) => tool.function.name);
    return { model: body.model, tools, turns };
  },
  write(reply, body) {
    const message = {
      role: 'assistant',
      content: reply.text ?? null,
      ...(reply.thought === undefined ? {} : { reasoning_content: reply.thought }),
      ...(reply.calls === undefined ? {} : { tool_calls: toolCalls(reply, body) }),
    };
    return {
      id: nextId('chatcmpl-'),
      object: 'chat.completion',
      created: 1,
      model: body.model,
      choices: [{ index: 0, message, finish_reason: finishOf(reply) }],
      usage: USAGE,
    };
  },
  *stream(reply, body) {
    const id = nextId('chatcmpl-');
    const chunk = (delta: object, finish: string | null = null): { data: object } => ({
      data: {
        id,
        object: 'chat.completion.chunk',
        created: 1,
        model: body.model,
        choices: [{ index: 0, delta, finish_reason: finish }],
      },
    });
    yield chunk({ role: 'assistant', content: '' });
    for (const piece of pieces(reply.thought ?? '')) yield chunk({ reasoning_content: piece });
    for (const piece of pieces(reply.text ?? '')) yield chunk({ content: piece });
    for (const [index, call] of toolCalls(reply, body).entries()) {
      const start = { ...call, index, function: { ...call.function, arguments: '' } };
      yield chunk({ tool_calls: [start] });
      for (const piece of pieces(call.function.arguments))
        yield chunk({ tool_calls: [{ index, function: { arguments: piece } }] });
    }
    yield chunk({}, finishOf(reply));
    if (body.stream_options?.include_usage === true)
      yield { data: { ...chunk({}).data, choices: [], usage: USAGE } };
  },
  terminator: '[DONE]',
  error: (message) => ({ error: { message, type: 'invalid_request_error', code: null } }),
};

const CALL_MEMBERS: ReadonlySet<string> = new Set(['id', 'type', 'function', 'index']);
const MISTRAL_MEMBERS: ReadonlySet<string> = new Set([
  'role',
  'content',
  'name',
  'tool_calls',
  'tool_call_id',
  'prefix',
]);
const OPENAI_MEMBERS: ReadonlySet<string> = new Set([
  ...MISTRAL_MEMBERS,
  'refusal',
  'annotations',
  'audio',
  'function_call',
  // A member of OpenAI's own client.
  'parsed',
]);
const USAGE = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 };

/** Mistral has a format of its own for the IDs of tool calls. */
function isMistral({ model }: Body): boolean {
  return model.startsWith('mistral');
}

function toolCalls({ calls = [] }: ModelReply, body: Body) {
  return calls.map((call) => ({
    id: isMistral(body) ? nextId('', 9) : nextId('call_'),
    type: 'function' as const,
    function: { name: call.name, arguments: JSON.stringify(call.arguments) },
  }));
}

function finishOf({ calls }: ModelReply): string {
  return calls === undefined ? 'stop' : 'tool_calls';
}

function imagesIn(content: Body): string[] {
  if (!Array.isArray(content)) return [];
  return content
    .filter(({ type }: Body) => type === 'image_url')
    .map((part: Body) => imageOf(part.image_url.url));
}

function textOf(content: Body): string {
  if (typeof content === 'string') return content;
  return (content ?? [])
    .filter((part: Body) => part.text !== undefined)
    .map((part: Body) => part.text)
    .join('\n');
}
