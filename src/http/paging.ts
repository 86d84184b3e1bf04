import { type Static, Type } from 'typebox';
import { type CursorPosition, decodeCursor, encodeCursor } from '../lib/cursors.ts';
import { apiError, httpErrors } from './errors.ts';
import type { Reply } from './route.ts';

const DEFAULT_PER_PAGE = 20;

/** Query parameters of page paging. */
export function pageQuery(maxPerPage: number) {
  return {
    page: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1, description: 'Counts from 1' }),
    ),
    per_page: Type.Optional(
      Type.Integer({ minimum: 1, maximum: maxPerPage, default: DEFAULT_PER_PAGE }),
    ),
  };
}

export interface PageRequest {
  page: number;
  perPage: number;
  /** Rows before the page. */
  offset: number;
}

/** Applies the defaults of page paging. */
export function readPage(query: { page?: number; per_page?: number }): PageRequest {
  const page = query.page ?? 1;
  const perPage = query.per_page ?? DEFAULT_PER_PAGE;
  return { page, perPage, offset: (page - 1) * perPage };
}

/** One page of a list; a page past the end is an empty array, which is where clients stop. */
export function pageReply<T>(items: T[], request: PageRequest, totalCount: number): Reply<T[]> {
  return {
    result: items,
    resultInfo: {
      page: request.page,
      per_page: request.perPage,
      count: items.length,
      total_count: totalCount,
      total_pages: Math.ceil(totalCount / request.perPage),
    },
  };
}

const MAX_CURSOR_LENGTH = 8_192;

export const CursorParameter = Type.Optional(
  Type.String({
    maxLength: MAX_CURSOR_LENGTH,
    description:
      '`cursors.after` of the previous page; opaque, and valid only for the same list and filters',
  }),
);

export type CursorQuery = { cursor?: Static<typeof CursorParameter> };

/**
 * The position after which the page starts, or undefined for the first page.
 * @param filter everything that selects and orders the list
 * @throws ApiError 6010 when the cursor is damaged or was made for another filter
 */
export function readCursor(query: CursorQuery, filter: unknown): CursorPosition | undefined {
  // An empty cursor asks for the first page: some clients send the parameter always.
  if (query.cursor === undefined || query.cursor === '') return undefined;
  const position = decodeCursor(query.cursor, filter);
  if (position === undefined) {
    throw apiError(httpErrors.invalidParameter, {
      message: 'Invalid request parameter: cursor belongs to a different list',
      pointer: 'cursor',
    });
  }
  return position;
}

/** One page of a list with keyset paging. */
export interface CursorPage<T> {
  items: T[];
  /** The position after which the next page starts; undefined on the last one. */
  next: CursorPosition | undefined;
}

/**
 * Cuts the page out of what was fetched for it.
 * @param fetched begins with the page; what follows, one item at least, tells that there is a next one
 * @param limit how many items the page holds at most
 * @param positionOf the sort key of an item
 */
export function cutPage<T>(
  fetched: readonly T[],
  limit: number,
  positionOf: (item: T) => CursorPosition,
): CursorPage<T> {
  const items = fetched.slice(0, limit);
  const last = items.at(-1);
  const hasMore = fetched.length > limit && last !== undefined;
  return { items, next: hasMore ? positionOf(last) : undefined };
}

/**
 * The answer with one page of a list with keyset paging. Both spellings of the cursor are there,
 * because clients read either; both are absent on the last page.
 * @param filter what {@link readCursor} was given
 */
export function cursorReply<T>({ items, next }: CursorPage<T>, filter: unknown): Reply<T[]> {
  if (next === undefined) return { result: items, resultInfo: { count: items.length } };
  const cursor = encodeCursor(next, filter);
  return {
    result: items,
    resultInfo: { count: items.length, cursor, cursors: { after: cursor } },
  };
}
