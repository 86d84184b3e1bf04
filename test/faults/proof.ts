/** What a long proof is given: `npm run faults -- NAME --option=value`. */
export interface ProofContext {
  /** An empty directory on a real disk; it is removed at the end. */
  directory: string;
  /** A PostgreSQL server without the name of a database, with `LATCHKEY_TEST_POSTGRES_URL` set to it. */
  postgresUrl: string;
  /** A whole number that was asked for, such as `--rounds=100`. */
  readonly count: (name: string, byDefault: number) => number;
  /** A word that was asked for, such as `--database=postgres`. */
  readonly word: (name: string, byDefault: string) => string;
  /** Tells whoever waits how far it has come. */
  readonly progress: (line: string) => void;
}

/**
 * Proves one line of what the product promises, at full length. The short form of each is a test.
 * @returns what was seen, as Markdown
 * @throws when the promise was broken
 */
export type Proof = (context: ProofContext) => Promise<string>;
