import { apiError, httpErrors } from '../../http/errors.ts';
import { type CursorQuery, readCursor } from '../../http/paging.ts';

// The longest position is a value key, some 250 UTF-16 units; or a key, 512.
const MAX_POSITION_UNITS = 1_024;

/**
 * The place in the list of resources after which the page starts; 0, which is before all of them,
 * for the first page.
 * @throws ApiError 6010
 */
export function readPlaceCursor(query: CursorQuery, filter: unknown): number {
  const position = readCursor(query, filter);
  if (position === undefined) return 0;
  const [place] = position;
  // A cursor can be made up: from far before the first place the way to it would have no end.
  if (typeof place !== 'number' || !Number.isSafeInteger(place) || place < 0) throw damagedCursor();
  return place;
}

/**
 * The key, or value key, after which the page starts; undefined for the first page.
 * @throws ApiError 6010
 */
export function readTextCursor(query: CursorQuery, filter: unknown): string | undefined {
  const position = readCursor(query, filter);
  if (position === undefined) return undefined;
  const [text] = position;
  // A cursor can be made up: what reaches the database must be text that it can compare.
  if (
    typeof text !== 'string' ||
    text.length > MAX_POSITION_UNITS ||
    text.includes('\0') ||
    !text.isWellFormed()
  ) {
    throw damagedCursor();
  }
  return text;
}

function damagedCursor(): Error {
  return apiError(httpErrors.invalidParameter, {
    message: 'Invalid request parameter: cursor is malformed',
    pointer: 'cursor',
  });
}
