import type { Reply, RequestFacts } from '../../http/route.ts';
import type { CredentialPrincipal } from '../../iam/principal.ts';
import type { Db } from '../../storage/schema.ts';
import type { TagOperationServices } from '../tag-services.ts';
import { announceWrites } from '../write/announce-writes.ts';
import { applyManyWrites, evaluateWrites } from '../write/apply-writes.ts';
import { tagChange } from '../write/audited-tags.ts';
import type { BriefOutcome, TagWrite } from '../write/tag-write.ts';
import { isChange } from './bulk-result.ts';
import type { BulkInput, BulkResult } from './bulk-schemas.ts';
import { digestOf } from './request-digest.ts';

/** A bulk request and who sent it. */
export interface BulkRequest {
  accountId: string;
  principal: CredentialPrincipal;
  request: RequestFacts;
  body: BulkInput;
}

/** One of its writes. */
export interface BulkWrite {
  write: TagWrite;
  /** What the audit log keeps of the request. */
  asked: unknown;
}

/** What a bulk request comes to. */
export interface BulkWork {
  writes: readonly BulkWrite[];
  /** Refuses them before they are made, unless an answer is repeated. */
  check?: (db: Db) => Promise<void>;
  /** Given the outcomes in the order of the writes; may run several times. */
  replyTo: (outcomes: readonly BriefOutcome[]) => Reply<BulkResult>;
}

const DESCRIPTIONS = {
  put: 'Set the tags of a resource',
  patch: 'Changed tags of a resource',
  delete: 'Removed the tags of a resource',
};

/**
 * Makes the writes in one transaction: when the answer comes, all that succeeded are on disk. A dry run
 * works out what they come to and leaves nothing behind, not even under an idempotency key.
 */
export async function carryOut(
  services: TagOperationServices,
  { accountId, principal, request, body }: BulkRequest,
  { writes: bulkWrites, check, replyTo }: BulkWork,
): Promise<Reply<BulkResult>> {
  const writes = bulkWrites.map(({ write }) => write);
  if (body.dry_run === true) {
    await check?.(services.database.read);
    return replyTo(await evaluateWrites(services.database.read, services, accountId, writes));
  }
  const hasKey = request.headers['idempotency-key'] !== undefined;
  const context = { principal, request, body: hasKey ? await digestOf(body) : undefined };
  return services.changes.make(context, async ({ tx, announce, audit, unchanged }) => {
    await check?.(tx);
    const outcomes =
      writes.length > 0 ? await applyManyWrites(tx, services, accountId, writes) : [];
    const changed = bulkWrites.filter((_, index) => isChange(outcomes[index]));
    for (const { write, asked } of changed) {
      const { operation, resource } = write;
      const named = { resource_type: resource.type, resource_id: resource.id };
      const type = operation === 'delete' ? 'delete' : 'update';
      const change = tagChange(accountId, named, type, DESCRIPTIONS[operation]);
      audit({ ...change, request: asked });
    }
    announceWrites(
      changed.map(({ write }) => write),
      announce,
    );
    if (changed.length === 0) unchanged();
    return replyTo(outcomes);
  });
}
