import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { TObject } from 'typebox';
import { ifMatchHolds } from './entity-tags.ts';
import { ApiError, type ErrorDefinition, errorEntry, httpErrors } from './errors.ts';

/** The members of a record that clients can read and change. */
export interface RecordShape {
  /** Members that requests can change. The ETag covers them. */
  readonly changeable: readonly string[];
  /** Members that PUT and PATCH accept only with the stored value. */
  readonly fixed: readonly string[];
  /** Members that the server maintains, such as times and counters. PUT and PATCH ignore them. */
  readonly maintained: readonly string[];
}

/**
 * Describes a record by its schemas.
 * @param result as responses show the record
 * @param change as requests change it
 * @param maintained members that the server maintains
 * @param formerly members that other products show, and that have no value here
 */
export function describeRecord<Result extends TObject>(
  result: Result,
  change: TObject,
  maintained: readonly (keyof Result['properties'] & string)[],
  formerly: readonly string[] = [],
): RecordShape {
  const shown = Object.keys(result.properties);
  const changeable = shown.filter((name) => Object.hasOwn(change.properties, name));
  const fixed = shown.filter(
    (name) => !changeable.includes(name) && !(maintained as readonly string[]).includes(name),
  );
  return { changeable, fixed: [...fixed, ...formerly], maintained };
}

const DIGEST_BYTES = 16;

/**
 * Returns the ETag of a record, with quotes. It changes with each member that requests can change, and with nothing
 * else, so that the use of a record does not invalidate it.
 */
export function recordEtag({ changeable }: RecordShape, record: object): string {
  const members = record as Record<string, unknown>;
  const covered = changeable.map((name) => members[name] ?? null);
  const digest = hash('sha256', JSON.stringify(covered, inOrder), 'buffer');
  return `"${digest.toString('base64url', 0, DIGEST_BYTES)}"`;
}

/** For JSON.stringify: the order of members depends on their way through the database. */
function inOrder(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** The members of a request that change nothing, see {@link takeReadOnly}. */
export type ReadOnlyMembers = Readonly<Record<string, unknown>>;

const NONE: ReadOnlyMembers = {};

/**
 * Removes the members that requests cannot change from a body, so that clients can send back what they have read.
 * @returns the removed members, except those that the server maintains
 */
export function takeReadOnly({ fixed, maintained }: RecordShape, body: unknown): ReadOnlyMembers {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return NONE;
  const members = body as Record<string, unknown>;
  for (const name of maintained) delete members[name];
  const given = fixed.filter((name) => Object.hasOwn(members, name));
  if (given.length === 0) return NONE;
  const taken = Object.fromEntries(given.map((name) => [name, members[name]]));
  for (const name of given) delete members[name];
  return taken;
}

/**
 * Checks a request against the stored record, in the transaction that changes it.
 * @param ifMatch the header of the request
 * @param given as {@link takeReadOnly} returned them
 * @throws ApiError 412 (6016) with the record if `If-Match` does not list its ETag, or 400 if a read-only member has
 *   another value
 */
export function checkRecord(
  shape: RecordShape,
  { ifMatch, given }: { ifMatch: string | undefined; given: ReadOnlyMembers },
  record: object,
  invalid: ErrorDefinition | undefined,
): void {
  const etag = recordEtag(shape, record);
  if (!ifMatchHolds(ifMatch, etag.slice(1, -1))) {
    throw new ApiError(
      httpErrors.preconditionFailed.status,
      [errorEntry(httpErrors.preconditionFailed)],
      { headers: { etag }, result: record },
    );
  }
  const stored = record as Record<string, unknown>;
  const faults = Object.keys(given).filter((name) => !agrees(given[name], stored[name]));
  if (faults.length === 0 || invalid === undefined) return;
  const entries = faults.map((name) =>
    errorEntry(invalid, {
      message: `${invalid.message}: ${name} is read-only and must equal the stored value`,
      pointer: `/${name}`,
    }),
  );
  throw new ApiError(invalid.status, entries);
}

/** Returns true if a value is the stored one, or an object or list that contains a part of it. */
function agrees(given: unknown, stored: unknown): boolean {
  if (given === undefined || given === null || given === '') return !stored || given === stored;
  if (Array.isArray(given) && Array.isArray(stored)) {
    return (
      given.length === stored.length && given.every((item, index) => agrees(item, stored[index]))
    );
  }
  if (typeof given !== 'object' || typeof stored !== 'object' || stored === null) {
    return isDeepStrictEqual(given, stored);
  }
  return Object.entries(given).every(([name, value]) =>
    agrees(
      value,
      Object.hasOwn(stored, name) ? (stored as Record<string, unknown>)[name] : undefined,
    ),
  );
}
