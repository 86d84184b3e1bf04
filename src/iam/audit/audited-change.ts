import type { AuditedChange } from '../changes.ts';
import type { AuditResource } from './audit-entry.ts';
import type { AuditView } from './audit-view.ts';

/**
 * Creates the presenter of changes to one type of resource, for the audit log of its account.
 * @param view the members of requests and results that the log shows
 */
export function auditedChangeOf(resource: Omit<AuditResource, 'id'>, view: AuditView) {
  return (
    { accountId, id }: { accountId: string; id: string },
    type: string,
    description: string,
  ): AuditedChange => ({
    chain: { accountId },
    type,
    description,
    resource: { ...resource, id },
    shows: { request: view, response: view },
  });
}
