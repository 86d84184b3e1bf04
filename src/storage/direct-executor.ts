import {
  type AbortableQueryOptions,
  type CompiledQuery,
  type ConnectionProvider,
  type DatabaseConnection,
  DefaultQueryExecutor,
  type DialectAdapter,
  type QueryCompiler,
  type QueryResult,
} from 'kysely';

/** Of the one connection that there is. */
export interface ConnectionParts {
  connection: DatabaseConnection;
  compiler: QueryCompiler;
  adapter: DialectAdapter;
  /** Hands the connection out, to one at a time. */
  provider: ConnectionProvider;
}

/**
 * Runs queries at once, on a connection whose statements are over when the call returns: by whoever has it already, as
 * a transaction does, or where nobody ever keeps it. Kysely hands a connection over for each statement by a dozen
 * promises, which takes longer than most statements.
 */
export class DirectExecutor extends DefaultQueryExecutor {
  readonly #connection: DatabaseConnection;

  constructor({ connection, compiler, adapter, provider }: ConnectionParts) {
    super(compiler, adapter, provider);
    this.#connection = connection;
  }

  override executeQuery<R>(
    query: CompiledQuery,
    options?: AbortableQueryOptions,
  ): Promise<QueryResult<R>> {
    if (options?.signal !== undefined) return super.executeQuery(query, options);
    return this.#connection.executeQuery<R>(query);
  }

  /** It is the same connection, whoever provides it. */
  override withConnectionProvider(): this {
    return this;
  }
}

/** Waits for the connection where there is no transaction, and runs what is in one {@link DirectExecutor directly}. */
export class WaitingExecutor extends DefaultQueryExecutor {
  readonly #parts: ConnectionParts;

  constructor(parts: ConnectionParts) {
    super(parts.compiler, parts.adapter, parts.provider);
    this.#parts = parts;
  }

  override withConnectionProvider(provider: ConnectionProvider): DirectExecutor {
    return new DirectExecutor({ ...this.#parts, provider });
  }
}
