import { CompiledQuery, type Insertable } from 'kysely';
import type { Db, Transaction } from '../../../storage/schema.ts';

// Both databases allow at least 32,766 parameters in a statement; more rows make it no faster.
const ROWS_PER_STATEMENT = 50;

/** Builds the statement that inserts so many rows, whatever is in them. */
export type BuildInsert = (db: Db, rows: number) => { compile(): CompiledQuery };

/**
 * The insertion of rows into one table. Its statements are built once each: rows come by the thousand,
 * and building a statement costs more than running it.
 */
export class RowInsert {
  readonly #build: BuildInsert;
  readonly #statements = new Map<number, string>();

  constructor(build: BuildInsert) {
    this.#build = build;
  }

  /**
   * @param rows the values of each, in the order of the columns
   * @returns how many were written
   */
  async run(tx: Transaction, rows: readonly (readonly unknown[])[]): Promise<number> {
    let written = 0n;
    for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT) {
      const some = rows.slice(start, start + ROWS_PER_STATEMENT);
      const statement = CompiledQuery.raw(this.#statementFor(tx, some.length), some.flat());
      const { numAffectedRows } = await tx.executeQuery(statement);
      written += numAffectedRows ?? 0n;
    }
    return Number(written);
  }

  #statementFor(db: Db, rows: number): string {
    const known = this.#statements.get(rows);
    if (known !== undefined) return known;
    const { sql } = this.#build(db, rows).compile();
    this.#statements.set(rows, sql);
    return sql;
  }
}

/** So many rows with these columns: only their names count when a statement is built. */
export function placeholders<Table>(rows: number, columns: readonly string[]): Insertable<Table>[] {
  const row = Object.fromEntries(columns.map((column) => [column, '']));
  return Array.from({ length: rows }, () => row as Insertable<Table>);
}
