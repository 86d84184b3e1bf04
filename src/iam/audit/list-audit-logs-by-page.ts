import { type Static, Type } from 'typebox';
import { pageQuery, readPage } from '../../http/paging.ts';
import type { Reply } from '../../http/route.ts';
import { formatTime } from '../../lib/clock.ts';
import type { Db } from '../../storage/schema.ts';
import type { IamServices } from '../iam-services.ts';
import { AccountParams, defineRoute, defineSessionRoute } from '../route.ts';
import type { AuditRow } from './audit-chain.ts';
import type { AuditCondition } from './audit-filter.ts';
import { listAuditRowsFrom } from './audit-query.ts';
import {
  BeforeParameter,
  DirectionParameter,
  SinceParameter,
  invalidParameter,
  readMoment,
} from './audit-window.ts';

const MAX_PER_PAGE = 100;
// Each page walks past all rows before it.
const MAX_ROWS = 10_000;

const Filter = Type.Optional(Type.String({ maxLength: 320 }));

const ListQuery = Type.Object(
  {
    ...pageQuery(MAX_PER_PAGE),
    id: Filter,
    'action.type': Filter,
    'actor.email': Filter,
    'actor.ip': Type.Optional(Type.String({ maxLength: 64, description: 'Exact address' })),
    since: Type.Optional(SinceParameter),
    before: Type.Optional(BeforeParameter),
    direction: DirectionParameter,
    hide_user_logs: Type.Optional(
      Type.Boolean({
        description: 'No effect: an account never lists the activities of users outside of it',
      }),
    ),
    'zone.name': Type.Optional(
      Type.String({ maxLength: 253, description: 'No entry has a zone, so that none matches' }),
    ),
  },
  { additionalProperties: false },
);

const EntrySchema = Type.Object({
  id: Type.String(),
  action: Type.Object({ type: Type.String(), result: Type.Boolean() }),
  actor: Type.Object({
    id: Type.Optional(Type.String()),
    email: Type.Optional(Type.String()),
    ip: Type.Optional(Type.String()),
    type: Type.Enum(['user', 'admin', 'Cloudflare'], {
      description: '`user` for people and tokens, `admin` for the operator and the server itself',
    }),
  }),
  interface: Type.String({ description: '`API` or `UI`' }),
  metadata: Type.Object({ description: Type.String() }),
  newValue: Type.String({ description: 'Always empty: see `list-audit-logs`' }),
  oldValue: Type.String({ description: 'Always empty' }),
  owner: Type.Object({ id: Type.String() }),
  resource: Type.Object({ id: Type.Optional(Type.String()), type: Type.String() }),
  when: Type.String(),
});

const DESCRIPTION = `The log in the format of older clients, with numbered pages and the newest ${MAX_ROWS.toLocaleString('en')} matching rows only. \`list-audit-logs\` returns every row, with all members.`;

export const listAuditLogsByPageRoute = ({ database, clock }: IamServices) =>
  defineRoute({
    method: 'GET',
    path: '/accounts/:account_id/audit_logs',
    operationId: 'list-audit-logs-by-page',
    section: 'Audit log',
    summary: 'List the changes of an account in pages',
    description: DESCRIPTION,
    access: 'audit-logs.read',
    params: AccountParams,
    query: ListQuery,
    result: Type.Array(EntrySchema),
    paging: 'uncounted',
    handler: ({ params, query }) => listPage(database.read, params.account_id, query, clock.now()),
  });

/** Entries mention passwords and second factors, so that a token cannot read them. */
export const listUserAuditLogsByPageRoute = ({ database, clock }: IamServices) =>
  defineSessionRoute({
    method: 'GET',
    path: '/user/audit_logs',
    operationId: 'list-user-audit-logs-by-page',
    section: 'Audit log',
    summary: 'List your own activity in pages',
    description: DESCRIPTION,
    access: 'session',
    query: ListQuery,
    result: Type.Array(EntrySchema),
    paging: 'uncounted',
    handler: ({ principal, query }) =>
      listPage(database.read, principal.user.id, query, clock.now()),
  });

async function listPage(
  db: Db,
  chainId: string,
  query: Static<typeof ListQuery>,
  nowMs: number,
): Promise<Reply<Static<typeof EntrySchema>[]>> {
  const { page, perPage, offset } = readPage(query);
  if (offset + perPage > MAX_ROWS) {
    throw invalidParameter(
      'page',
      `must be at most ${Math.trunc(MAX_ROWS / perPage)}; use logs/audit instead`,
    );
  }
  const rows = await listAuditRowsFrom(
    db,
    {
      chainId,
      sinceMs: query.since === undefined ? 0 : readMoment('since', query.since),
      // Clocks of several nodes may differ a little.
      beforeMs: query.before === undefined ? nowMs + 60_000 : readMoment('before', query.before),
      direction: query.direction ?? 'desc',
      conditions: conditionsOf(query),
    },
    offset,
    perPage,
  );
  const result = rows.map((row) => present(row, chainId));
  return { result, resultInfo: { page, per_page: perPage, count: result.length } };
}

function conditionsOf(query: Static<typeof ListQuery>): AuditCondition[] {
  const filters: [keyof AuditRow | null, string | undefined][] = [
    ['id', query.id],
    ['action_type', query['action.type']],
    ['actor_email', query['actor.email']],
    ['actor_ip_address', query['actor.ip']],
    [null, query['zone.name']],
  ];
  return filters.flatMap(([column, value]) =>
    value === undefined ? [] : [{ column, values: [value], isNegated: false }],
  );
}

function present(row: AuditRow, chainId: string): Static<typeof EntrySchema> {
  const { actor_id: id, actor_email: email, actor_ip_address: ip, resource_id: resourceId } = row;
  return {
    id: row.id,
    action: { type: row.action_type, result: row.action_result === 'success' },
    actor: {
      ...(id === null ? {} : { id }),
      ...(email === null ? {} : { email }),
      ...(ip === null ? {} : { ip }),
      type: row.actor_type === 'system' ? 'admin' : 'user',
    },
    interface: row.actor_context === 'dash' ? 'UI' : 'API',
    metadata: { description: row.action_description },
    newValue: '',
    oldValue: '',
    owner: { id: chainId },
    resource: { ...(resourceId === null ? {} : { id: resourceId }), type: row.resource_type },
    when: formatTime(row.created_at),
  };
}
