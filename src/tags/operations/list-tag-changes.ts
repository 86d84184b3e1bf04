import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Static, Type } from 'typebox';
import { apiError } from '../../http/errors.ts';
import { CursorParameter, cursorReply } from '../../http/paging.ts';
import { deniedGateways } from '../../iam/principal.ts';
import { AccountParams, defineRoute } from '../../iam/route.ts';
import { formatTime } from '../../lib/clock.ts';
import { cursorEncoder } from '../../lib/cursors.ts';
import type { Db } from '../../storage/schema.ts';
import { readPlaceCursor } from '../query/tag-cursors.ts';
import {
  type ChangeFilter,
  type FeedEnds,
  type StoredChange,
  changeSizes,
  findChanges,
  readFeedEnds,
} from '../store/tag-feed.ts';
import { tagErrors } from '../tag-errors.ts';
import { checkResourceType } from '../tag-limits.ts';
import { TAGS_SECTION, TypesParameter } from '../tag-schemas.ts';
import type { TagOperationServices } from '../tag-services.ts';
import { EMPTY_ETAG } from '../tag-set/etag.ts';
import { inChunks } from '../event-loop-turns.ts';

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1_000;
/** Of one page. Patches and names may be large: the page then ends early, with a cursor. */
const MAX_PAGE_BYTES = 1024 * 1024;
/** Going over so many changes takes the embedded database less than 1 ms. */
const CHANGES_PER_STATEMENT = 2_000;
/** A page for which so many changes were gone over ends when it has something. */
const MAX_CHANGES_PASSED = 20_000;
/** To present so many takes 1 ms, or 4 ms when the page is as large as it may be. */
const CHANGES_PER_TURN = 250;

const ListQuery = Type.Object(
  {
    cursor: CursorParameter,
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT })),
    start: Type.Optional(
      Type.Literal('now', {
        description:
          'Without a cursor: start with the changes after this request instead of the ' +
          'oldest stored change',
      }),
    ),
    type: TypesParameter,
  },
  { additionalProperties: false },
);

const ChangeSchema = Type.Object({
  resource_type: Type.String(),
  resource_id: Type.String(),
  name: Type.String(),
  etag: Type.String({ description: 'The ETag of all tags of the resource after the change' }),
  tags: Type.Unsafe<Readonly<Record<string, string | null>>>({
    type: 'object',
    additionalProperties: { type: ['string', 'null'] },
    description: 'New values of the changed tags (RFC 7396); null: deleted',
  }),
  deleted: Type.Boolean({ description: 'The resource no longer has tags' }),
  changed_at: Type.String(),
  request_id: Type.Optional(Type.String({ description: 'Id of the request that made the change' })),
  cursor: Type.String({ description: 'Cursor of the position after this change' }),
});

export const listTagChangesRoute = ({ database, resourceTypes }: TagOperationServices) =>
  defineRoute({
    method: 'GET',
    path: '/accounts/:account_id/tags/changes',
    operationId: 'list-tag-changes',
    section: TAGS_SECTION,
    summary: 'List changes of tags',
    description:
      'Returns changes in chronological order, the oldest first. A client that continues at ' +
      '`result_info.resume_cursor` of the last page sees every change exactly once.',
    access: 'tags.read',
    params: AccountParams,
    query: ListQuery,
    result: Type.Array(ChangeSchema),
    paging: 'cursor',
    resultInfo: {
      resume_cursor: Type.String({
        description: 'Cursor of the next changes, also on the last page',
      }),
    },
    errors: [tagErrors.invalidResourceType, tagErrors.changesGone],
    async handler({ principal, params, query }) {
      const accountId = params.account_id;
      const types = [...new Set(query.type)].toSorted();
      for (const type of types) checkResourceType(type, resourceTypes);
      const cursorFilter = { list: 'tag-changes', accountId, types };
      // Not part of the cursor: it stays valid when they change.
      const hiddenGateways = deniedGateways(principal, 'tags.read', accountId);
      const { changes, next, resumeAt } = await readPage(database.read, accountId, {
        filter: { types, hiddenGateways },
        after: startOf(query, cursorFilter),
        limit: query.limit ?? DEFAULT_LIMIT,
      });
      const cursorAt = cursorEncoder(cursorFilter);
      const items: Static<typeof ChangeSchema>[] = [];
      for await (const some of inChunks(changes, CHANGES_PER_TURN)) {
        items.push(...some.map((change) => presentChange(change, cursorAt([change.position]))));
      }
      const reply = cursorReply({ items, next }, cursorFilter);
      const resumeCursor = cursorAt([resumeAt]);
      return { ...reply, resultInfo: { ...reply.resultInfo, resume_cursor: resumeCursor } };
    },
  });

