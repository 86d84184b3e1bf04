import { CompiledQuery, type DialectAdapter, type QueryResult, type RawBuilder, sql } from 'kysely';
import type { Db, Transaction } from './schema.ts';

/** Stands in a statement where a parameter comes. */
export const PARAMETER: RawBuilder<unknown> = sql`${null}`;

/** Both databases allow at least 32,766 parameters in a statement; more rows make it no faster. */
export const ROWS_PER_STATEMENT = 50;

/** Names of columns, as they stand in a statement. */
export function columnList(columns: readonly string[]): RawBuilder<unknown> {
  return sql.join(columns.map((column) => sql.ref(column)));
}

/** Inserts rows with these columns, as far as it goes: what is to be done about conflicts comes after it. */
export function insertInto(
  table: string,
  columns: readonly string[],
  rows: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`insert into ${sql.table(table)} (${columnList(columns)}) values ${rows}`;
}

interface Text {
  text: string;
  parameterCount: number;
}

/**
 * A statement about rows, of which there may be any number: its text is built once for each number and
 * each database, since building one of many rows costs more than running it.
 */
export class RowStatement<Result = never> {
  readonly #row: RawBuilder<unknown>;
  readonly #build: (rows: RawBuilder<unknown>) => RawBuilder<unknown>;
  /** By the number of rows. Databases differ in how they write parameters. */
  readonly #texts = new WeakMap<DialectAdapter, Map<number, Text>>();

  /**
   * @param row how many values a row has, or how they are written, with a {@link PARAMETER} for each
   * @param build puts the rows, divided by commas, into the statement
   */
  constructor(
    row: number | RawBuilder<unknown>,
    build: (rows: RawBuilder<unknown>) => RawBuilder<unknown>,
  ) {
    this.#row = typeof row === 'number' ? sql`(${sql.join(Array(row).fill(PARAMETER))})` : row;
    this.#build = build;
  }

  /**
   * Runs it with all of these rows: bound their number.
   * @param before values of the parameters that stand before those of the rows
   */
  async run(
    db: Db,
    rows: readonly (readonly unknown[])[],
    before: readonly unknown[] = [],
  ): Promise<Result[]> {
    return (await this.#execute(db, rows, before)).rows;
  }

  /** The same with any number of rows, some at a time. */
  async runInParts(tx: Transaction, rows: readonly (readonly unknown[])[]): Promise<Result[]> {
    const results: Result[] = [];
    for (const part of partsOf(rows)) results.push(...(await this.run(tx, part)));
    return results;
  }

  /**
   * Changes any number of rows, some at a time.
   * @returns how many it has changed
   */
  async change(tx: Transaction, rows: readonly (readonly unknown[])[]): Promise<number> {
    let changed = 0n;
    for (const part of partsOf(rows)) {
      const { numAffectedRows = 0n } = await this.#execute(tx, part, []);
      changed += numAffectedRows;
    }
    return Number(changed);
  }

  #execute(
    db: Db,
    rows: readonly (readonly unknown[])[],
    before: readonly unknown[],
  ): Promise<QueryResult<Result>> {
    const parameters = [...before];
    for (const row of rows) parameters.push(...row);
    const { text, parameterCount } = this.#textFor(db, rows.length);
    if (parameters.length !== parameterCount) {
      throw new Error('a statement was given too few values, or too many');
    }
    return db.executeQuery<Result>(CompiledQuery.raw(text, parameters));
  }

  #textFor(db: Db, rows: number): Text {
    const { adapter } = db.getExecutor();
    let texts = this.#texts.get(adapter);
    if (texts === undefined) this.#texts.set(adapter, (texts = new Map<number, Text>()));
    const known = texts.get(rows);
    if (known !== undefined) return known;
    const all = sql.join(Array.from({ length: rows }, () => this.#row));
    const { sql: text, parameters } = this.#build(all).compile(db);
    const built = { text, parameterCount: parameters.length };
    texts.set(rows, built);
    return built;
  }
}

function* partsOf<Row>(rows: readonly Row[]): Generator<readonly Row[]> {
  for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT) {
    yield rows.slice(start, start + ROWS_PER_STATEMENT);
  }
}
