import { setTimeout as delay } from 'node:timers/promises';
import { createFirstAccount, hasAccounts } from '../iam/accounts/create-first-account.ts';
import { PasswordHasher } from '../iam/users/password.ts';
import type { Clock } from '../lib/clock.ts';
import { randomBase62 } from '../lib/base62.ts';
import { createId } from '../lib/ids.ts';
import { createSecret } from '../lib/secrets.ts';
import type { Database } from '../storage/database.ts';
import type { ReportTrouble } from '../storage/invalidation.ts';
import { acquireLease, leaseEnd, releaseLease } from '../storage/leases.ts';

/** The settings of the first account. The server generates missing values. */
export interface BootstrapSettings {
  accountId: string | undefined;
  token: string | undefined;
  email: string | undefined;
  password: string | undefined;
}

/** The first account, with the credentials that the server generated and the operator must save. */
export interface FirstStart {
  accountId: string;
  email: string;
  /** Undefined if it comes from a setting. */
  password: string | undefined;
  token: string | undefined;
}

/** Parts of a start that the setup of an installation needs. */
export interface BootstrapOptions {
  database: Database;
  clock: Clock;
  report: ReportTrouble;
  passwords?: PasswordHasher;
  /**
   * Shows the generated credentials. The server stores them afterwards, so that a failure or a crash cannot
   * lose them.
   */
  show: (firstStart: FirstStart) => Promise<void>;
  /** Receives a log line when the start waits for another node. */
  warn?: (facts: object, message: string) => void;
  /** Ends the wait for another node. */
  signal?: AbortSignal | undefined;
}

const LEASE = 'bootstrap';
const LEASE_MS = 30_000;
const WAIT_MS = 100;
const DEFAULT_EMAIL = 'admin@localhost';
const PASSWORD_LENGTH = 20; // 119 bits

/**
 * Sets up an empty installation. Of several nodes on one PostgreSQL database, one does it under a lease, and
 * the others wait. With SQLite, this process owns the data directory and needs no lease.
 * @returns the first account, or undefined if it existed
 * @throws Error if the credentials cannot be shown; AbortError on the signal
 */
export async function bootstrap(
  settings: BootstrapSettings,
  options: BootstrapOptions,
): Promise<FirstStart | undefined> {
  const { database, clock, report, signal, warn } = options;
  if (await hasAccounts(database)) return undefined;
  if (database.dialect === 'sqlite') return createFirst(settings, options);
  const holder = createId();
  let isWaiting = false;
  while (!(await acquireLease(database, clock, LEASE, holder, LEASE_MS))) {
    if (!isWaiting) {
      const until = new Date((await leaseEnd(database, LEASE)) ?? clock.now()).toISOString();
      warn?.({ until }, 'waiting for another node, which sets up the installation');
    }
    isWaiting = true;
    await delay(WAIT_MS, undefined, signal && { signal });
    if (await hasAccounts(database)) return undefined;
  }
  try {
    // Another node can finish between the first check and the lease.
    return (await hasAccounts(database)) ? undefined : await createFirst(settings, options);
  } finally {
    // The lease also ends by itself.
    await releaseLease(database, LEASE, holder).catch((error: unknown) => {
      report(error as Error, 'failed to release the lease on the first start');
    });
  }
}

async function createFirst(
  settings: BootstrapSettings,
  { database, clock, passwords = new PasswordHasher(), show }: BootstrapOptions,
): Promise<FirstStart> {
  const accountId = settings.accountId ?? createId();
  const email = settings.email ?? DEFAULT_EMAIL;
  const password = settings.password ?? randomBase62(PASSWORD_LENGTH);
  const token = settings.token ?? createSecret('lkat_');
  const passwordHash = await passwords.hash(password, { ip: '127.0.0.1', isKnown: true });
  const firstStart = {
    accountId,
    email,
    password: settings.password === undefined ? password : undefined,
    token: settings.token === undefined ? token : undefined,
  };
  await show(firstStart);
  await createFirstAccount(database, clock, {
    accountId,
    accountName: 'First account',
    email,
    passwordHash,
    token,
  });
  return firstStart;
}
