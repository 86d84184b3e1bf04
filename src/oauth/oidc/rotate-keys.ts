import type { Clock } from '../../lib/clock.ts';
import type { MasterKey } from '../../lib/sealing.ts';
import type { Database } from '../../storage/database.ts';
import { createSigningKey } from './create-signing-key.ts';
import {
  type SigningKey,
  deleteSigningKey,
  endPublication,
  insertSigningKey,
  lastPublishedMs,
  listPublishedKeys,
  signingKeysAnnouncement,
} from './signing-key-store.ts';

// Twice the age at which clients read our keys anew, see jwks-endpoint.ts; a server on SQLite needs a minute
// of it to notice.
const PUBLISHED_BEFORE_MS = 10 * 60_000;

/**
 * Puts a new key in the place of every signing key. Clients keep our keys for some minutes, so the new
 * ones are published now and sign later; the old ones stay published until the last ID token that
 * they have signed has expired.
 *
 * Servers on PostgreSQL hear of it at once. One on SQLite cannot be told by another process: what it
 * has in memory is good for up to a minute more, see Invalidation.cacheLifetimeMs.
 * @param isCompromised then nothing waits: the new keys sign at once, and no old one is published any
 *   more
 * @returns the new keys; none where no key was needed yet
 */
export async function rotateSigningKeys(
  database: Database,
  clock: Clock,
  masterKey: MasterKey,
  isCompromised: boolean,
): Promise<SigningKey[]> {
  const nowMs = clock.now();
  const signsFromMs = isCompromised ? nowMs : nowMs + PUBLISHED_BEFORE_MS;
  const untilMs = lastPublishedMs(signsFromMs);
  const inUse = await listPublishedKeys(database.read, nowMs);
  const algs = [...new Set(inUse.map(({ alg }) => alg))];
  const created = await Promise.all(
    algs.map((alg) => createSigningKey(masterKey, alg, nowMs, signsFromMs)),
  );
  await database.transaction(async (tx, announce) => {
    for (const { id, alg, publishedUntilMs = Infinity } of await listPublishedKeys(tx, nowMs)) {
      if (!algs.includes(alg)) continue;
      // Whatever the clocks of the servers say.
      if (isCompromised) await deleteSigningKey(tx, id);
      else if (untilMs < publishedUntilMs) await endPublication(tx, id, untilMs);
    }
    for (const key of created) await insertSigningKey(tx, key);
    announce(signingKeysAnnouncement);
  });
  return created;
}
