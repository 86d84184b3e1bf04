import { createId } from '../../../lib/ids.ts';
import { numberIn, objectIn, objectsIn, textIn, type JsonObject } from '../../json/json-fields.ts';
import { reportsTokens } from '../reports-tokens.ts';
import { callIdOf } from '../tool-calls.ts';
import type { TranslationInput } from '../translator.ts';
import { encodeThought } from './reasoning-state.ts';
import { type ClientTools, clientTools } from './client-tools.ts';

/** Stop reasons of an incomplete response. */
const INCOMPLETE = new Map([
  ['max_tokens', 'max_output_tokens'],
  ['model_context_window_exceeded', 'max_output_tokens'],
  ['refusal', 'content_filter'],
]);

/** Translates a message to a response; undefined for a message without content. */
export function response(message: JsonObject, input: TranslationInput): JsonObject | undefined {
  if (!Array.isArray(message.content)) return undefined;
  const tools = clientTools(input.body.tools);
  const output = objectsIn(message.content).flatMap((block) => itemOf(block, tools) ?? []);
  return {
    ...responseHead(message, input),
    ...endOf(message.stop_reason),
    output,
    usage: responseUsage(objectIn(message.usage)),
  };
}

/** Returns the members of a response that are known from its beginning. */
export function responseHead(
  message: JsonObject,
  { model, body, nowMs }: TranslationInput,
): JsonObject {
  const own = (name: string, value: unknown = null): unknown => body[name] ?? value;
  return {
    id: `resp_${createId()}`,
    object: 'response',
    created_at: Math.floor(nowMs / 1_000),
    status: 'in_progress',
    background: false,
    error: null,
    incomplete_details: null,
    instructions: own('instructions'),
    max_output_tokens: own('max_output_tokens'),
    metadata: own('metadata', {}),
    model: textIn(message.model) ?? model,
    output: [],
    parallel_tool_calls: own('parallel_tool_calls', true),
    previous_response_id: null,
    reasoning: own('reasoning', { effort: null, summary: null }),
    service_tier: 'default',
    store: false,
    temperature: own('temperature'),
    text: own('text', { format: { type: 'text' } }),
    tool_choice: own('tool_choice', 'auto'),
    tools: own('tools', []),
    top_p: own('top_p'),
    truncation: 'disabled',
    usage: null,
    user: own('user'),
  };
}

/** Returns the status of a response by its stop reason. */
export function endOf(stopReason: unknown): JsonObject {
  const reason = INCOMPLETE.get(textIn(stopReason) ?? '');
  return reason === undefined
    ? { status: 'completed', incomplete_details: null }
    : { status: 'incomplete', incomplete_details: { reason } };
}

/** Returns the usage of the Responses API, where cached tokens are a part of the input. */
export function responseUsage(usage: JsonObject): JsonObject | null {
  if (!reportsTokens(usage)) return null;
  const cacheRead = numberIn(usage.cache_read_input_tokens) ?? 0;
  const cacheWrite = numberIn(usage.cache_creation_input_tokens) ?? 0;
  const input = (numberIn(usage.input_tokens) ?? 0) + cacheRead + cacheWrite;
  const output = numberIn(usage.output_tokens) ?? 0;
  const reasoning = numberIn(objectIn(usage.output_tokens_details).thinking_tokens) ?? 0;
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cacheRead },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: input + output,
  };
}

/** Returns a block of a message as an output item; undefined: the Responses API lacks such a block. */
export function itemOf(block: JsonObject, tools: ClientTools): JsonObject | undefined {
  const status = 'completed';
  switch (block.type) {
    case 'text': {
      const content = [textPart(textIn(block.text) ?? '')];
      return { id: itemId('msg'), type: 'message', status, role: 'assistant', content };
    }
    case 'thinking':
    case 'redacted_thinking': {
      const thinking = textIn(block.thinking) ?? '';
      const summary = thinking === '' ? [] : [summaryPart(thinking)];
      const encrypted = { encrypted_content: encodeThought(block) };
      return { id: itemId('rs'), type: 'reasoning', summary, ...encrypted };
    }
    case 'tool_use':
      return callItem(block, tools, status, block.input);
    default:
      return undefined;
  }
}

/**
 * Returns the output item of a call.
 * @param input undefined: not received yet
 */
export function callItem(
  { id, name }: JsonObject,
  tools: ClientTools,
  status: string,
  input: unknown,
): JsonObject {
  const tool = tools.get(textIn(name) ?? '');
  const head = {
    call_id: callIdOf(textIn(id) ?? ''),
    name: tool?.ownName ?? name,
    ...(tool?.namespace === undefined ? {} : { namespace: tool.namespace }),
    status,
  };
  if (tool?.isCustom === true) {
    return { id: itemId('ctc'), type: 'custom_tool_call', ...head, input: customInput(input) };
  }
  return { id: itemId('fc'), type: 'function_call', ...head, arguments: argumentsText(input) };
}

/** Returns the text for a custom tool. Models that ignore the schema use other members. */
export function customInput(input: unknown): string {
  if (input === undefined) return '';
  const { input: text, invalid_arguments: invalid } = objectIn(input);
  return textIn(text) ?? textIn(invalid) ?? JSON.stringify(input);
}

function argumentsText(input: unknown): string {
  if (input === undefined) return '';
  return textIn(objectIn(input).invalid_arguments) ?? JSON.stringify(input);
}

/** Returns a part of a message with a text. */
export function textPart(text: string): JsonObject {
  return { type: 'output_text', annotations: [], logprobs: [], text };
}

/** Returns a part of the summary of a reasoning item. */
export function summaryPart(text: string): JsonObject {
  return { type: 'summary_text', text };
}

function itemId(kind: string): string {
  return `${kind}_${createId()}`;
}
