import type { BodyEdit } from './body-members.ts';
import { COLON, OPENING_BRACKET, readString, runWalk, skipSpace, walkJson } from './json-walk.ts';
import { parseObject, type JsonObject } from './json-fields.ts';

/** The extent of an item in a list. */
export interface ListItem {
  readonly start: number;
  readonly end: number;
  readonly isRemoved: boolean;
}

/** Longer keys are not relevant. */
const MAX_KEY_BYTES = 64;
/** Parsing a longer item would block the event loop. It stays as it is. */
const MAX_ITEM_BYTES = 1024 * 1024;

// Depths of the brackets in `{"messages": [{…}]}`.
const BODY = 1;
const LIST = 2;
const ITEM = 3;

/**
 * Returns the edits that change or remove objects of a list. All other bytes of the body stay as they are.
 * @param body a JSON object
 * @param list the member that contains the list
 * @param change returns the new item, the same one to keep it, or undefined to remove it
 */
export function itemEdits(
  body: Buffer,
  list: string,
  change: (item: JsonObject) => JsonObject | undefined,
): Promise<BodyEdit[]> {
  return runWalk(walkItems(body, list, change));
}

function* walkItems(
  body: Buffer,
  list: string,
  change: (item: JsonObject) => JsonObject | undefined,
): Generator<void, BodyEdit[]> {
  const edits: BodyEdit[] = [];
  let items: ListItem[] = [];
  let key: string | undefined;
  let depth = 0;
  let isInList = false;
  let itemStart = 0;
  yield* walkJson(body, {
    open(position, byte) {
      depth += 1;
      if (depth === LIST) isInList = byte === OPENING_BRACKET && key === list;
      if (depth === ITEM) itemStart = position;
    },
    close(end) {
      depth -= 1;
      if (!isInList) return;
      if (depth === BODY) {
        // A body may contain the list twice: no removal reaches from one to the other.
        edits.push(...removalEdits(items));
        items = [];
        isInList = false;
      }
      if (depth !== LIST) return;
      const item = { start: itemStart, end };
      const text = end - itemStart > MAX_ITEM_BYTES ? '' : body.toString('utf8', itemStart, end);
      const value = parseObject(text);
      const changed = value && change(value);
      items.push({ ...item, isRemoved: value !== undefined && changed === undefined });
      if (changed !== value && changed !== undefined)
        edits.push({ ...item, text: JSON.stringify(changed) });
    },
    takeString(start, end) {
      if (depth === BODY && body[skipSpace(body, end)] === COLON)
        key = readString(body, start, end, MAX_KEY_BYTES);
    },
  });
  return edits.toSorted((one, other) => one.start - other.start);
}

/**
 * Returns the edits that remove items together with the commas after them; the last ones with those before. A list
 * does not lose its last item.
 */
export function removalEdits(items: readonly ListItem[]): BodyEdit[] {
  const lastKept = items.findLastIndex(({ isRemoved }) => !isRemoved);
  const kept = items[lastKept];
  if (kept === undefined) return [];
  const edits: BodyEdit[] = [];
  for (const [index, { start, isRemoved }] of items.entries()) {
    const next = items[index + 1];
    if (!isRemoved || next === undefined || index > lastKept) continue;
    edits.push({ start, end: next.start, text: '' });
  }
  const last = items.at(-1);
  if (last !== undefined && last !== kept) {
    edits.push({ start: kept.end, end: last.end, text: '' });
  }
  return edits;
}
