import type { ListedResource } from '../../../api/tags.ts';

/** How often each type, key and value is among some resources. */
export interface FoundCounts {
  type: (type: string) => number;
  key: (key: string) => number;
  value: (key: string, value: string) => number;
}

/** Counts all of these at once. */
export function countFound(resources: readonly ListedResource[]): FoundCounts {
  const counts = new Map<string, number>();
  const add = (name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1);
  for (const { type, tags } of resources) {
    add(nameOf(type));
    for (const [key, value] of Object.entries(tags)) {
      add(nameOf('', key));
      add(nameOf('', key, value));
    }
  }
  const of = (name: string): number => counts.get(name) ?? 0;
  return {
    type: (type) => of(nameOf(type)),
    key: (key) => of(nameOf('', key)),
    value: (key, value) => of(nameOf('', key, value)),
  };
}

// None of them has a NUL.
function nameOf(...parts: string[]): string {
  return parts.join('\0');
}
