import type { Access } from '../../../api/accounts.ts';
import type { TagSearch } from './tag-search.ts';
import type { TagQuery } from '../../../lib/tag-query.ts';

/** What the parts of the tag explorer share: what is asked for, and how another thing is asked for. */
export interface Explorer {
  access: Access;
  search: TagSearch;
  query: TagQuery;
  /** Leads to another query; in the place of this one, when it is no step to come back to. */
  onQuery: (query: TagQuery, isInPlace?: boolean) => void;
}
