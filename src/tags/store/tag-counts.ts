import { type RawBuilder, sql } from 'kysely';
import { compareText } from '../../lib/compare-text.ts';
import { RowStatement } from '../../storage/row-statement.ts';
import type { Transaction } from '../../storage/schema.ts';
import { inChunks, pauseIfLarge, sortInTurns } from '../event-loop-turns.ts';
import type { TagChange } from '../tag-set/tag-changes.ts';
import { foldCase } from './fold.ts';
import { valueKeyOf } from './value-key.ts';

interface KeyCount {
  type: string;
  key: string;
  by: number;
}

interface ValueCount extends KeyCount {
  value: string;
}

interface TypeCount {
  type: string;
  by: number;
}

/** By how much changes of tags, of any resources of an account, move the counts. */
export class CountChanges {
  readonly #values = new Map<string, ValueCount>();
  readonly #keys = new Map<string, KeyCount>();
  readonly #types = new Map<string, TypeCount>();

  /** Adds changes of the tags of a resource of that type. */
  addTags(type: string, changes: readonly TagChange[]): void {
    for (const { key, before, after } of changes) {
      if (before !== undefined) this.#addValue(type, key, before, -1);
      if (after !== undefined) this.#addValue(type, key, after, 1);
      if (before === undefined) this.#addKey(type, key, 1);
      if (after === undefined) this.#addKey(type, key, -1);
    }
  }

  /** Adds a resource that was not tagged before (1), or is not any more (-1). */
  addResource(type: string, by: 1 | -1): void {
    const count = this.#types.get(type);
    if (count === undefined) this.#types.set(type, { type, by });
    else count.by += by;
  }

