import { AnswerTarget } from './answer-target.ts';
import { type Answer, type AnswerUse, type Head, isEventStream } from './answer.ts';
import { DecodedAnswer, DecodedUsageReader } from './decoded-answer.ts';
import { firstOf } from '../headers.ts';
import { asksBase64, base64Embeddings } from './base64-embeddings.ts';
import { RewrittenJson } from './rewritten-json.ts';
import { streamedJson } from './streamed-json.ts';
import type { ClientResponse } from '../client-response.ts';
import type { Route } from '../resolve-route.ts';
import { TranslatedAnswer } from '../translation/translated-answer.ts';
import { TranslatedStream } from '../translation/translated-stream.ts';
import { UsageFilter } from './usage-filter.ts';
import { withHeaderUsage } from '../usage/header-usage.ts';
import { createUsageReader } from '../usage/usage-reader.ts';
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
  if (!isJson || head.status >= 400 || !(isStream || isEncoded)) {
    return createPlainAnswer(client, route, head, use);
  }
  const { 'content-encoding': encoding, 'content-length': _length, ...headers } = head.headers;
  const coding = firstOf(encoding)?.toLowerCase() ?? 'identity';
  const changed = { ...head, headers };
  const createChanged = (): Answer => createPlainAnswer(client, route, changed, use);
  const unchanged = coding === 'identity' ? head : changed;
  const createUnchanged = (): Answer => createPlainAnswer(client, route, unchanged, use);
  const createStream = (): Answer => {
    const contentType = 'text/event-stream; charset=utf-8';
    const asStream = { ...head, contentType, headers: { ...headers, 'content-type': contentType } };
    // The stream contains the usage, for the log.
    const asksUsage =
      route.translation === undefined ? streamed?.includesUsage === false : route.asksUsage;
    return createPlainAnswer(client, { ...route, asksUsage }, asStream, use);
  };
  const answer = isStream
    ? new RewrittenJson(streamedJson, createUnchanged, createStream)
    : new RewrittenJson(base64Embeddings, createUnchanged, createChanged);
  return coding === 'identity' ? answer : new DecodedAnswer(answer, coding);
}

const JSON_TYPE = /^application\/json[ \t]*(?:;|$)/i;

function createPlainAnswer(
  client: ClientResponse,
  { translation, dialect, asksUsage, path }: Route,
  head: Head,
  use: AnswerUse,
): Answer {
  const isCompletions = /(?:^|\/)completions$/.test(path);
  const usage = withHeaderUsage(createUsageReader(head.contentType, isCompletions), head.headers);
  const encoding = firstOf(head.headers['content-encoding'])?.toLowerCase() ?? 'identity';
  const isStream = isEventStream(head.contentType);
  if (translation === undefined) {
    if (encoding === 'identity') {
      const target = new AnswerTarget(client, head, use, dialect);
      const filter = asksUsage && isStream ? new UsageFilter() : undefined;
      return new VerbatimAnswer(target, usage, use.holdsHead, filter);
    }
    const target = new AnswerTarget(client, head, { ...use, keep: undefined }, dialect);
    const reader = new DecodedUsageReader(usage, encoding, use.keep?.(head.headers, true));
    return new VerbatimAnswer(target, reader, use.holdsHead, undefined);
  }
  const target = new AnswerTarget(client, head, use, dialect);
  const answer =
    isStream && head.status < 400
      ? new TranslatedStream(target, usage, translation, use.holdsHead, asksUsage)
      : new TranslatedAnswer(target, usage, translation);
  return encoding === 'identity' ? answer : new DecodedAnswer(answer, encoding);
}
