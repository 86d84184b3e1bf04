import { type Static, Type } from 'typebox';
import { type CursorQuery, CursorParameter, cursorReply, readCursor } from '../../http/paging.ts';
import type { Reply } from '../../http/route.ts';
import type { Db } from '../../storage/schema.ts';
import type { IamServices } from '../iam-services.ts';
import { AccountParams, defineRoute, defineSessionRoute } from '../route.ts';
import { AuditFilterParameters, parseAuditFilter } from './audit-filter.ts';
import { AuditLogSchema, presentAuditRow } from './audit-presenter.ts';
import { type AuditPlace, type AuditQuery, listAuditRows } from './audit-query.ts';
import {
  BeforeParameter,
  DirectionParameter,
  SinceParameter,
  invalidParameter,
  readWindow,
} from './audit-window.ts';

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1_000;

/** Query parameters of a list of audit log entries, besides its filters. */
export const AuditListParameters = {
  since: SinceParameter,
  before: BeforeParameter,
  direction: DirectionParameter,
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT })),
  cursor: CursorParameter,
};

// An ignored unknown filter would return every entry.
const ListQuery = Type.Object(
  { ...AuditListParameters, ...AuditFilterParameters },
  { additionalProperties: false },
);

const DESCRIPTION =
  'Repeat a filter to match any of several values. A row must match all filters. A filter with the suffix `.not` excludes its values. All filters together have at most 100 values. A page may have fewer rows than the limit; the last page has no cursor. The server rejects a query that searches a million rows without a match: use a shorter period.';

export const listAuditLogsRoute = ({ database }: IamServices) =>
  defineRoute({
    method: 'GET',
    path: '/accounts/:account_id/logs/audit',
    operationId: 'list-audit-logs',
    section: 'Audit log',
    summary: 'List the changes and refused requests of an account',
    description: DESCRIPTION,
    access: 'audit-logs.read',
    params: AccountParams,
    query: ListQuery,
    result: Type.Array(AuditLogSchema),
    paging: 'cursor',
    handler: ({ params, query }) => listFiltered(database.read, params.account_id, query),
  });

/** Entries mention passwords and second factors, so that a token cannot read them. */
export const listUserAuditLogsRoute = ({ database }: IamServices) =>
  defineSessionRoute({
    method: 'GET',
    path: '/user/logs/audit',
    operationId: 'list-user-audit-logs',
    section: 'Audit log',
    summary: 'List your own activity',
    description: DESCRIPTION,
    access: 'session',
    query: ListQuery,
    result: Type.Array(AuditLogSchema),
    paging: 'cursor',
    handler: ({ principal, query }) => listFiltered(database.read, principal.user.id, query),
  });

function listFiltered(db: Db, chainId: string, query: Static<typeof ListQuery>) {
  return replyWithRows(db, query, {
    chainId,
    ...readWindow(query),
    direction: query.direction ?? 'desc',
    conditions: parseAuditFilter(query),
  });
}

/**
 * Returns one page of entries with the cursor of the next one.
 * @throws ApiError 6010 if the cursor belongs to another list, or if a million rows were searched without a match
 */
export async function replyWithRows(
  db: Db,
  query: CursorQuery & { limit?: number },
  selection: AuditQuery,
): Promise<Reply<Static<typeof AuditLogSchema>[]>> {
  const cursorFilter = { list: 'audit-logs', ...selection };
  const after = readAuditCursor(query, cursorFilter);
  const page = await listAuditRows(db, selection, after, query.limit ?? DEFAULT_LIMIT);
  return cursorReply({ items: page.items.map(presentAuditRow), next: page.next }, cursorFilter);
}

function readAuditCursor(query: CursorQuery, filter: unknown): AuditPlace | undefined {
  const position = readCursor(query, filter);
  if (position === undefined) return undefined;
  const [createdAtMs, seq] = position;
  // A client can forge a cursor.
  if (!Number.isSafeInteger(createdAtMs) || !Number.isSafeInteger(seq)) {
    throw invalidParameter('cursor', 'is damaged');
  }
  return { createdAtMs: createdAtMs as number, seq: seq as number };
}
