import { AnswerTarget } from './answer-target.ts';
import { type Answer, type AnswerUse, type Head, isEventStream } from './answer.ts';
import { asksBase64, base64Embeddings } from './base64-embeddings.ts';
import { RewrittenJson } from './rewritten-json.ts';
import { streamedJson } from './streamed-json.ts';
import type { ClientResponse } from '../client-response.ts';
import type { Route } from '../resolve-route.ts';
import { TranslatedAnswer } from '../translation/translated-answer.ts';
import { TranslatedStream } from '../translation/translated-stream.ts';
import { UsageFilter } from './usage-filter.ts';
import { withHeaderUsage } from '../usage/header-usage.ts';
import { type UsageReader, createUsageReader } from '../usage/usage-reader.ts';
import { UNKNOWN_USAGE } from '../usage/usage.ts';
import { VerbatimAnswer } from './verbatim-answer.ts';

/**
 * Creates the way back for a response: translated where the route says so, else byte for byte. JSON for a client that
 * asks for a stream becomes a stream.
 */
export function createAnswer(
  client: ClientResponse,
  route: Route,
  head: Head,
  use: AnswerUse,
): Answer {
  const { operation, streamed, body } = route;
  const isJson = JSON_TYPE.test(head.contentType ?? '');
  const isStream = streamed !== undefined && operation !== undefined;
  const isEncoded = operation === 'embeddings' && asksBase64(body);
  const { 'content-length': _length, ...headers } = head.headers;
  const isCoded = headers['content-encoding'] !== undefined;
  if (!isJson || isCoded || head.status >= 400 || !(isStream || isEncoded)) {
    return createPlainAnswer(client, route, head, use);
  }
  const createChanged = (): Answer => createPlainAnswer(client, route, { ...head, headers }, use);
  const createUnchanged = (): Answer => createPlainAnswer(client, route, head, use);
  const createStream = (): Answer => {
    const contentType = 'text/event-stream; charset=utf-8';
    const asStream = { ...head, contentType, headers: { ...headers, 'content-type': contentType } };
    // The stream contains the usage, for the log.
    const asksUsage =
      route.translation === undefined ? streamed?.includesUsage === false : route.asksUsage;
    return createPlainAnswer(client, { ...route, asksUsage }, asStream, use);
  };
  return isStream
    ? new RewrittenJson(streamedJson, createUnchanged, createStream)
    : new RewrittenJson(base64Embeddings, createUnchanged, createChanged);
}

const JSON_TYPE = /^application\/json[ \t]*(?:;|$)/i;

function createPlainAnswer(
  client: ClientResponse,
  { translation, dialect, asksUsage, path }: Route,
  head: Head,
  use: AnswerUse,
): Answer {
  const target = new AnswerTarget(client, head, use, dialect);
  const isStream = isEventStream(head.contentType);
  const usage = usageReaderOf(head, path);
  if (translation === undefined) {
    const filter = asksUsage && isStream ? new UsageFilter() : undefined;
    return new VerbatimAnswer(target, usage, use.holdsHead, filter);
  }
  return isStream && head.status < 400
    ? new TranslatedStream(target, usage, translation, use.holdsHead, asksUsage)
    : new TranslatedAnswer(target, usage, translation);
}

/** Reads nothing in a coding that is not supported: the response counts as incomplete. */
const UNREADABLE: UsageReader = {
  feed() {},
  read: () => UNKNOWN_USAGE,
  failure: () => 'incomplete',
};

function usageReaderOf({ headers, contentType }: Head, path: string): UsageReader {
  if (headers['content-encoding'] !== undefined) return UNREADABLE;
  const isCompletions = /(?:^|\/)completions$/.test(path);
  return withHeaderUsage(createUsageReader(contentType, isCompletions), headers);
}
