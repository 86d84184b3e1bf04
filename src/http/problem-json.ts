import { STATUS_CODES } from 'node:http';
import { type Static, Type } from 'typebox';
import { ErrorEntrySchema } from './envelope.ts';
import type { ErrorEntry } from './errors.ts';

/** The media type of a problem (RFC 9457 section 3). */
export const PROBLEM_TYPE = 'application/problem+json';

// An unclosed string reaches to the end: whatever the client sends, each character is looked at once.
const QUOTED_STRING = /"(?:[^"\\]|\\.?)*(?:"|$)/gs;
// RFC 9110 section 12.4.2.
const WEIGHT = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

/**
 * Whether an `Accept` header (RFC 9110 section 12.5.1) names the problem type with a weight above 0.
 * A wildcard does not name it: a client must ask for this shape. Members of the list that are
 * malformed are passed over.
 */
export function asksForProblem(accept: string | undefined): boolean {
  if (accept === undefined) return false;
  // Only strings can hold a comma or a semicolon that separates nothing.
  const ranges = accept.replace(QUOTED_STRING, '""').toLowerCase().split(',');
  return ranges.some((range) => {
    const [type, ...parameters] = range.split(';').map((part) => part.trim());
    return type === PROBLEM_TYPE && weightOf(parameters) > 0;
  });
}

function weightOf(parameters: readonly string[]): number {
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
  return WEIGHT.test(weight) ? Number(weight) : 0;
}

/** A failure as RFC 9457 tells it, with the entries of the envelope beside its own members. */
export const ProblemSchema = Type.Object({
  type: Type.Literal('about:blank'),
  title: Type.String(),
  status: Type.Integer(),
  detail: Type.String(),
  instance: Type.String(),
  errors: Type.Array(ErrorEntrySchema),
});

export type Problem = Static<typeof ProblemSchema>;

/** @param requestId the UUID that the access log has too */
export function problem(status: number, entries: ErrorEntry[], requestId: string): Problem {
  // RFC 9457 section 4.2.1: with about:blank, the title is the status in words.
  const title = STATUS_CODES[status] ?? 'Error';
  return {
    type: 'about:blank',
    title,
    status,
    detail: entries[0]?.message ?? title,
    instance: `urn:uuid:${requestId}`,
    errors: entries,
  };
}
