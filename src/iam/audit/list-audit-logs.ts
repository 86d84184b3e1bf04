import { type Static, Type } from 'typebox';
import { apiError, httpErrors } from '../../http/errors.ts';
import { type CursorQuery, CursorParameter, cursorReply, readCursor } from '../../http/paging.ts';
import type { Reply } from '../../http/route.ts';
import { parseRfc3339 } from '../../lib/rfc3339.ts';
import type { Db } from '../../storage/schema.ts';
import type { IamServices } from '../iam-services.ts';
import { AccountParams, defineRoute, defineSessionRoute } from '../route.ts';
import { AuditFilterParameters, parseAuditFilter } from './audit-filter.ts';
import { AuditLogSchema, presentAuditRow } from './audit-presenter.ts';
import { type AuditPlace, type AuditQuery, listAuditRows } from './audit-query.ts';

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1_000;

const TIME_FORMS = 'RFC 3339 date-time, or a date such as `2024-10-30`, which means midnight UTC';

const ListQuery = Type.Object(
  {
    since: Type.String({ description: `Start of the period, inclusive. ${TIME_FORMS}` }),
    before: Type.String({ description: `End of the period, exclusive. ${TIME_FORMS}` }),
    direction: Type.Optional(
      Type.Enum(['asc', 'desc'], {
        description: 'Sort order; `desc` is newest first',
        default: 'desc',
      }),
    ),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT })),
    cursor: CursorParameter,
    ...AuditFilterParameters,
  },
  {
    // A filter that is not known must not pass for one that selects everything.
    additionalProperties: false,
  },
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
    handler: ({ params, query }) => listChain(database.read, params.account_id, query),
  });

/** Tells of passwords and factors, so that a token must not read it. */
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
    handler: ({ principal, query }) => listChain(database.read, principal.user.id, query),
  });

async function listChain(
  db: Db,
  chainId: string,
  query: Static<typeof ListQuery>,
): Promise<Reply<Static<typeof AuditLogSchema>[]>> {
  const wanted: AuditQuery = {
    chainId,
    ...readWindow(query),
    direction: query.direction ?? 'desc',
    conditions: parseAuditFilter(query),
  };
  const cursorFilter = { list: 'audit-logs', ...wanted };
  const after = readAuditCursor(query, cursorFilter);
  const page = await listAuditRows(db, wanted, after, query.limit ?? DEFAULT_LIMIT);
  return cursorReply({ items: page.items.map(presentAuditRow), next: page.next }, cursorFilter);
}

function invalidParameter(name: string, what: string): Error {
  return apiError(httpErrors.invalidParameter, {
    message: `${httpErrors.invalidParameter.message}: ${name} ${what}`,
    pointer: name,
  });
}

function readWindow(query: { since: string; before: string }): {
  sinceMs: number;
  beforeMs: number;
} {
  const sinceMs = readMoment('since', query.since);
  const beforeMs = readMoment('before', query.before);
  if (beforeMs < sinceMs) throw invalidParameter('before', 'must be later than since');
  return { sinceMs, beforeMs };
}

function readMoment(name: string, text: string): number {
  const timeMs = parseRfc3339(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text);
  if (timeMs === undefined) throw invalidParameter(name, 'must be an RFC 3339 date-time or a date');
  return timeMs;
}

function readAuditCursor(query: CursorQuery, filter: unknown): AuditPlace | undefined {
  const position = readCursor(query, filter);
  if (position === undefined) return undefined;
  const [createdAtMs, seq] = position;
  // A cursor can be made up.
  if (!Number.isSafeInteger(createdAtMs) || !Number.isSafeInteger(seq)) {
    throw invalidParameter('cursor', 'is damaged');
  }
  return { createdAtMs: createdAtMs as number, seq: seq as number };
}
