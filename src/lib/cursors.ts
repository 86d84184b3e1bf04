import { createHash } from 'node:crypto';

const BINDING_BYTES = 9;

/** The position after which the next page starts: the sort key of the last item served. */
export type CursorPosition = (string | number)[];

function bindingOf(filter: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(filter))
    .digest()
    .toString('base64url', 0, BINDING_BYTES);
}

/**
 * An opaque cursor for keyset paging, bound to the filter of the list it was made for.
 * @param filter everything that selects and orders the list, as plain JSON
 */
export function encodeCursor(position: CursorPosition, filter: unknown): string {
  return cursorEncoder(filter)(position);
}

/** The same for many cursors of one list. */
export function cursorEncoder(filter: unknown): (position: CursorPosition) => string {
  const binding = bindingOf(filter);
  return (position) => Buffer.from(JSON.stringify([binding, ...position])).toString('base64url');
}

/**
 * Reads a cursor back.
 * @returns the position, or undefined when the cursor is damaged or was made for another filter
 */
export function decodeCursor(cursor: string, filter: unknown): CursorPosition | undefined {
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return undefined;
  }
  if (!Array.isArray(parts) || parts.length < 2 || parts[0] !== bindingOf(filter)) return undefined;
  const position: unknown[] = parts.slice(1);
  const isPosition = position.every(
    (part): part is string | number =>
      typeof part === 'string' || (typeof part === 'number' && Number.isFinite(part)),
  );
  return isPosition ? position : undefined;
}
