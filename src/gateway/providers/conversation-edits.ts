import type { BodyEdit, BodyMembers } from '../json/body-members.ts';
import { itemEdits } from '../json/list-edits.ts';
import { isObject, textIn, type JsonObject } from '../json/json-fields.ts';
import { GATEWAY_THOUGHT } from '../translators/responses-to-messages/reasoning-state.ts';
import { mistralCallId } from '../translators/tool-calls.ts';
import type { LocalProvider, UpstreamProvider } from './provider.ts';

/** The changes to replies of other models. */
interface ReplyRules {
  /** Members of messages that are removed. */
  readonly messageMembers: readonly string[];
  /** Members of calls that are removed. */
  readonly callMembers: readonly string[];
  /** Returns the ID of a tool call in the format of the provider. Default: unchanged. */
  readonly callId?: (this: void, id: string) => string;
}

/** Thoughts, under the names of several providers. */
const THOUGHTS = ['reasoning_content', 'reasoning', 'reasoning_details', 'thinking_blocks'];
/** Members in responses of several providers that only OpenAI accepts in a request. */
const OUTPUT_ONLY = ['refusal', 'annotations', 'audio', 'parsed'];
/** Gemini's signatures of calls. */
const CALL_MEMBERS = ['extra_content'];

function rules(accepted: readonly string[], removed: readonly string[] = []): ReplyRules {
  const thoughts = THOUGHTS.filter((name) => !accepted.includes(name));
  return {
    messageMembers: [...thoughts, ...CALL_MEMBERS, ...removed],
    callMembers: CALL_MEMBERS,
  };
}

/** Providers that refuse a chat completion with an unknown member in a message. Others ignore it, or use it. */
const RULES: Readonly<Record<string, ReplyRules>> = {
  openai: rules([]),
  'azure-openai': rules([]),
  cerebras: rules(['reasoning'], OUTPUT_ONLY),
  fireworks: rules(['reasoning_content'], OUTPUT_ONLY),
  groq: rules(['reasoning'], OUTPUT_ONLY),
  mistral: { ...rules([], OUTPUT_ONLY), callId: mistralCallId },
};

const CHAT_PATH = /(?:^|\/)chat\/completions$/;
const RESPONSES_PATH = /(?:^|\/)responses$/;
const ENCRYPTED_BY_GATEWAY = Buffer.from(`"${GATEWAY_THOUGHT}`);

/**
 * Returns the edits of an OpenAI-compatible provider to conversations that contain replies of other models:
 * - to chat completions: removes the members of replies that the provider refuses, and replaces the IDs of calls in
 *   formats that it refuses
 * - to responses: removes the thoughts that the gateway has encoded, which only the gateway can read
 * @param name the name of the provider in models and paths
 */
export function openAiConversationEdits(
  name: string,
): NonNullable<UpstreamProvider['conversationEdits']> {
  const own = RULES[name];
  const names = own && [
    ...own.messageMembers,
    ...own.callMembers,
    ...(own.callId === undefined ? [] : ['tool_calls', 'tool_call_id']),
  ];
  return (path, body, replyKeys) => {
    if (RESPONSES_PATH.test(path) && body.includes(ENCRYPTED_BY_GATEWAY))
      return itemEdits(body, 'input', (item) => (isGatewayThought(item) ? undefined : item));
    if (own === undefined || !CHAT_PATH.test(path)) return [];
    if (names?.some((name) => replyKeys.has(name)) !== true) return [];
    return itemEdits(body, 'messages', (message) => acceptedMessage(message, own));
  };
}

/**
 * Returns the edits to a request in the provider's own API whose conversation contains replies of other models that the
 * provider would refuse.
 * @param path the path of the request at the provider, or an operation
 * @param body a JSON object
 */
export async function conversationEdits(
  provider: UpstreamProvider | LocalProvider,
  path: string,
  body: Buffer,
  { replyKeys }: BodyMembers,
): Promise<BodyEdit[]> {
  if (provider.kind === 'local') return [];
  return provider.conversationEdits?.(path, body, replyKeys) ?? [];
}

function isGatewayThought({ type, encrypted_content: encrypted }: JsonObject): boolean {
  return type === 'reasoning' && textIn(encrypted)?.startsWith(GATEWAY_THOUGHT) === true;
}

/** Returns the message as the provider accepts it; the same object if nothing changes. */
function acceptedMessage(
  message: JsonObject,
  { messageMembers, callMembers, callId }: ReplyRules,
): JsonObject {
  const { role, tool_call_id: resultId } = message;
  if (role === 'tool' && callId !== undefined && typeof resultId === 'string') {
    const id = callId(resultId);
    return id === resultId ? message : { ...message, tool_call_id: id };
  }
  if (role !== 'assistant') return message;
  const own = withoutMembers(message, messageMembers);
  if (!Array.isArray(own.tool_calls)) return own;
  const calls = own.tool_calls as unknown[];
  const accepted = calls.map((call) => acceptedCall(call, callMembers, callId));
  return accepted.every((call, index) => call === calls[index])
    ? own
    : { ...own, tool_calls: accepted };
}

function acceptedCall(
  call: unknown,
  members: readonly string[],
  callId: ReplyRules['callId'],
): unknown {
  if (!isObject(call)) return call;
  const own = withoutMembers(call, members);
  const id = textIn(own.id);
  const accepted = id === undefined || id === '' ? id : callId?.(id);
  return accepted === undefined || accepted === id ? own : { ...own, id: accepted };
}

function withoutMembers(object: JsonObject, names: readonly string[]): JsonObject {
  if (!names.some((name) => Object.hasOwn(object, name))) return object;
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}
