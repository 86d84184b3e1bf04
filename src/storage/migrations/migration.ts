import type { DialectTraits } from '../dialect.ts';
import type { Transaction } from '../schema.ts';

export interface Migration {
  /** Recorded in the database: never change it once released. */
  readonly name: string;
  up(tx: Transaction, traits: DialectTraits): Promise<void>;
}
