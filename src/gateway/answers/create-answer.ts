import { AnswerTarget } from './answer-target.ts';
import {
  type Answer,
  type Head,
  type StartKeeping,
  type StartRecording,
  isEventStream,
} from './answer.ts';
import { DecodedAnswer, DecodedUsageReader } from './decoded-answer.ts';
import { firstOf } from '../headers.ts';
import type { Outlet } from '../outlet.ts';
import type { Route } from '../resolve-route.ts';
import { TranslatedAnswer } from '../translation/translated-answer.ts';
import { TranslatedStream } from '../translation/translated-stream.ts';
import { UsageFilter } from './usage-filter.ts';
import { withHeaderUsage } from '../usage/header-usage.ts';
import { createUsageReader } from '../usage/usage-reader.ts';
import { VerbatimAnswer } from './verbatim-answer.ts';

/**
 * The way back for an answer: translated where the route says so, else byte for byte.
 * @param holdsHead nothing is sent before the first bytes of the body have come
 * @param record for the cache; it gets what the client gets
 * @param keep for the log; it gets the same, but uncompressed
 */
export function createAnswer(
  outlet: Outlet,
  { translation, dialect, asksUsage, path }: Route,
  head: Head,
  holdsHead: boolean,
  record: StartRecording | undefined,
  keep: StartKeeping | undefined,
): Answer {
  const isCompletions = /(?:^|\/)completions$/.test(path);
  const usage = withHeaderUsage(createUsageReader(head.contentType, isCompletions), head.headers);
  const encoding = firstOf(head.headers['content-encoding'])?.toLowerCase() ?? 'identity';
  const isStream = isEventStream(head.contentType);
  if (translation === undefined) {
    if (encoding === 'identity') {
      const target = new AnswerTarget(outlet, head, record, keep, dialect);
      const filter = asksUsage && isStream ? new UsageFilter() : undefined;
      return new VerbatimAnswer(target, usage, holdsHead, filter);
    }
    const target = new AnswerTarget(outlet, head, record, undefined, dialect);
    const reader = new DecodedUsageReader(usage, encoding, keep?.(head.headers, true));
    return new VerbatimAnswer(target, reader, holdsHead, undefined);
  }
  const target = new AnswerTarget(outlet, head, record, keep, dialect);
  const answer =
    isStream && head.status < 400
      ? new TranslatedStream(target, usage, translation, holdsHead, asksUsage)
      : new TranslatedAnswer(target, usage, translation);
  return encoding === 'identity' ? answer : new DecodedAnswer(answer, encoding);
}
