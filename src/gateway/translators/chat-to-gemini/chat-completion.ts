import { CONTEXT_OVERFLOW, errorTextOf, firstOf, isContextOverflow } from '../provider-error.ts';
import { createId } from '../../../lib/ids.ts';
import type { TranslationInput } from '../translator.ts';
import { type ContentParts, extraContent, imageFields, readContentParts } from './content-parts.ts';
import {
  isObject,
  numberIn,
  objectIn,
  objectsIn,
  textIn,
  type JsonObject,
} from '../../json/json-fields.ts';

/** Translates a response of `generateContent` to a chat completion; undefined for any other object. */
export function toChatCompletion(
  answer: JsonObject,
  input: TranslationInput,
): JsonObject | undefined {
  if (!isAnswer(answer)) return undefined;
  const head = completionHead(answer, input);
  const usage = toChatUsage(answer.usageMetadata);
  return {
    ...head,
    object: 'chat.completion',
    choices: choicesOf(answer, head.id, input),
    ...(usage === undefined ? {} : { usage }),
  };
}

/** A response without candidates contains the usage at least. */
function isAnswer({ candidates, promptFeedback, usageMetadata }: JsonObject): boolean {
  return Array.isArray(candidates) || isObject(promptFeedback) || isObject(usageMetadata);
}

/** The members that a completion and each of its chunks have in common. */
export interface CompletionHead {
  id: string;
  created: number;
  model: string;
}

export function completionHead(
  answer: JsonObject,
  { model, nowMs }: TranslationInput,
): CompletionHead {
  return {
    id: `chatcmpl-${textIn(answer.responseId) ?? createId()}`,
    created: Math.floor(nowMs / 1_000),
    model: textIn(answer.modelVersion) ?? model,
  };
}

function choicesOf(answer: JsonObject, id: string, input: TranslationInput): JsonObject[] {
  const candidates = objectsIn(answer.candidates);
  if (candidates.length > 0) {
    return candidates.map((candidate, index) => toChoice(candidate, index, id, input));
  }
  const refusal = blockedPrompt(answer);
  const message = { role: 'assistant', content: refusal === null ? '' : null, refusal };
  const finishReason = refusal === null ? 'stop' : 'content_filter';
  return [{ index: 0, message, finish_reason: finishReason, logprobs: null }];
}

/** Returns the reason why the prompt was blocked; null: it was not. */
export function blockedPrompt(answer: JsonObject): string | null {
  const reason = textIn(objectIn(answer.promptFeedback).blockReason);
  return reason === undefined ? null : `The prompt was blocked: ${reason}`;
}

function toChoice(
  candidate: JsonObject,
  position: number,
  id: string,
  input: TranslationInput,
): JsonObject {
  const index = numberIn(candidate.index) ?? position;
  const said = readContentParts(candidate, (call) => callId(id, index, call));
  const calls = retainedToolCalls(said, input, 0);
  const finishReason = textIn(candidate.finishReason) ?? 'STOP';
  const message = {
    role: 'assistant',
    content: said.text === '' && calls.length > 0 ? null : said.text,
    refusal: refusalOf(candidate),
    ...(said.reasoning === '' ? {} : { reasoning_content: said.reasoning }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
    ...imageFields(said.images),
    ...extraContent(said.signature),
  };
  return {
    index,
    message,
    finish_reason: toFinishReason(finishReason, calls.length > 0),
    logprobs: toLogprobs(candidate.logprobsResult),
  };
}

// Other providers accept ids of 40 characters, and may get a later turn.
const MAX_ANSWER_ID_LENGTH = 26;

/** Creates the id of a call without one. It is the same for the same response. */
export function callId(answerId: string, choice: number, call: number): string {
  const own = answerId.replace(/^chatcmpl-/, '').slice(0, MAX_ANSWER_ID_LENGTH);
  return `call_${own}_${choice}_${call}`;
}

/**
 * Drops all calls but the first one if the client allows no parallel calls, which Gemini has no parameter for. The model
 * repeats the others in the next turn.
 * @param before number of earlier calls of the choice
 */
export function retainedToolCalls(
  { calls }: ContentParts,
  { body }: TranslationInput,
  before: number,
): ContentParts['calls'] {
  return body.parallel_tool_calls === false ? calls.slice(0, Math.max(0, 1 - before)) : calls;
}

const CUT_OFF = new Set(['MAX_TOKENS', 'CONTINUATION']);
const FILTERED = new Set([
  'SAFETY',
  'RECITATION',
  'LANGUAGE',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'SPII',
  'MODEL_ARMOR',
  'IMAGE_SAFETY',
  'IMAGE_PROHIBITED_CONTENT',
  'IMAGE_RECITATION',
]);

export function toFinishReason(reason: string, hasCalls: boolean): string {
  if (CUT_OFF.has(reason)) return 'length';
  if (FILTERED.has(reason)) return 'content_filter';
  return hasCalls ? 'tool_calls' : 'stop';
}

/** Returns the reason of a refusal; null: the response is complete or was truncated. */
export function refusalOf(candidate: JsonObject): string | null {
  const reason = textIn(candidate.finishReason) ?? 'STOP';
  if (reason === 'STOP' || CUT_OFF.has(reason)) return null;
  return textIn(candidate.finishMessage) ?? `The response ended early: ${reason}`;
}

/** Thoughts count as output, and the content that tools of the provider read as input. */
export function toChatUsage(value: unknown): JsonObject | undefined {
  if (!isObject(value)) return undefined;
  const count = (name: string): number => numberIn(value[name]) ?? 0;
  const thoughts = count('thoughtsTokenCount');
  const prompt = count('promptTokenCount') + count('toolUsePromptTokenCount');
  const completion = count('candidatesTokenCount') + thoughts;
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: count('cachedContentTokenCount') },
    completion_tokens_details: { reasoning_tokens: thoughts },
  };
}

export function toLogprobs(value: unknown): JsonObject | null {
  if (!isObject(value)) return null;
  const tops = objectsIn(value.topCandidates);
  const content = objectsIn(value.chosenCandidates).map((chosen, index) => ({
    ...toLogprob(chosen),
    top_logprobs: objectsIn(tops[index]?.candidates).map(toLogprob),
  }));
  return { content, refusal: null };
}

function toLogprob(candidate: JsonObject): JsonObject {
  const token = textIn(candidate.token) ?? '';
  return {
    token,
    logprob: numberIn(candidate.logProbability) ?? 0,
    bytes: [...Buffer.from(token)],
  };
}

/** Translates an error of Gemini to one of the OpenAI API. */
export function toChatError(status: number, text: string): JsonObject {
  const { error } = firstOf(text);
  const message = errorTextOf(status, text);
  const code = textIn(objectIn(error).status) ?? null;
  return {
    error: {
      message,
      type: errorType(status),
      param: null,
      code: isContextOverflow(status, error, message) ? CONTEXT_OVERFLOW : code,
    },
  };
}

function errorType(status: number): string {
  switch (status) {
    case 401:
      return 'authentication_error';
    case 403:
      return 'permission_error';
    case 404:
      return 'not_found_error';
    case 429:
      return 'rate_limit_error';
    default:
      return status >= 500 ? 'server_error' : 'invalid_request_error';
  }
}
