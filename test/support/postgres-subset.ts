import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../..');

/**
 * The folders and files whose tests run on PostgreSQL in every run: storage, stores, contract, concurrency and
 * proofs. Other tests run on PostgreSQL with `npm test -- --databases all`.
 */
const SUBSET: readonly string[] = [
  'test/contract/',
  'test/faults/',
  'test/storage/',
  // Stores.
  'test/gateway/gateway-snapshot.test.ts',
  'test/gateway/log-store.test.ts',
  'test/gateway/log-writer.test.ts',
  'test/gateway/rollups.test.ts',
  'test/iam/last-used.test.ts',
  'test/oauth/token-bound.test.ts',
  'test/oauth/token-housekeeping.test.ts',
  'test/tags/apply-writes.test.ts',
  'test/tags/tag-model.test.ts',
  // Concurrency.
  'test/gateway/account-limits.test.ts',
  'test/gateway/limits.test.ts',
  'test/gateway/spend-settlement.test.ts',
  'test/iam/audit-transactions.test.ts',
  'test/iam/idempotency.test.ts',
  'test/iam/members-invitations.test.ts',
  'test/iam/token-limit.test.ts',
  'test/oauth/client-limit.test.ts',
  'test/oauth/consent-transaction.test.ts',
  'test/oauth/token-races.test.ts',
  'test/oauth/verification-nodes.test.ts',
  'test/tags/list-while-writing.test.ts',
  'test/tags/shared-writes.test.ts',
  'test/tags/tag-concurrency.test.ts',
  // Failures of the database and commands that work on it.
  'test/cli/bootstrap.test.ts',
  'test/cli/doctor.test.ts',
  'test/cli/serve.test.ts',
  'test/http/health.test.ts',
  'test/oauth/token-trouble.test.ts',
  'test/tags/tag-faults.test.ts',
];

/** Value of the environment variable for all tests on both databases. */
export const ALL_DATABASES = 'all';

/**
 * Finds out if the tests of a file run on PostgreSQL.
 * @param file absolute path
 */
export function runsOnPostgres(file: string): boolean {
  if (process.env.LATCHKEY_TEST_DATABASES === ALL_DATABASES) return true;
  const name = path.relative(ROOT, file).replaceAll(path.sep, '/');
  return SUBSET.some((entry) => (entry.endsWith('/') ? name.startsWith(entry) : name === entry));
}

/** The entries of the subset, for a check that all of them exist. */
export function listSubset(): string[] {
  return SUBSET.map((entry) => path.join(ROOT, entry));
}
