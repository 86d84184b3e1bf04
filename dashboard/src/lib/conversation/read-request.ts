import { type JsonObject, isObject, listOf, memberOf, textOf } from '../json-value.ts';
import { type Conversation, type Message, emptyConversation } from './conversation.ts';
import { nameResults, readInput, readMessage, readTurn } from './read-messages.ts';
import { readContent, textParts } from './read-parts.ts';

/**
 * What a request says, in any of the APIs that the gateway knows.
 * @param body what its JSON stands for
 * @returns undefined when it is none of them
 */
export function readRequest(body: unknown): Conversation | undefined {
  if (!isObject(body)) return undefined;
  // Run takes what a model understands inside of its own envelope, too.
  const { input } = body;
  if (isObject(input)) {
    const inner = readRequest(input);
    return inner && { ...inner, settings: [...settingsOf(body), ...inner.settings] };
  }
  const messages = messagesOf(body);
  if (messages.length === 0) return undefined;
  return {
    ...emptyConversation(),
    messages: nameResults(messages),
    settings: settingsOf(body),
    tools: toolsOf(body),
  };
}

function messagesOf(body: JsonObject): Message[] {
  const { messages, contents, input, prompt, text } = body;
  const system = readContent(body['system']);
  const first: Message[] = system.length === 0 ? [] : [{ role: 'system', parts: system }];
  if (Array.isArray(messages)) return [...first, ...(messages as unknown[]).map(readMessage)];
  const told = memberOf(body, 'systemInstruction') ?? memberOf(body, 'system_instruction');
  if (isObject(told)) first.push({ ...readTurn(told), role: 'system' });
  if (Array.isArray(contents)) {
    return [...first, ...(contents as unknown[]).map((turn) => readTurn(turn))];
  }
  const instructions = textParts(textOf(body, 'instructions'));
  if (instructions.length > 0) first.push({ role: 'system', parts: instructions });
  const said =
    input ?? prompt ?? (typeof text === 'string' || Array.isArray(text) ? text : undefined);
  if (said !== undefined) return [...first, ...readInput(said, 'user')];
  // Gemini's own embeddings have one content.
  const { content } = body;
  return isObject(content) ? [...first, readTurn(content)] : [];
}

const SHOWN_ELSEWHERE: ReadonlySet<string> = new Set([
  'model',
  'prompt',
  'input',
  'text',
  'system',
  'instructions',
]);

function settingsOf(body: JsonObject): Conversation['settings'] {
  const config = memberOf(body, 'generationConfig') ?? memberOf(body, 'generation_config');
  const entries = [...Object.entries(body), ...Object.entries(isObject(config) ? config : {})];
  return entries.flatMap(([name, value]) => {
    const isPlain = ['string', 'number', 'boolean'].includes(typeof value);
    return isPlain && !SHOWN_ELSEWHERE.has(name) ? [[name, String(value)] as const] : [];
  });
}

function toolsOf(body: JsonObject): string[] {
  return listOf(body, 'tools').flatMap((tool) => {
    const declared = [
      ...listOf(tool, 'functionDeclarations'),
      ...listOf(tool, 'function_declarations'),
    ];
    if (declared.length > 0) return declared.map((one) => textOf(one, 'name') ?? 'unnamed');
    const name = textOf(memberOf(tool, 'function') ?? memberOf(tool, 'custom') ?? tool, 'name');
    return [
      name ?? textOf(tool, 'type') ?? Object.keys(isObject(tool) ? tool : {})[0] ?? 'unnamed',
    ];
  });
}
