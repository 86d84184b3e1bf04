import { type JsonObject, isObject, memberOf, numberOf, textOf } from '../json-value.ts';
import { assembleList } from '../stream/assembled-stream.ts';
import { type Conversation, type Message, emptyConversation } from './conversation.ts';
import { readItem, readMessage, readTurn } from './read-messages.ts';
import { dimensionsOf, readContent, textParts } from './read-parts.ts';

/**
 * What an answer says, in any of the APIs that the gateway knows, or that it failed.
 * @param body what its JSON stands for
 * @returns undefined when it is none of them
 */
export function readAnswer(body: unknown): Conversation | undefined {
  const listed = assembleList(body);
  if (listed !== undefined) return readAnswer(listed.answer);
  if (!isObject(body)) return undefined;
  const failures = failuresOf(body);
  if (failures.length > 0) return { ...emptyConversation(), failures };
  // Run answers in the envelope of the API.
  if (isObject(body['result']) && body['success'] === true) return readAnswer(body['result']);
  const messages = messagesOf(body);
  return messages && { ...emptyConversation(), messages: messages.map(withEnd) };
}

function messagesOf(body: JsonObject): Message[] | undefined {
  const { choices, output, candidates, data, response, promptFeedback: feedback } = body;
  if (Array.isArray(choices)) return (choices as unknown[]).map(readChoice);
  if (Array.isArray(output) && body['object'] === 'response') {
    return (output as unknown[]).map(readItem);
  }
  if (body['type'] === 'message') {
    return [{ ...readMessage(body), end: textOf(body, 'stop_reason') ?? '' }];
  }
  if (Array.isArray(candidates)) return (candidates as unknown[]).map(readCandidate);
  const blocked = textOf(feedback, 'blockReason');
  if (blocked !== undefined) return [{ role: 'model', parts: [], end: blocked }];
  if (typeof response === 'string') return [{ role: 'assistant', parts: textParts(response) }];
  if (Array.isArray(data)) return embeddings(data);
  if (Array.isArray(body['embeddings'])) return embeddings(body['embeddings']);
  if (isObject(body['embedding'])) return embeddings([body['embedding']]);
  const counted = numberOf(body, 'input_tokens');
  if (counted === undefined) return undefined;
  return [{ role: 'assistant', parts: textParts(`${counted} input tokens were counted.`) }];
}

function readChoice(choice: unknown): Message {
  const end = textOf(choice, 'finish_reason') ?? '';
  const message = memberOf(choice, 'message');
  if (isObject(message)) return { ...readMessage({ role: 'assistant', ...message }), end };
  return { role: 'assistant', parts: textParts(textOf(choice, 'text')), end };
}

function readCandidate(candidate: unknown): Message {
  const turn = readTurn(memberOf(candidate, 'content'), 'model');
  return { ...turn, end: textOf(candidate, 'finishReason') ?? '' };
}

function embeddings(list: readonly unknown[]): Message[] | undefined {
  const [first] = list;
  const dimensions = dimensionsOf(first);
  const isCoded = typeof memberOf(first, 'embedding') === 'string';
  if (dimensions === undefined && !isCoded) return undefined;
  const count = list.length === 1 ? 'One embedding' : `${list.length} embeddings`;
  const size = dimensions === undefined ? 'encoded in base64' : `of ${dimensions} numbers`;
  return [{ role: 'assistant', parts: readContent(`${count} ${size}.`) }];
}

function withEnd(message: Message): Message {
  const { end, ...rest } = message;
  return end === '' || end === undefined ? rest : { ...rest, end };
}

/** What went wrong, in whichever of the shapes of errors. */
function failuresOf(body: JsonObject): string[] {
  const { error, errors } = body;
  if (error !== undefined && error !== null) return [error].flat().map(messageOfError);
  return Array.isArray(errors) && errors.length > 0 ? errors.map(messageOfError) : [];
}

/** The words of an error, whatever it is made of. */
export function messageOfError(error: unknown): string {
  if (typeof error === 'string') return error;
  const message = textOf(error, 'message');
  const kind = textOf(error, 'type') ?? textOf(error, 'status') ?? memberOf(error, 'code');
  const said = message ?? JSON.stringify(error);
  return typeof kind === 'string' || typeof kind === 'number' ? `${said} (${kind})` : said;
}
