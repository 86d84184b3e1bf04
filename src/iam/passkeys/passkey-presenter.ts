import { showMembers } from '../audit/audit-view.ts';
import type { Static } from 'typebox';
import { formatTime } from '../../lib/clock.ts';
import type { AuditedChange } from '../changes.ts';
import type { PasskeySchema } from './passkey-schemas.ts';
import type { Passkey } from './passkey-store.ts';

/** A passkey as the API shows it. */
export function presentPasskey(passkey: Passkey): Static<typeof PasskeySchema> {
  return {
    id: passkey.id,
    name: passkey.name,
    created_on: formatTime(passkey.createdAtMs),
    ...(passkey.lastUsedAtMs === undefined
      ? {}
      : { last_used_on: formatTime(passkey.lastUsedAtMs) }),
    transports: passkey.transports,
  };
}

const PASSKEY_VIEW = showMembers('id', 'name', 'created_on', 'last_used_on', 'transports');

/** A change of a passkey, for the audit log of its owner. */
export function passkeyChange(passkey: Passkey, type: string, description: string): AuditedChange {
  return {
    chain: { userId: passkey.userId },
    type,
    description,
    resource: { type: 'passkey', id: passkey.id, product: 'two_factor' },
    // What the browser sends is long, and means nothing to a reader.
    request: { name: passkey.name },
    shows: { request: PASSKEY_VIEW, response: PASSKEY_VIEW },
  };
}
