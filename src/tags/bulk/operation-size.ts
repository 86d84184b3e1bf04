/** Operations and tags that are gone over in one go: a few milliseconds. */
export const MAX_SIZE_PER_TURN = 1_000;

/** An operation takes about as long as so many tags, beside its own. */
const SIZE_OF_OPERATION = 10;

/** How long it takes to go over an operation, in tags. It may be anything that was sent as one. */
export function operationSize(operation: unknown): number {
  if (typeof operation !== 'object' || operation === null) return SIZE_OF_OPERATION;
  const { tags } = operation as { tags?: unknown };
  const tagCount = typeof tags === 'object' && tags !== null ? Object.keys(tags).length : 0;
  return SIZE_OF_OPERATION + tagCount;
}
