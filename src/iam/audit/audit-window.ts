import { type TSchema, Type } from 'typebox';
import { apiError, httpErrors } from '../../http/errors.ts';
import { parseRfc3339 } from '../../lib/rfc3339.ts';

const FORMAT = 'RFC 3339 date-time, or a date such as `2024-10-30`, which means midnight UTC';

/** Query parameters of the period of a list. */
export const SinceParameter = Type.String({
  description: `Start of the period, inclusive. ${FORMAT}`,
});
export const BeforeParameter = Type.String({
  description: `End of the period, exclusive. ${FORMAT}`,
});

/** Query parameter of the sort order. */
export const DirectionParameter = Type.Optional(
  Type.Enum(['asc', 'desc'], {
    description: 'Sort order; `desc` is newest first',
    default: 'desc',
  }),
) satisfies TSchema;

/** Returns the error 6010 of a query parameter. */
export function invalidParameter(name: string, reason: string): Error {
  return apiError(httpErrors.invalidParameter, {
    message: `${httpErrors.invalidParameter.message}: ${name} ${reason}`,
    pointer: name,
  });
}

/**
 * Parses the period of a list.
 * @returns the period in milliseconds since the Unix epoch
 * @throws ApiError 6010 if a value is not a date-time or a date, or if the period ends before it starts
 */
export function readWindow(query: { since: string; before: string }): {
  sinceMs: number;
  beforeMs: number;
} {
  const sinceMs = readMoment('since', query.since);
  const beforeMs = readMoment('before', query.before);
  if (beforeMs < sinceMs) throw invalidParameter('before', 'must be later than since');
  return { sinceMs, beforeMs };
}

/**
 * Parses a date-time or a date.
 * @param name query parameter, for the error
 * @returns milliseconds since the Unix epoch
 * @throws ApiError 6010
 */
export function readMoment(name: string, text: string): number {
  const timeMs = parseRfc3339(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text);
  if (timeMs === undefined) throw invalidParameter(name, 'must be an RFC 3339 date-time or a date');
  return timeMs;
}
