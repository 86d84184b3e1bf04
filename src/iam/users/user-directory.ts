import type { Awaitable } from '../../lib/awaitable.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Database } from '../../storage/database.ts';
import { InvalidatedCache } from '../../storage/invalidated-cache.ts';
import type { Announcement } from '../../storage/invalidation.ts';
import { type UserAccess, loadUserAccess } from './user-access.ts';

const CACHE_ENTRIES = 50_000;
const TOPIC = 'user';

/** To announce whenever what a person is or may do changes: roles, membership, factors, email. */
export function userAnnouncement(userId: string): Announcement {
  return { topic: TOPIC, key: userId };
}

/** What people may do, from memory where that may be trusted. */
export class UserDirectory {
  readonly #database: Database;
  readonly #cache: InvalidatedCache<UserAccess>;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#cache = new InvalidatedCache(database.invalidation, clock, TOPIC, CACHE_ENTRIES);
  }

  /** Returns a user as it is now, mostly from memory; undefined for an unknown id. */
  find(userId: string): Awaitable<UserAccess | undefined> {
    return this.#cache.get(userId, () => loadUserAccess(this.#database.read, userId));
  }
}
