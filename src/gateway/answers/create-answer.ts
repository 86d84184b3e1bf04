import { AnswerTarget } from './answer-target.ts';
import { type Answer, type AnswerUse, type Head, isEventStream } from './answer.ts';
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

/** Creates the way back for a response: translated where the route says so, else byte for byte. */
export function createAnswer(
  outlet: Outlet,
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
      const target = new AnswerTarget(outlet, head, use, dialect);
      const filter = asksUsage && isStream ? new UsageFilter() : undefined;
      return new VerbatimAnswer(target, usage, use.holdsHead, filter);
    }
    const target = new AnswerTarget(outlet, head, { ...use, keep: undefined }, dialect);
    const reader = new DecodedUsageReader(usage, encoding, use.keep?.(head.headers, true));
    return new VerbatimAnswer(target, reader, use.holdsHead, undefined);
  }
  const target = new AnswerTarget(outlet, head, use, dialect);
  const answer =
    isStream && head.status < 400
      ? new TranslatedStream(target, usage, translation, use.holdsHead, asksUsage)
      : new TranslatedAnswer(target, usage, translation);
  return encoding === 'identity' ? answer : new DecodedAnswer(answer, encoding);
}
