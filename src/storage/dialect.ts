import type { Kysely, RawBuilder } from 'kysely';
import type { Schema, Transaction } from './schema.ts';
import type { StorageTrouble } from './storage-trouble.ts';

/** What the migrations need to know of the database they run on. */
export interface DialectTraits {
  readonly name: 'sqlite' | 'postgres';
  /** Column type of text that compares and sorts by its bytes, whatever the server's locale. */
  readonly text: RawBuilder<unknown>;
  /** Appended to CREATE TABLE: stores the rows in primary-key order where the database can. */
  readonly clustered: RawBuilder<unknown>;
}

/** One open database, as the two dialect files hand it to database.ts. */
export interface Dialect {
  readonly traits: DialectTraits;
  /** Serves reads outside a transaction. */
  readonly reader: Kysely<Schema>;
  /** The connection, or the pool of them, that transactions run on. */
  readonly writer: Kysely<Schema>;
  /** Runs one transaction; when it resolves, the work is on disk. */
  transact<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** Whether the transaction lost a race: it is undone, and running it again may succeed. */
  isConflict(error: unknown): boolean;
  /** Whether the connection broke: what was under way is undone, unless it was the commit itself. */
  isConnectionLost(error: unknown): boolean;
  /**
   * What an error says about the database itself: it could not be reached, did not answer in time or
   * refused to work. Undefined when the statement is at fault.
   */
  troubleOf(error: unknown): StorageTrouble | undefined;
  /** Whether a unique constraint or a primary key refused the row. */
  isUniqueViolation(error: unknown): boolean;
  /** Embedded: whether the file is gone, or another one has its name. */
  isReplaced(): boolean;
  /** Embedded: an error about the file as one line for an operator. Any other error as it is. */
  nameFile(error: unknown): unknown;
  close(): Promise<void>;
}
