import type { ListedResource } from '../../../api/tags.ts';
import { csvOf } from '../../../lib/csv.ts';

/** Resources as JSON, as the API tells them. */
export function resourcesJson(resources: readonly ListedResource[]): string {
  return JSON.stringify(resources, null, 2);
}

// Above that a table has more columns than a spreadsheet can show well.
const MOST_COLUMNS = 200;

/**
 * Resources as CSV, with a column for each key; when there are very many keys, with one column
 * that has all tags as JSON.
 */
export function resourcesCsv(resources: readonly ListedResource[]): string {
  const keys = [...new Set(resources.flatMap(({ tags }) => Object.keys(tags)))].toSorted();
  const isWide = keys.length > MOST_COLUMNS;
  const heads = isWide ? ['tags'] : keys.map((key) => `tag:${key}`);
  const rows = resources.map(({ type, id, name, tags, tags_updated_at: updatedAt }) => [
    type,
    id,
    name,
    updatedAt,
    ...(isWide ? [JSON.stringify(tags)] : keys.map((key) => valueOf(tags, key))),
  ]);
  return csvOf([['type', 'id', 'name', 'tags_updated_at', ...heads], ...rows]);
}

// Every object has a `constructor`, and it is a key like any other.
function valueOf(tags: ListedResource['tags'], key: string): string {
  return Object.hasOwn(tags, key) ? (tags[key] ?? '') : '';
}
