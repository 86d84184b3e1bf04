import type { AuditedChange } from '../../iam/changes.ts';

/** A change of an OAuth client, for the audit log. */
export function clientChange(
  { accountId, id }: { accountId: string; id: string },
  type: string,
  description: string,
): AuditedChange {
  return {
    chain: { accountId },
    type,
    description,
    resource: { type: 'oauth_client', id, product: 'oauth_clients' },
  };
}
