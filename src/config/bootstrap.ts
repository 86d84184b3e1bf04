import { setTimeout as delay } from 'node:timers/promises';
import { createFirstAccount, hasAccounts } from '../iam/accounts/create-first-account.ts';
import { PasswordHasher } from '../iam/users/password.ts';
import type { Clock } from '../lib/clock.ts';
import { randomBase62 } from '../lib/base62.ts';
import { createId } from '../lib/ids.ts';
import { createSecret } from '../lib/secrets.ts';
import type { Database } from '../storage/database.ts';
import type { ReportTrouble } from '../storage/invalidation.ts';
import { acquireLease, releaseLease } from '../storage/leases.ts';

/** What the settings preset of the first account; what is missing is made up. */
export interface BootstrapSettings {
  accountId: string | undefined;
  token: string | undefined;
  email: string | undefined;
  password: string | undefined;
}

/** What was made up at the first start and must be shown to the operator, once. */
export interface FirstStart {
  accountId: string;
  email: string;
  /** Undefined when preset: whoever preset it knows it. */
  password: string | undefined;
  token: string | undefined;
}

const LEASE = 'bootstrap';
const LEASE_MS = 30_000;
const WAIT_MS = 100;
const DEFAULT_EMAIL = 'admin@localhost';
const PASSWORD_LENGTH = 20; // 119 bits

/**
 * Sets up an empty installation. Nodes that start together on one database agree by a lease on which
 * of them does it; the others wait until it is done.
 * @returns what to show the operator, or undefined when there was nothing to set up
 */
export async function bootstrap(
  database: Database,
  clock: Clock,
  settings: BootstrapSettings,
  report: ReportTrouble,
  passwords = new PasswordHasher(),
): Promise<FirstStart | undefined> {
  const holder = createId();
  while (!(await hasAccounts(database))) {
    if (!(await acquireLease(database, clock, LEASE, holder, LEASE_MS))) {
      await delay(WAIT_MS);
      continue;
    }
    try {
      // Another node may have finished between the look and the lease.
      if (await hasAccounts(database)) return undefined;
      return await createFirst(database, clock, settings, passwords);
    } finally {
      // What was made up would be lost with an error here; and the lease ends by itself.
      await releaseLease(database, LEASE, holder).catch((error: unknown) => {
        report(error as Error, 'failed to release the lease on the first start');
      });
    }
  }
  return undefined;
}

async function createFirst(
  database: Database,
  clock: Clock,
  settings: BootstrapSettings,
  passwords: PasswordHasher,
): Promise<FirstStart> {
  const accountId = settings.accountId ?? createId();
  const email = settings.email ?? DEFAULT_EMAIL;
  const password = settings.password ?? randomBase62(PASSWORD_LENGTH);
  const token = settings.token ?? createSecret('lkat_');
  await createFirstAccount(database, clock, {
    accountId,
    accountName: 'First account',
    email,
    passwordHash: await passwords.hash(password, { ip: '127.0.0.1', isKnown: true }),
    token,
  });
  return {
    accountId,
    email,
    password: settings.password === undefined ? password : undefined,
    token: settings.token === undefined ? token : undefined,
  };
}
