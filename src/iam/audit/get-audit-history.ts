import { Type } from 'typebox';
import { notFound } from '../../http/errors.ts';
import type { IamServices } from '../iam-services.ts';
import { AccountParams, defineRoute } from '../route.ts';
import type { AuditRow } from './audit-chain.ts';
import type { AuditCondition } from './audit-filter.ts';
import { AuditLogSchema } from './audit-presenter.ts';
import { listAuditRows } from './audit-query.ts';
import { readMoment, readWindow } from './audit-window.ts';
import { AuditListParameters, replyWithRows } from './list-audit-logs.ts';

// Clients may state the time of an entry in whole seconds.
const TOLERANCE_MS = 1_000;

export const getAuditHistoryRoute = ({ database }: IamServices) =>
  defineRoute({
    method: 'GET',
    path: '/accounts/:account_id/logs/audit/:entry_id/history',
    operationId: 'get-audit-log-history',
    section: 'Audit log',
    summary: 'List the changes of the resource of an audit log entry',
    description:
      'Finds the entry by its id and time, and lists all entries about the same resource in the period. The list is empty if the entry names no resource.',
    access: 'audit-logs.read',
    params: Type.Object({
      ...AccountParams.properties,
      entry_id: Type.String({ description: 'Id of an audit log entry' }),
    }),
    query: Type.Object(
      {
        action_time: Type.String({
          description: '`action.time` of the entry: an RFC 3339 date-time',
        }),
        ...AuditListParameters,
      },
      { additionalProperties: false },
    ),
    result: Type.Array(AuditLogSchema),
    paging: 'cursor',
    resultInfo: {
      history_status: Type.Enum(['exact', 'unavailable'], {
        description: '`unavailable`: the entry names no resource',
      }),
    },
    async handler({ params, query, request }) {
      const window = readWindow(query);
      const timeMs = readMoment('action_time', query.action_time);
      const found = await listAuditRows(
        database.read,
        {
          chainId: params.account_id,
          sinceMs: timeMs - TOLERANCE_MS,
          beforeMs: timeMs + TOLERANCE_MS + 1,
          direction: 'asc',
          conditions: [equals('id', params.entry_id)],
        },
        undefined,
        1,
      );
      const [entry] = found.items;
      if (entry === undefined) throw notFound(request.path);
      if (entry.resource_id === null) {
        return { result: [], resultInfo: { count: 0, history_status: 'unavailable' } };
      }
      const reply = await replyWithRows(database.read, query, {
        chainId: params.account_id,
        ...window,
        direction: query.direction ?? 'desc',
        conditions: [
          equals('resource_type', entry.resource_type),
          equals('resource_id', entry.resource_id),
        ],
      });
      return { ...reply, resultInfo: { ...reply.resultInfo, history_status: 'exact' } };
    },
  });

function equals(column: keyof AuditRow, value: string): AuditCondition {
  return { column, values: [value], isNegated: false };
}
