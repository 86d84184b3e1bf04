import type { AuditedChange } from '../changes.ts';
import type { AuditResource } from './audit-entry.ts';

/** Makes what the log of an account tells of changes of one kind of thing in it. */
export function auditedChangeOf(resource: Omit<AuditResource, 'id'>) {
  return (
    { accountId, id }: { accountId: string; id: string },
    type: string,
    description: string,
  ): AuditedChange => ({
    chain: { accountId },
    type,
    description,
    resource: { ...resource, id },
  });
}
