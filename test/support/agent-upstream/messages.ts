import {
  type AgentDialect,
  type Body,
  type ModelReply,
  type ModelTurn,
  demand,
  nextId,
  pieces,
} from './model.ts';

/** The Messages API of Anthropic. */
export const messages: AgentDialect = {
  read(body) {
    demand(body.max_tokens, 'max_tokens: Field required');
    const system = textOf(body.system);
    const turns: ModelTurn[] = [{ role: 'system', text: system, images: [], calls: [] }];
    let pending: string[] = [];
    for (const { role, content } of body.messages) {
      demand(role === 'user' || role === 'assistant', `messages: unexpected role ${role}`);
      const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
      const answered = blocks.filter(({ type }: Body) => type === 'tool_result');
      const ids = answered.map((block: Body) => block.tool_use_id);
      const missing = pending.filter((id) => !ids.includes(id));
      demand(missing.length === 0, `tool_use ids without tool_result: ${missing.join()}`);
      demand(
        ids.every((id: string) => pending.includes(id)),
        `unexpected tool_use_id in tool_result: ${ids}`,
      );
      const uses = blocks.filter(({ type }: Body) => type === 'tool_use');
      for (const use of uses) {
        demand(/^[\w-]+$/.test(use.id), `tool_use.id: ${use.id}`);
        demand(typeof use.input === 'object', 'tool_use.input: an object is required');
      }
      if (body.thinking?.type === 'enabled' && uses.length > 0 && isFirst(body.messages, content))
        demand(isThought(blocks[0]), 'Expected `thinking`, but found `tool_use`');
      for (const { type, signature, thinking } of blocks)
        if (type === 'thinking') demand(signature === sign(thinking), 'Invalid `signature`');
      pending = uses.map((use: Body) => use.id);
      for (const { content: result } of answered)
        turns.push({ role: 'tool', text: textOf(result), images: imagesIn(result), calls: [] });
      const calls = uses.map(({ name, input }: Body) => ({ name, arguments: input }));
      turns.push({ role, text: textOf(blocks), images: imagesIn(blocks), calls });
    }
    demand(pending.length === 0, `tool_use ids without tool_result: ${pending.join()}`);
    return { model: body.model, tools: (body.tools ?? []).map(({ name }: Body) => name), turns };
  },
  write(reply, body) {
    return {
      ...envelope(body),
      content: blocksOf(reply, body).map(({ value }) => value),
      ...endOf(reply),
      usage: USAGE,
    };
  },
  *stream(reply, body) {
    const message = { ...envelope(body), content: [], stop_reason: null, usage: USAGE };
    yield named({ type: 'message_start', message });
    yield named({ type: 'ping' });
    for (const [index, block] of blocksOf(reply, body).entries()) {
      yield named({ type: 'content_block_start', index, content_block: block.start });
      for (const delta of block.deltas) yield named({ type: 'content_block_delta', index, delta });
      yield named({ type: 'content_block_stop', index });
    }
    yield named({ type: 'message_delta', delta: endOf(reply), usage: { output_tokens: 20 } });
    yield named({ type: 'message_stop' });
  },
  error: (message) => ({ type: 'error', error: { type: 'invalid_request_error', message } }),
};

const USAGE = { input_tokens: 100, output_tokens: 20 };

function named(data: { type: string; [member: string]: unknown }) {
  return { name: data.type, data };
}

function envelope(body: Body) {
  return { id: nextId('msg_'), type: 'message', role: 'assistant', model: body.model };
}

function endOf({ calls }: ModelReply) {
  return { stop_reason: calls === undefined ? 'end_turn' : 'tool_use', stop_sequence: null };
}

function isThinking({ thinking }: Body): boolean {
  return thinking?.type === 'enabled' || thinking?.type === 'adaptive';
}

function isThought(block: Body): boolean {
  return block.type === 'thinking' || block.type === 'redacted_thinking';
}

/** True for the first reply after the last text of the user. */
function isFirst(all: Body[], content: Body): boolean {
  const isPrompt = (message: Body): boolean =>
    message.role === 'user' &&
    (typeof message.content === 'string' ||
      !message.content.some(({ type }: Body) => type === 'tool_result'));
  return all[all.findLastIndex(isPrompt) + 1]?.content === content;
}

function sign(thought: string): string {
  return Buffer.from(`signed:${thought}`).toString('base64');
}

/** Content blocks, each with the events that a stream sends for it. */
function blocksOf({ thought, text, calls = [] }: ModelReply, body: Body) {
  const blocks: Body[] = [];
  if (thought !== undefined && isThinking(body))
    blocks.push({
      value: { type: 'thinking', thinking: thought, signature: sign(thought) },
      start: { type: 'thinking', thinking: '', signature: '' },
      deltas: [
        ...pieces(thought).map((thinking) => ({ type: 'thinking_delta', thinking })),
        { type: 'signature_delta', signature: sign(thought) },
      ],
    });
  if (text !== undefined)
    blocks.push({
      value: { type: 'text', text },
      start: { type: 'text', text: '' },
      deltas: pieces(text).map((piece) => ({ type: 'text_delta', text: piece })),
    });
  for (const call of calls) {
    const use = { type: 'tool_use', id: nextId('toolu_'), name: call.name };
    blocks.push({
      value: { ...use, input: call.arguments },
      start: { ...use, input: {} },
      deltas: pieces(JSON.stringify(call.arguments)).map((piece) => ({
        type: 'input_json_delta',
        partial_json: piece,
      })),
    });
  }
  return blocks;
}

function imagesIn(content: Body): string[] {
  if (!Array.isArray(content)) return [];
  return content
    .filter(({ type }: Body) => type === 'image')
    .map(({ source }: Body) => source.data);
}

function textOf(content: Body): string {
  if (typeof content === 'string') return content;
  return (content ?? [])
    .filter(({ type }: Body) => type === 'text')
    .map(({ text }: Body) => text)
    .join('\n');
}
