import { BLOCK_PLACES, BitBlock, blockOf } from '../src/lib/bit-block.ts';
import { foldCase } from '../src/tags/store/fold.ts';
import {
  EVERY_RESOURCE,
  type Term,
  keyTerm,
  typeTerm,
  valueTerm,
} from '../src/tags/store/tag-terms.ts';
import { valueKeyOf } from '../src/tags/store/value-key.ts';
import { etagOf } from '../src/tags/tag-set/etag.ts';
import { type BenchResource, createResources } from './tag-data.ts';

/** A table and its columns with their types on PostgreSQL. */
export interface Table {
  name: string;
  columns: Readonly<Record<string, string>>;
}

export type Row = readonly (string | number | Uint8Array | null)[];

/** Rows of one table, to be written before the next ones. */
export interface TableRows {
  table: Table;
  rows: Row[];
}

export interface TablesPlan {
  accountId: string;
  resources: number;
  /** When all of them were tagged. */
  nowMs: number;
}

const taggedResources: Table = {
  name: 'tagged_resources',
  columns: {
    account_id: 'text',
    seq: 'bigint',
    resource_type: 'text',
    resource_id: 'text',
    name: 'text',
    name_folded: 'text',
    etag: 'text',
    tags_updated_at: 'bigint',
    tags: 'text',
  },
};

const tagChanges: Table = {
  name: 'tag_changes',
  columns: {
    account_id: 'text',
    position: 'bigint',
    resource_type: 'text',
    resource_id: 'text',
    name: 'text',
    etag: 'text',
    patch: 'text',
    changed_at: 'bigint',
  },
};

const tagPostings: Table = {
  name: 'tag_postings',
  columns: { account_id: 'text', term: 'text', block: 'bigint', places: 'bytea' },
};

const tagHeads: Table = {
  name: 'tag_heads',
  columns: {
    account_id: 'text',
    last_seq: 'bigint',
    last_position: 'bigint',
    purged_position: 'bigint',
  },
};

const tagKeys: Table = {
  name: 'tag_keys',
  columns: {
    account_id: 'text',
    key: 'text',
    resource_type: 'text',
    key_folded: 'text',
    resource_count: 'bigint',
  },
};

const tagValues: Table = {
  name: 'tag_values',
  columns: {
    account_id: 'text',
    key: 'text',
    value_key: 'text',
    resource_type: 'text',
    value: 'text',
    key_folded: 'text',
    value_folded: 'text',
    resource_count: 'bigint',
  },
};

const taggedTypes: Table = {
  name: 'tagged_types',
  columns: { account_id: 'text', resource_type: 'text', resource_count: 'bigint' },
};

/** Every table of tags. */
export const tagTables: readonly Table[] = [
  taggedResources,
  tagChanges,
  tagPostings,
  tagHeads,
  tagKeys,
  tagValues,
  taggedTypes,
];

/**
 * What the tables of Latchkey hold after each resource was tagged once, in order: the same as
 * `applyWrites` leaves behind, from the same definitions, without reading what is there already.
 */
export function* createTableRows(plan: TablesPlan): Generator<TableRows> {
  const { accountId } = plan;
  const counts = new Counts(accountId);
  let block = new BlockRows(plan, 0);
  let seq = 0;
  for (const resource of createResources(plan.resources)) {
    seq++;
    if (blockOf(seq) !== block.number) {
      yield* block.rows();
      block = new BlockRows(plan, blockOf(seq));
    }
    block.add(seq, resource);
    counts.add(resource);
  }
  yield* block.rows();
  yield* counts.rows();
  yield { table: tagHeads, rows: [[accountId, seq, seq, 0]] };
}

/** The resources of one block, their changes and the sets that they are in. */
class BlockRows {
  readonly number: number;
  readonly #plan: TablesPlan;
  readonly #resources: Row[] = [];
  readonly #changes: Row[] = [];
  readonly #sets = new Map<Term, number[]>();

  constructor(plan: TablesPlan, number: number) {
    this.#plan = plan;
    this.number = number;
  }

  add(seq: number, { type, id, name, tags }: BenchResource): void {
    const { accountId, nowMs } = this.#plan;
    const canonical = JSON.stringify(tags);
    const etag = etagOf(canonical);
    this.#resources.push([accountId, seq, type, id, name, foldCase(name), etag, nowMs, canonical]);
    this.#changes.push([accountId, seq, type, id, name, etag, canonical, nowMs]);
    const place = seq % BLOCK_PLACES;
    for (const [key, value] of Object.entries(tags)) {
      this.#addPlace(keyTerm(key), place);
      this.#addPlace(valueTerm(key, valueKeyOf(value)), place);
    }
    this.#addPlace(typeTerm(type), place);
    this.#addPlace(EVERY_RESOURCE, place);
  }

  #addPlace(term: Term, place: number): void {
    const places = this.#sets.get(term);
    if (places === undefined) this.#sets.set(term, [place]);
    else places.push(place);
  }

  *rows(): Generator<TableRows> {
    const { accountId } = this.#plan;
    const postings: Row[] = [];
    for (const [term, places] of this.#sets) {
      const set = new BitBlock();
      for (const place of places) set.add(place);
      const stored = set.toStored();
      if (stored !== undefined) postings.push([accountId, term, this.number, stored]);
    }
    yield { table: taggedResources, rows: this.#resources };
    yield { table: tagPostings, rows: postings };
    yield { table: tagChanges, rows: this.#changes };
  }
}

interface ValueCount {
  key: string;
  value: string;
  byType: Map<string, number>;
}

class Counts {
  readonly #accountId: string;
  readonly #types = new Map<string, number>();
  readonly #keys = new Map<string, Map<string, number>>();
  readonly #values = new Map<string, ValueCount>();

  constructor(accountId: string) {
    this.#accountId = accountId;
  }

  add({ type, tags }: BenchResource): void {
    addOne(this.#types, type);
    for (const [key, value] of Object.entries(tags)) {
      let ofKey = this.#keys.get(key);
      if (ofKey === undefined) this.#keys.set(key, (ofKey = new Map()));
      addOne(ofKey, type);
      const tag = `${key}=${value}`;
      let ofValue = this.#values.get(tag);
      if (ofValue === undefined) {
        this.#values.set(tag, (ofValue = { key, value, byType: new Map() }));
      }
      addOne(ofValue.byType, type);
    }
  }

  *rows(): Generator<TableRows> {
    const accountId = this.#accountId;
    const types = [...this.#types].map(([type, count]) => [accountId, type, count]);
    const keys = [...this.#keys].flatMap(([key, byType]) =>
      [...byType].map(([type, count]) => [accountId, key, type, foldCase(key), count]),
    );
    const values = [...this.#values.values()].flatMap(({ key, value, byType }) => {
      const folded = [foldCase(key), valueKeyOf(foldCase(value))];
      return [...byType].map(([type, count]) => [
        accountId,
        key,
        valueKeyOf(value),
        type,
        value,
        ...folded,
        count,
      ]);
    });
    yield { table: taggedTypes, rows: types };
    yield { table: tagKeys, rows: keys };
    yield { table: tagValues, rows: values };
  }
}

function addOne(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
