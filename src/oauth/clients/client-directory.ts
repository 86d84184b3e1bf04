import type { Awaitable } from '../../lib/awaitable.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Database } from '../../storage/database.ts';
import { InvalidatedCache } from '../../storage/invalidated-cache.ts';
import type { Announcement } from '../../storage/invalidation.ts';
import { isId } from '../../lib/ids.ts';
import { findSecretDigests } from './client-secret-store.ts';
import { type OAuthClient, findClientById } from './client-store.ts';

// The largest client takes 40 KB, see the limit on its lists; an ordinary one takes 2 KB.
const CACHE_ENTRIES = 10_000;
const MAX_CACHE_BYTES = 64 * 1024 * 1024;
const BYTES_PER_CLIENT = 1_000;

const TOPIC = 'oauth_client';

/** To announce whenever a client or its secrets change. */
export function clientAnnouncement(clientId: string): Announcement {
  return { topic: TOPIC, key: clientId };
}

/** A client as the authorization server works with it. */
export interface RegisteredClient extends OAuthClient {
  /** Of its secrets, see lib/secrets.ts. */
  secretDigests: readonly string[];
}

/** The clients by id, from memory where that may be trusted. */
export class ClientDirectory {
  readonly #database: Database;
  readonly #cache: InvalidatedCache<RegisteredClient>;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#cache = new InvalidatedCache(database.invalidation, clock, TOPIC, CACHE_ENTRIES, {
      maxBytes: MAX_CACHE_BYTES,
      bytesOf: sizeOfClient,
    });
  }

  /** Whether memory can answer for an id now, or there was a client when it was last asked for. */
  isKnown(clientId: string): boolean {
    return !isId(clientId) || this.#cache.isKnown(clientId);
  }

  /** Returns a client as it is now, mostly from memory; undefined for an unknown id. */
  find(clientId: string): Awaitable<RegisteredClient | undefined> {
    // What is no id must not push clients out of the memory.
    if (!isId(clientId)) return undefined;
    return this.#cache.get(clientId, async () => {
      const client = await findClientById(this.#database.read, clientId);
      if (client === undefined) return undefined;
      return { ...client, secretDigests: await findSecretDigests(this.#database.read, clientId) };
    });
  }
}

function sizeOfClient({
  redirectUris,
  postLogoutRedirectUris = [],
  scopes,
}: RegisteredClient): number {
  const lists = [...redirectUris, ...postLogoutRedirectUris, ...scopes];
  return lists.reduce((sum, text) => sum + text.length, BYTES_PER_CLIENT);
}
