import type { Awaitable } from '../../lib/awaitable.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Database } from '../../storage/database.ts';
import { InvalidatedCache } from '../../storage/invalidated-cache.ts';
import type { Announcement } from '../../storage/invalidation.ts';
import type { UpstreamProvider } from '../providers/provider.ts';
import { customUpstream } from './custom-upstream.ts';
import { findCustomProvider, findEnabledCustomProviders } from './custom-provider-store.ts';
import { SLUG_PATTERN } from './custom-provider-schemas.ts';

const TOPIC = 'custom_provider';
// Some 3 KB each.
const CACHE_ENTRIES = 10_000;

const SLUG = new RegExp(SLUG_PATTERN);

/** To announce whenever a custom provider changes. */
export function customProviderAnnouncement(accountId: string, slug: string): Announcement {
  return { topic: TOPIC, key: `${accountId}/${slug}` };
}

/** The providers that accounts have named themselves, from memory where that may be trusted. */
export class CustomProviderDirectory {
  readonly #database: Database;
  readonly #cache: InvalidatedCache<UpstreamProvider>;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#cache = new InvalidatedCache(database.invalidation, clock, TOPIC, CACHE_ENTRIES);
  }

  /** All providers of an account that requests can use. */
  async list(accountId: string): Promise<UpstreamProvider[]> {
    const stored = await findEnabledCustomProviders(this.#database.read, accountId);
    return stored.map(customUpstream);
  }

  /**
   * Returns a provider as it is now, mostly from memory.
   * @param slug the slug without `custom-`
   * @returns undefined if the account has no such provider, or it is disabled
   */
  find(accountId: string, slug: string): Awaitable<UpstreamProvider | undefined> {
    // Other texts must not displace providers from the cache.
    if (!SLUG.test(slug)) return undefined;
    return this.#cache.get(`${accountId}/${slug}`, async () => {
      const stored = await findCustomProvider(this.#database.read, accountId, { slug });
      return stored?.isEnabled === true ? customUpstream(stored) : undefined;
    });
  }
}
