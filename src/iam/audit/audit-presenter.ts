import { type Static, Type } from 'typebox';
import { formatTime } from '../../lib/clock.ts';
import type { AuditRow } from './audit-chain.ts';

const Text = Type.Optional(Type.String());

/** One row of the audit log. What does not apply to it is absent. */
export const AuditLogSchema = Type.Object({
  id: Type.String(),
  account: Type.Optional(
    Type.Object({
      id: Type.String(),
      name: Type.Optional(Type.String({ description: 'Email address at the time of the action' })),
    }),
  ),
  action: Type.Object({
    type: Type.String({ description: '`create`, `update`, `delete`, `view` or another verb' }),
    result: Type.Enum(['success', 'failure']),
    time: Type.String(),
    description: Type.String(),
  }),
  actor: Type.Object({
    id: Text,
    email: Text,
    type: Type.String({
      description: '`user`, `account_token`, `user_token`, `oauth` or `system`',
    }),
    ip_address: Text,
    token_id: Text,
    token_name: Text,
    context: Type.String({ description: '`api_token`, `dash`, `oauth` or `system`' }),
  }),
  raw: Type.Object({
    request_id: Type.Optional(Type.String({ description: 'Request id, as in `x-request-id`' })),
    cf_ray_id: Type.Optional(Type.String({ description: 'Alias that some clients expect' })),
    method: Text,
    uri: Type.Optional(Type.String({ description: 'Path without the query' })),
    status_code: Type.Optional(Type.Integer()),
    user_agent: Text,
  }),
  resource: Type.Object({
    id: Text,
    type: Type.String(),
    product: Type.String(),
    scope: Type.Enum(['accounts', 'user']),
    request: Type.Optional(Type.Unknown({ description: 'Request body without secrets' })),
    response: Type.Optional(Type.Unknown({ description: 'Result without secrets' })),
  }),
});

/** A row of the audit log as the API shows it. */
export function presentAuditRow(row: AuditRow): Static<typeof AuditLogSchema> {
  const scope = row.resource_scope === 'accounts' ? 'accounts' : 'user';
  const account = { id: row.chain_id, ...present({ name: row.account_name }) };
  return {
    id: row.id,
    ...(scope === 'accounts' ? { account } : {}),
    action: {
      type: row.action_type,
      result: row.action_result === 'success' ? 'success' : 'failure',
      time: formatTime(row.created_at),
      description: row.action_description,
    },
    actor: {
      type: row.actor_type,
      context: row.actor_context,
      ...present({
        id: row.actor_id,
        email: row.actor_email,
        ip_address: row.actor_ip_address,
        token_id: row.actor_token_id,
        token_name: row.actor_token_name,
      }),
    },
    raw: present({
      request_id: row.request_id,
      cf_ray_id: row.request_id,
      method: row.request_method,
      uri: row.request_uri,
      status_code: row.request_status_code,
      user_agent: row.request_user_agent,
    }),
    resource: {
      type: row.resource_type,
      product: row.resource_product,
      scope,
      ...present({ id: row.resource_id }),
      ...present({
        request: parsed(row.resource_request),
        response: parsed(row.resource_response),
      }),
    },
  };
}

function parsed(json: string | null): unknown {
  return json === null ? null : (JSON.parse(json) as unknown);
}

/** The fields that there are. */
function present<T extends object>(fields: T): { [K in keyof T]?: NonNullable<T[K]> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== null);
  return Object.fromEntries(entries) as { [K in keyof T]?: NonNullable<T[K]> };
}
