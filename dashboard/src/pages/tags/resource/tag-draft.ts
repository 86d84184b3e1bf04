import type { TagMap } from '../../../api/resource-tags.ts';
import { labels } from '../labels.ts';
import { type TagChange, changesBetween, compareKeys } from './tag-changes.ts';
import { keyFault, valueFault } from './tag-rules.ts';

/** One tag as it is being written. */
export interface DraftRow {
  /** Tells it from the others; it stays. */
  id: number;
  key: string;
  value: string;
  isRemoved: boolean;
  /** Whether several lines are given to its value. */
  isLong: boolean;
  /** The tag that it was made of; undefined for a new one. */
  stored: { key: string; value: string } | undefined;
}

/** What is wrong with a row. */
export interface RowFaults {
  key?: string;
  value?: string;
}

let nextId = 1;

// A field of one line would take the others away.
const LINE_BREAK = /[\n\r]/;
const LONG_CHARACTERS = 120;

/** Whether a value is better written in several lines. */
export function isLongValue(value: string): boolean {
  return value.length > LONG_CHARACTERS || LINE_BREAK.test(value);
}

/** A row for another tag. */
export function newRow(key = '', value = ''): DraftRow {
  const isLong = isLongValue(value);
  return { id: nextId++, key, value, isRemoved: false, isLong, stored: undefined };
}

function storedRow(key: string, value: string): DraftRow {
  return { ...newRow(key, value), stored: { key, value } };
}

/** The rows of what is stored. */
export function draftOf(tags: TagMap): DraftRow[] {
  return [...tags]
    .toSorted(([a], [b]) => compareKeys(a, b))
    .map(([key, value]) => storedRow(key, value));
}

/** Whether nothing was written into a new row: it counts for nothing. */
function isBlank({ key, value, stored }: DraftRow): boolean {
  return stored === undefined && key === '' && value === '';
}

/** Whether a row says something other than what is stored. */
export function isTouched(row: DraftRow): boolean {
  const { key, value, isRemoved, stored } = row;
  if (stored === undefined) return !isBlank(row);
  return isRemoved || key !== stored.key || value !== stored.value;
}

/** The tags that a draft comes to. */
export function wantedTags(rows: readonly DraftRow[]): TagMap {
  const kept = rows.filter((row) => !row.isRemoved && !isBlank(row));
  return new Map(kept.map(({ key, value }) => [key, value]));
}

/** What is wrong with which row. */
export function faultsOf(rows: readonly DraftRow[]): Map<number, RowFaults> {
  const faults = new Map<number, RowFaults>();
  const seen = new Set<string>();
  for (const row of rows) {
    if (row.isRemoved || isBlank(row)) continue;
    const isTwice = seen.has(row.key);
    seen.add(row.key);
    const key = keyFault(row.key) ?? (isTwice ? labels.duplicateKey : undefined);
    const value = valueFault(row.value);
    if (key === undefined && value === undefined) continue;
    faults.set(row.id, {
      ...(key !== undefined && { key }),
      ...(value !== undefined && { value }),
    });
  }
  return faults;
}

/** A tag that somebody else has changed while it was changed here, too. */
export interface Clash extends TagChange {
  /** What was written here; undefined: it was taken away. */
  mine: string | undefined;
}

/** What somebody else has changed meanwhile. */
export interface Meanwhile {
  /** Changes that go together with what was written here. */
  taken: TagChange[];
  clashes: Clash[];
}

/**
 * Puts a draft onto tags that have changed since it was begun. What was not touched here follows them; what was
 * touched stays as it was written.
 */
export function rebase(
  rows: readonly DraftRow[],
  base: TagMap,
  theirs: TagMap,
): { rows: DraftRow[]; meanwhile: Meanwhile } {
  const wanted = wantedTags(rows);
  const changes = changesBetween(base, theirs);
  const mineOf = ({ key }: TagChange): string | undefined => wanted.get(key);
  const clashes = changes
    .filter((change) => mineOf(change) !== change.before && mineOf(change) !== change.after)
    .map((change) => ({ ...change, mine: mineOf(change) }));
  const moved = rows.flatMap((row) => movedRow(row, theirs));
  const covered = new Set(moved.flatMap(({ key, stored }) => [key, stored?.key ?? key]));
  const added = [...theirs]
    .filter(([key]) => !covered.has(key))
    .map(([key, value]) => storedRow(key, value));
  return {
    rows: [...moved, ...added],
    // What both have changed alike is no news.
    meanwhile: { taken: changes.filter((change) => mineOf(change) === change.before), clashes },
  };
}

function movedRow(row: DraftRow, theirs: TagMap): DraftRow[] {
  const storedKey = row.stored?.key ?? row.key;
  const value = theirs.get(storedKey);
  if (value !== undefined) {
    const stored = { key: storedKey, value };
    return [
      isTouched(row) ? { ...row, stored } : { ...row, value, stored, isLong: isLongValue(value) },
    ];
  }
  if (row.stored === undefined) return [row];
  // They have taken it away: what was written here makes it again.
  return isTouched(row) && !row.isRemoved ? [{ ...row, stored: undefined }] : [];
}

/** The rows with one tag as it is told; undefined takes it away. */
export function withTag(
  rows: readonly DraftRow[],
  key: string,
  value: string | undefined,
): DraftRow[] {
  const row = rows.find((other) => (other.stored?.key ?? other.key) === key);
  if (row === undefined) return value === undefined ? [...rows] : [...rows, newRow(key, value)];
  if (value === undefined && row.stored === undefined)
    return rows.filter(({ id }) => id !== row.id);
  const next =
    value === undefined
      ? { ...row, isRemoved: true }
      : { ...row, key, value, isRemoved: false, isLong: isLongValue(value) };
  return rows.map((other) => (other.id === row.id ? next : other));
}
