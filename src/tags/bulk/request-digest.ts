import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { canonicalObject } from '../tag-set/canonical-object.ts';
import { inSizedChunks } from '../event-loop-turns.ts';
import { type Tags, tagMapOf } from '../tag-set/tag-set.ts';
import type { BulkInput } from './bulk-schemas.ts';
import { MAX_SIZE_PER_TURN, operationSize } from './operation-size.ts';

/**
 * Stands for the body of a bulk request where requests are compared: the same for the same body,
 * whatever the order of its fields. Made in parts, as putting a large body in order takes some 20 ms.
 */
export async function digestOf({ operations = [], ...rest }: BulkInput): Promise<string> {
  const hash = createHash('sha256');
  for await (const parts of inSizedChunks(
    [rest, ...operations],
    operationSize,
    MAX_SIZE_PER_TURN,
  )) {
    for (const part of parts) hash.update(`${canonicalPart(part)}\n`);
  }
  return hash.digest('base64url');
}

/** The tags apart from all else: they may be many. */
function canonicalPart(part: unknown): string {
  if (typeof part !== 'object' || part === null) return JSON.stringify(part);
  const { tags, ...rest } = part as { tags?: unknown };
  const canonical = canonicalize(rest) ?? '';
  if (typeof tags !== 'object' || tags === null) return `${canonical} ${JSON.stringify(tags)}`;
  return `${canonical} ${canonicalObject(tagMapOf(tags as Tags))}`;
}
