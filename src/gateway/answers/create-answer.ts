import { AnswerTarget } from './answer-target.ts';
import { type Answer, type Head, type StartRecording, isEventStream } from './answer.ts';
import { DecodedAnswer, DecodedUsageReader } from './decoded-answer.ts';
import { firstOf } from '../headers.ts';
import type { Outlet } from '../outlet.ts';
import type { Route } from '../resolve-route.ts';
import { TranslatedAnswer } from '../translation/translated-answer.ts';
import { TranslatedStream } from '../translation/translated-stream.ts';
import { createUsageReader } from '../usage/usage-reader.ts';
import { VerbatimAnswer } from './verbatim-answer.ts';

/**
 * The way back for an answer: translated where the route says so, else byte for byte.
 * @param holdsHead nothing is sent before the first bytes of the body have come
 * @param record for the cache; it gets what the client gets
 */
export function createAnswer(
  outlet: Outlet,
  { translation, dialect }: Route,
  head: Head,
  holdsHead: boolean,
  record: StartRecording | undefined,
): Answer {
  const usage = createUsageReader(head.contentType);
  const target = new AnswerTarget(outlet, head, record, dialect);
  const encoding = firstOf(head.headers['content-encoding'])?.toLowerCase() ?? 'identity';
  if (translation === undefined) {
    const reader = encoding === 'identity' ? usage : new DecodedUsageReader(usage, encoding);
    return new VerbatimAnswer(target, reader, holdsHead);
  }
  const answer =
    isEventStream(head.contentType) && head.status < 400
      ? new TranslatedStream(target, usage, translation, holdsHead)
      : new TranslatedAnswer(target, usage, translation);
  return encoding === 'identity' ? answer : new DecodedAnswer(answer, encoding);
}