/** Where a page starts: after a position that an earlier page has told, or at an end of the list. */
type Start = number | 'oldest' | 'now';

function startOf(query: Static<typeof ListQuery>, cursorFilter: unknown): Start {
  // An empty cursor asks for the first page, as on every list.
  if (query.cursor === undefined || query.cursor === '') return query.start ?? 'oldest';
  return readPlaceCursor(query, cursorFilter);
}

interface PageRequest {
  filter: ChangeFilter;
  after: Start;
  limit: number;
}

interface Page {
  changes: StoredChange[];
  /** Where the next page starts; undefined on the last one. */
  next: [number] | undefined;
  /** Every change up to here is on this page or an earlier one. */
  resumeAt: number;
}

/** @throws ApiError 1017 */
async function readPage(db: Db, accountId: string, request: PageRequest): Promise<Page> {
  for (;;) {
    const ends = await readFeedEnds(db, accountId);
    const after = positionOf(request.after, ends);
    const page = await readAfter(db, accountId, request, { after, until: ends.lastPosition });
    const { purgedPosition } = await readFeedEnds(db, accountId);
    // Else some of the page may have been deleted while it was read: there is another beginning now.
    if (purgedPosition <= after) return page;
  }
}

function positionOf(start: Start, { purgedPosition, lastPosition }: FeedEnds): number {
  if (start === 'oldest') return purgedPosition;
  if (start === 'now') return lastPosition;
  // Nor does the list reach as far as the cursor after the database was restored from a backup.
  if (start >= purgedPosition && start <= lastPosition) return start;
  throw apiError(tagErrors.changesGone, {
    pointer: 'cursor',
    headers: { 'x-should-retry': 'false' },
  });
}

/** One page of a range of positions, which is stable: all of it is committed. */
async function readAfter(
  db: Db,
  accountId: string,
  { filter, limit }: PageRequest,
  range: { after: number; until: number },
): Promise<Page> {
  const { sizes, passed } = await findSizes(db, accountId, filter, range, limit);
  const fitting = countFitting(sizes.slice(0, limit));
  const last = sizes[fitting - 1];
  if (last === undefined) return { changes: [], next: undefined, resumeAt: passed };
  const resumeAt = fitting < sizes.length ? last.position : passed;
  const read = { after: range.after, until: last.position };
  const changes = await findChanges(db, accountId, filter, read);
  return { changes, next: resumeAt < range.until ? [resumeAt] : undefined, resumeAt };
}

/**
 * The first changes of a range that are wanted, one more than the page holds; fewer when there are, or
 * when it took long to find them. Others get their turn meanwhile.
 * @returns also up to where all of them are found
 */
async function findSizes(
  db: Db,
  accountId: string,
  filter: ChangeFilter,
  { after, until }: { after: number; until: number },
  limit: number,
): Promise<{ sizes: { position: number; bytes: number }[]; passed: number }> {
  const sizes: { position: number; bytes: number }[] = [];
  let passed = after;
  while (passed < until) {
    if (passed > after) await nextTurn();
    const part = { after: passed, until: Math.min(passed + CHANGES_PER_STATEMENT, until) };
    const wanted = limit + 1 - sizes.length;
    sizes.push(...(await changeSizes(db, accountId, filter, part, wanted)));
    passed = part.until;
    if (sizes.length > limit) break;
    if (sizes.length > 0 && passed - after >= MAX_CHANGES_PASSED) break;
  }
  return { sizes, passed };
}

/** How many of these changes, from the first on, fit into one answer; at least one. */
function countFitting(sizes: readonly { bytes: number }[]): number {
  let total = 0;
  for (const [index, { bytes }] of sizes.entries()) {
    total += bytes;
    if (index > 0 && total > MAX_PAGE_BYTES) return index;
  }
  return sizes.length;
}

function presentChange(change: StoredChange, cursor: string): Static<typeof ChangeSchema> {
  return {
    resource_type: change.type,
    resource_id: change.id,
    name: change.name,
    etag: change.etag,
    tags: JSON.parse(change.patch) as Record<string, string | null>,
    deleted: change.etag === EMPTY_ETAG,
    changed_at: formatTime(change.changedAtMs),
    ...(change.requestId === undefined ? {} : { request_id: change.requestId }),
    cursor,
  };
}
