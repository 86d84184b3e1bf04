import { isObject, listOf, memberOf, textOf } from '../json-value.ts';
import type { Message, Part } from './conversation.ts';
import { callPart, otherPart, partsOf, readContent, textParts } from './read-parts.ts';

/** A message of chat completions or of the Anthropic API, in a request or an answer. */
export function readMessage(message: unknown): Message {
  const role = textOf(message, 'role') ?? 'unknown';
  const content = readContent(memberOf(message, 'content'));
  const result = textOf(message, 'tool_call_id');
  if (role === 'tool' || role === 'function') {
    const name = result ?? textOf(message, 'name');
    return { role: 'tool', parts: [{ kind: 'result', name, isError: false, parts: content }] };
  }
  const thoughts = textOf(message, 'reasoning_content') ?? textOf(message, 'reasoning');
  const refusal = textOf(message, 'refusal');
  const called = memberOf(message, 'function_call');
  const parts: Part[] = [
    ...(thoughts ? [{ kind: 'thinking' as const, text: thoughts }] : []),
    ...content,
    ...(refusal ? [{ kind: 'refusal' as const, text: refusal }] : []),
    ...listOf(message, 'tool_calls').map(readCall),
    ...(isObject(called) ? [readCall({ function: called })] : []),
  ];
  return { role, parts };
}

function readCall(call: unknown): Part {
  const named = memberOf(call, 'function') ?? memberOf(call, 'custom');
  const input = memberOf(named, 'arguments') ?? memberOf(named, 'input');
  return callPart(call, textOf(named, 'name'), input);
}

/** A turn of Gemini. */
export function readTurn(turn: unknown, role = 'user'): Message {
  return { role: textOf(turn, 'role') ?? role, parts: partsOf(turn, 'parts') };
}

/** An item of the Responses API: a message, a call of a tool, or what it answered. */
export function readItem(item: unknown): Message {
  const type = textOf(item, 'type') ?? 'message';
  switch (type) {
    case 'message':
      return readMessage(item);
    case 'function_call':
    case 'custom_tool_call':
    case 'mcp_call': {
      const input = memberOf(item, 'arguments') ?? memberOf(item, 'input');
      return { role: 'assistant', parts: [callPart(item, textOf(item, 'name'), input)] };
    }
    case 'function_call_output':
    case 'custom_tool_call_output': {
      const parts = readContent(memberOf(item, 'output'));
      const name = textOf(item, 'call_id');
      return { role: 'tool', parts: [{ kind: 'result', name, isError: false, parts }] };
    }
    case 'reasoning':
      return { role: 'assistant', parts: thoughtsOf(item) };
    default:
      return { role: 'assistant', parts: readContent([item]) };
  }
}

function thoughtsOf(item: unknown): Part[] {
  const parts = [...partsOf(item, 'summary'), ...partsOf(item, 'content')];
  const text = parts.map((part) => ('text' in part ? part.text : '')).join('\n\n');
  return text === '' ? [] : [{ kind: 'thinking', text }];
}

/** What stands for a conversation that is a text, or a list of items or messages. */
export function readInput(input: unknown, role: string): Message[] {
  if (typeof input === 'string') return [{ role, parts: textParts(input) }];
  if (!Array.isArray(input)) return [{ role, parts: [otherPart(input)] }];
  const items = input as unknown[];
  // Texts to embed, or their tokens.
  if (items.every((item) => typeof item === 'string')) {
    return items.map((text) => ({ role, parts: textParts(text) }));
  }
  return items.map((item) =>
    isObject(item) ? readItem(item) : { role, parts: [otherPart(item)] },
  );
}

/** Calls name a tool, and answers only the call: they get the name, too. */
export function nameResults(messages: readonly Message[]): Message[] {
  const names = new Map<string, string>();
  for (const { parts } of messages) {
    for (const part of parts) if (part.kind === 'call' && part.id) names.set(part.id, part.name);
  }
  const named = (part: Part): Part =>
    part.kind === 'result' ? { ...part, name: names.get(part.name ?? '') ?? part.name } : part;
  return messages.map((message) => ({ ...message, parts: message.parts.map(named) }));
}
