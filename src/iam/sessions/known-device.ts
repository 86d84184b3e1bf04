import { createSecret, digestSecret, isWellFormedSecret } from '../../lib/secrets.ts';
import type { RequestFacts } from '../../http/route.ts';
import type { Db, Transaction } from '../../storage/schema.ts';
import { type CookieNames, readCookie } from './session-cookie.ts';
import { cookie } from './start-session.ts';

// A browser is remembered for that long after its last sign-in.
const DEVICE_MS = 365 * 86_400_000;

// As many as a person may have sessions; the one that was not used for longest is forgotten.
const MAX_DEVICES = 50;

function presentedDevice(names: CookieNames, { headers }: RequestFacts): string | undefined {
  const secret = readCookie(headers.cookie, names.device);
  return secret !== undefined && isWellFormedSecret(secret, 'lkdv_') ? secret : undefined;
}

/**
 * The digest that names the browser behind a request, when the person has signed in with it before.
 * @param userId of nobody, too, so that one look-up costs the same whoever is asked for
 */
export async function findKnownDevice(
  db: Db,
  names: CookieNames,
  userId: string,
  request: RequestFacts,
  nowMs: number,
): Promise<string | undefined> {
  const secret = presentedDevice(names, request);
  if (secret === undefined) return undefined;
  const row = await db
    .selectFrom('known_devices')
    .select('digest')
    .where('user_id', '=', userId)
    .where('digest', '=', digestSecret(secret))
    .where('last_used_at', '>', nowMs - DEVICE_MS)
    .executeTakeFirst();
  return row?.digest;
}

/**
 * Notes that a person has signed in with a browser, which keeps its cookie when it has one: several
 * people may share it.
 * @returns the cookie, as a value of `set-cookie`
 */
export async function noteDevice(
  tx: Transaction,
  names: CookieNames,
  userId: string,
  request: RequestFacts,
  nowMs: number,
): Promise<string> {
  const secret = presentedDevice(names, request) ?? createSecret('lkdv_');
  await tx
    .insertInto('known_devices')
    .values({ user_id: userId, digest: digestSecret(secret), last_used_at: nowMs })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'digest']).doUpdateSet({ last_used_at: nowMs }),
    )
    .execute();
  await forgetUnused(tx, userId, nowMs);
  return cookie(names.device, secret, true, DEVICE_MS);
}

async function forgetUnused(tx: Transaction, userId: string, nowMs: number): Promise<void> {
  await tx
    .deleteFrom('known_devices')
    .where('user_id', '=', userId)
    .where('digest', 'not in', (select) =>
      select
        .selectFrom('known_devices')
        .select('digest')
        .where('user_id', '=', userId)
        .where('last_used_at', '>', nowMs - DEVICE_MS)
        .orderBy('last_used_at', 'desc')
        .orderBy('digest')
        .limit(MAX_DEVICES),
    )
    .execute();
}

/** Forgets the browsers of a person. */
export async function forgetDevices(tx: Transaction, userId: string): Promise<void> {
  await tx.deleteFrom('known_devices').where('user_id', '=', userId).execute();
}
