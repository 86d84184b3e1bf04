import { useState } from 'react';
import type { ListedResource } from '../../../api/tags.ts';

/** How many resources can be chosen one by one: so many a request changes. */
export const MOST_SELECTED = 1_000;

/** The resources that are ticked, over several pages of one query. */
export interface Selection {
  resources: readonly ListedResource[];
  has: (resource: ListedResource) => boolean;
  /** Ticks all of these, or none. */
  set: (resources: readonly ListedResource[], isWanted: boolean) => void;
  clear: () => void;
}

/** What names a resource among all others. */
export function nameOfResource({ type, id }: { type: string; id: string }): string {
  return `${type}/${id}`;
}

const NOTHING: ReadonlyMap<string, ListedResource> = new Map();

/** @param of what the resources were found by: what is ticked is gone with it */
export function useSelection(of: string): Selection {
  const [stored, setStored] = useState({ of, chosen: NOTHING });
  const chosen = stored.of === of ? stored.chosen : NOTHING;
  return {
    resources: [...chosen.values()],
    has: (resource) => chosen.has(nameOfResource(resource)),
    set(resources, isWanted) {
      const next = new Map(chosen);
      for (const resource of resources) {
        if (!isWanted) next.delete(nameOfResource(resource));
        else if (next.size < MOST_SELECTED) next.set(nameOfResource(resource), resource);
      }
      setStored({ of, chosen: next });
    },
    clear: () => setStored({ of, chosen: NOTHING }),
  };
}
