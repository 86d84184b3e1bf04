import type { Compilable, CompiledQuery, QueryExecutor, QueryResult } from 'kysely';
import type { Db, Transaction } from './schema.ts';

/** Stands for a parameter while the query is built; what it is typed as is not what it is. */
class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** Builds a statement with placeholders, which stand for values of SQL and may not be looked at. */
type Build<Parameters, Row> = (db: Db, placeholders: Parameters) => Compilable<Row>;

/**
 * A query that is built and compiled once for each database, and then only run: for those that a request cannot
 * do without. Kysely otherwise makes the same tree and the same text each time, which takes longer than SQLite
 * takes to find a row.
 * @returns runs it with values for the placeholders
 */
export function prepareQuery<Parameters extends Record<string, unknown>, Row>(
  build: Build<Parameters, Row>,
): (db: Db, parameters: Parameters) => Promise<Row[]> {
  const run = prepare(build);
  return async (db, parameters) => (await run(db, parameters)).rows;
}

/**
 * The same for a statement that changes rows.
 * @returns runs it, and answers how many rows it has changed
 */
export function prepareChange<Parameters extends Record<string, unknown>>(
  build: Build<Parameters, unknown>,
): (tx: Transaction, parameters: Parameters) => Promise<bigint> {
  const run = prepare(build);
  return async (tx, parameters) => (await run(tx, parameters)).numAffectedRows ?? 0n;
}

function prepare<Parameters extends Record<string, unknown>, Row>(
  build: Build<Parameters, Row>,
): (db: Db, parameters: Parameters) => Promise<QueryResult<Row>> {
  const placeholders = new Proxy({} as Parameters, {
    get: (_target, name) => new Placeholder(String(name)),
  });
  // A transaction compiles as the database does that it belongs to, by the same adapter.
  const compiled = new WeakMap<QueryExecutor['adapter'], CompiledQuery<Row>>();
  return (db, parameters) => {
    const { adapter } = db.getExecutor();
    let query = compiled.get(adapter);
    if (query === undefined) {
      query = build(db, placeholders).compile();
      compiled.set(adapter, query);
    }
    const values = query.parameters.map((value) =>
      value instanceof Placeholder ? parameters[value.name] : value,
    );
    return db.executeQuery<Row>({ ...query, parameters: values });
  };
}