  #addValue(type: string, key: string, value: string, by: number): void {
    // Neither a type nor a key has a NUL. Both forms of a value have one row.
    const name = `${type}\0${key}\0${value.normalize('NFC')}`;
    const count = this.#values.get(name);
    if (count === undefined) this.#values.set(name, { type, key, value, by });
    else count.by += by;
  }

  #addKey(type: string, key: string, by: number): void {
    const name = `${type}\0${key}`;
    const count = this.#keys.get(name);
    if (count === undefined) this.#keys.set(name, { type, key, by });
    else count.by += by;
  }

  values(isLess: boolean): Promise<ValueCount[]> {
    const order = (a: ValueCount, b: ValueCount): number =>
      compareText(a.key, b.key) || compareText(a.value, b.value);
    return moved(this.#values, isLess, order);
  }

  keys(isLess: boolean): Promise<KeyCount[]> {
    return moved(this.#keys, isLess, (a, b) => compareText(a.key, b.key));
  }

  types(isLess: boolean): Promise<TypeCount[]> {
    return moved(this.#types, isLess, (a, b) => compareText(a.type, b.type));
  }
}

/** Those that become less, or more, in the order of their table: each of its pages is then written once. */
async function moved<T extends { by: number }>(
  counts: ReadonlyMap<string, T>,
  isLess: boolean,
  order: (a: T, b: T) => number,
): Promise<T[]> {
  await pauseIfLarge(counts.size);
  const wanted = [...counts.values()].filter(({ by }) => (isLess ? by < 0 : by > 0));
  return sortInTurns(wanted, order);
}

/**
 * Keeps the counts of values, keys and types true; part of the transaction of the changes, which has
 * locked the tags of the account. A row that comes down to 0 goes: only what becomes less is asked for
 * what it came to, since that takes half of the time of writing it.
 */
export async function updateCounts(
  tx: Transaction,
  accountId: string,
  changes: CountChanges,
): Promise<void> {
  for (const isLess of [false, true]) {
    for await (const chunk of inChunks(await changes.values(isLess))) {
      await updateValues(tx, accountId, chunk, isLess);
    }
    for await (const chunk of inChunks(await changes.keys(isLess))) {
      await updateKeys(tx, accountId, chunk, isLess);
    }
    for await (const chunk of inChunks(await changes.types(isLess))) {
      await updateTypes(tx, accountId, chunk, isLess);
    }
  }
}

// Each beginning stands once for counts that grow, and once for those that shrink, which are asked for.

const toValues = (rows: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  insert into tag_values (account_id, key, value_key, resource_type, value, key_folded, value_folded,
    resource_count) values ${rows}
  on conflict (account_id, key, value_key, resource_type)
  do update set resource_count = tag_values.resource_count + excluded.resource_count`;

const toKeys = (rows: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  insert into tag_keys (account_id, key, resource_type, key_folded, resource_count) values ${rows}
  on conflict (account_id, key, resource_type)
  do update set resource_count = tag_keys.resource_count + excluded.resource_count`;

const toTypes = (rows: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  insert into tagged_types (account_id, resource_type, resource_count) values ${rows}
  on conflict (account_id, resource_type)
  do update set resource_count = tagged_types.resource_count + excluded.resource_count`;

const addToValues = new RowStatement(8, toValues);
const addToKeys = new RowStatement(5, toKeys);
const addToTypes = new RowStatement(3, toTypes);

const takeFromValues = new RowStatement<{
  key: string;
  value_key: string;
  resource_type: string;
  resource_count: number;
}>(8, (rows) => sql`${toValues(rows)} returning key, value_key, resource_type, resource_count`);
const takeFromKeys = new RowStatement<{
  key: string;
  resource_type: string;
  resource_count: number;
}>(5, (rows) => sql`${toKeys(rows)} returning key, resource_type, resource_count`);
const takeFromTypes = new RowStatement<{ resource_type: string; resource_count: number }>(
  3,
  (rows) => sql`${toTypes(rows)} returning resource_type, resource_count`,
);

const deleteValues = new RowStatement(
  4,
  (rows) => sql`delete from tag_values
    where (account_id, key, value_key, resource_type) in (values ${rows})`,
);
const deleteKeys = new RowStatement(
  3,
  (rows) => sql`delete from tag_keys where (account_id, key, resource_type) in (values ${rows})`,
);

async function updateValues(
  tx: Transaction,
  accountId: string,
  counts: readonly ValueCount[],
  isLess: boolean,
): Promise<void> {
  const rows = counts.map(({ type, key, value, by }) => {
    const folded = [foldCase(key), valueKeyOf(foldCase(value))];
    return [accountId, key, valueKeyOf(value), type, value, ...folded, by];
  });
  if (!isLess) {
    await addToValues.run(tx, rows);
    return;
  }
  const left = await takeFromValues.run(tx, rows);
  const unused = left.filter((row) => row.resource_count === 0);
  if (unused.length === 0) return;
  const named = unused.map((row) => [accountId, row.key, row.value_key, row.resource_type]);
  await deleteValues.run(tx, named);
}

async function updateKeys(
  tx: Transaction,
  accountId: string,
  counts: readonly KeyCount[],
  isLess: boolean,
): Promise<void> {
  const rows = counts.map(({ type, key, by }) => [accountId, key, type, foldCase(key), by]);
  if (!isLess) {
    await addToKeys.run(tx, rows);
    return;
  }
  const left = await takeFromKeys.run(tx, rows);
  const unused = left.filter((row) => row.resource_count === 0);
  if (unused.length === 0) return;
  await deleteKeys.run(
    tx,
    unused.map((row) => [accountId, row.key, row.resource_type]),
  );
}

async function updateTypes(
  tx: Transaction,
  accountId: string,
  counts: readonly TypeCount[],
  isLess: boolean,
): Promise<void> {
  const rows = counts.map(({ type, by }) => [accountId, type, by]);
  if (!isLess) {
    await addToTypes.run(tx, rows);
    return;
  }
  const left = await takeFromTypes.run(tx, rows);
  const unused = left.filter((row) => row.resource_count === 0).map((row) => row.resource_type);
  if (unused.length === 0) return;
  await tx
    .deleteFrom('tagged_types')
    .where('account_id', '=', accountId)
    .where('resource_type', 'in', unused)
    .execute();
}
