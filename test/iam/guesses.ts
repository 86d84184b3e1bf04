import { createHash } from 'node:crypto';
import type { TestDatabase } from '../support/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { createPerson } from '../support/people.ts';
import { type Answer, type TestServer, bootServer } from '../support/server.ts';
import { Visitor } from '../support/visitor.ts';

export const PASSWORD = 'blue kettle on the roof';
export const WRONG = 'not the right one';

const FREE_GUESSES = 50;

/** What there is to say of an attempt to sign in. */
export function outcome({ status, code, headers }: Answer) {
  return [status, code, headers.get('retry-after')];
}

/** The outcome of a guess that is let through. */
export const wrong = [401, 3040, null];

/** A guess at somebody by a browser that nobody knows. */
export function guess(server: TestServer, ip: string, email: string): Promise<Answer> {
  return new Visitor(server, ip).signIn(email, WRONG);
}

/** Lets tests that share a server begin with all guesses free. */
export async function forgetGuesses({ app }: TestServer): Promise<void> {
  await app.database.transaction((tx) => tx.deleteFrom('sign_in_failures').execute());
}

/** A server behind a proxy, so that visitors come from addresses of their own. */
export interface GuessingBench {
  clock: ManualClock;
  server: TestServer;
  /** Somebody at whom nobody has guessed, on a server that remembers no guesses at all. */
  begin(): Promise<{ email: string; userId: string }>;
  /** Guesses at one person from elsewhere, as often as is free in an hour. */
  spendFreeGuesses(email: string): Promise<void>;
}

export async function startGuessing(database: TestDatabase): Promise<GuessingBench> {
  const clock = new ManualClock();
  const server = await bootServer(database, { clock, settings: { TRUST_PROXY: '127.0.0.1' } });
  const { database: db } = server.app;
  return {
    clock,
    server,
    async begin() {
      await forgetGuesses(server);
      return createPerson(server, { password: PASSWORD });
    },
    async spendFreeGuesses(email) {
      await guess(server, '10.1.9.8', email);
      const person = createHash('sha256').update(email).digest('base64url');
      // What the others leave behind.
      await db.transaction(async (tx) => {
        await tx
          .updateTable('sign_in_failures')
          .set({ failures: FREE_GUESSES - 1 })
          .where('name', '=', `password account ${person}`)
          .executeTakeFirstOrThrow();
      });
      await guess(server, '10.1.9.7', email);
    },
  };
}
