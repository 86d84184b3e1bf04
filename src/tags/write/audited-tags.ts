import { showMembers } from '../../iam/audit/audit-view.ts';
import type { AuditedChange } from '../../iam/changes.ts';

const TAGS_VIEW = showMembers(
  'op',
  'resource_type',
  'resource_id',
  'name',
  'tags',
  'worker_id',
  'zone_id',
  'access_application_id',
);

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
    shows: { request: TAGS_VIEW },
  };
}

// The log keeps what people set by hand; of larger sets it says how large they were.
const MAX_AUDITED_TAGS = 100;

/** The body of a request as the audit log keeps it. */
export function auditedBody(body: { tags: object }, tagCount: number): unknown {
  return tagCount <= MAX_AUDITED_TAGS ? body : { ...body, tags: { omitted_tags: tagCount } };
}
