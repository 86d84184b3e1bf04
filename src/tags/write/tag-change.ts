import type { AuditedChange } from '../../iam/changes.ts';

/** A change of the tags of one resource, for the audit log. */
export function tagChange(
  accountId: string,
  resource: { resource_type: string; resource_id: string },
  type: string,
  description: string,
): AuditedChange {
  return {
    chain: { accountId },
    type,
    description,
    resource: { type: resource.resource_type, id: resource.resource_id, product: 'tags' },
    request: resource,
    response: null,
  };
}
