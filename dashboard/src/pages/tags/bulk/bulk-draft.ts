import type { TagMap, TagPatch } from '../../../api/resource-tags.ts';
import { labels } from '../labels.ts';
import { patched } from '../resource/tag-changes.ts';
import { type RowFaults, isLongValue } from '../resource/tag-draft.ts';
import { keyFault, valueFault } from '../resource/tag-rules.ts';

/** Whether other tags stay, or go. */
export type BulkMode = 'merge' | 'replace';

/** What is to be done with one key. */
export interface BulkRow {
  id: number;
  deed: 'set' | 'remove';
  key: string;
  value: string;
  isLong: boolean;
}

/** What is to be done with many resources, as it is being written. */
export interface BulkDraft {
  mode: BulkMode;
  rows: readonly BulkRow[];
}

/** The same, ready to be done. */
export interface BulkEdit {
  mode: BulkMode;
  /** What is set, and with null what goes. */
  tags: TagPatch;
}

/** How many keys can be changed at once. */
export const MOST_ROWS = 50;

let nextId = 1;

/** A row for another key. */
export function newBulkRow(deed: BulkRow['deed'] = 'set'): BulkRow {
  return { id: nextId++, deed, key: '', value: '', isLong: false };
}

/** A row with something of it written anew. */
export function writtenRow(row: BulkRow, change: Partial<BulkRow>): BulkRow {
  const next = { ...row, ...change };
  return { ...next, isLong: row.isLong || isLongValue(next.value) };
}

/** The rows that count: whoever replaces all tags removes none by name. */
export function countingRows({ mode, rows }: BulkDraft): readonly BulkRow[] {
  return rows.filter(({ deed, key, value }) =>
    mode === 'replace' ? deed === 'set' && (key !== '' || value !== '') : true,
  );
}

/** What is wrong with which row. */
export function bulkFaults(draft: BulkDraft): Map<number, RowFaults> {
  const faults = new Map<number, RowFaults>();
  const seen = new Set<string>();
  for (const { id, deed, key: text, value: given } of countingRows(draft)) {
    const isTwice = seen.has(text);
    seen.add(text);
    const key = keyFault(text) ?? (isTwice ? labels.duplicateKey : undefined);
    const value = deed === 'set' ? valueFault(given) : undefined;
    if (key === undefined && value === undefined) continue;
    faults.set(id, { ...(key !== undefined && { key }), ...(value !== undefined && { value }) });
  }
  return faults;
}

/** What a draft without faults comes to. */
export function editOf(draft: BulkDraft): BulkEdit {
  const entries = countingRows(draft).map(
    ({ deed, key, value }) => [key, deed === 'set' ? value : null] as const,
  );
  return { mode: draft.mode, tags: Object.fromEntries(entries) };
}

/** The tags of a resource afterwards. */
export function editedTags(before: TagMap, { mode, tags }: BulkEdit): TagMap {
  return patched(mode === 'merge' ? before : new Map(), tags);
}

/** The patch that makes an edit of a resource with these tags. */
export function patchFor(before: TagMap, { mode, tags }: BulkEdit): TagPatch {
  if (mode === 'merge') return tags;
  const gone = [...before.keys()].map((key) => [key, null] as const);
  // The later of two entries counts.
  return Object.fromEntries([...gone, ...Object.entries(tags)]);
}
