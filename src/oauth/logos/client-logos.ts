import { LRUCache } from 'lru-cache';
import type { Agent } from 'undici';
import { createGuardedAgent } from '../../http/guarded-agent.ts';
import { upToBytes } from '../../lib/cache-bound.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Database } from '../../storage/database.ts';
import type { OAuthClient } from '../clients/client-store.ts';
import type { NetworkRules } from '../oauth-services.ts';
import { fetchLogo } from './fetch-logo.ts';
import type { Logo } from './logo.ts';
import { type StoredLogo, findLogo, storeLogo } from './logo-store.ts';

const LIFETIME_MS = 86_400_000;
const FAILURE_LIFETIME_MS = 10 * 60_000;
const FETCH_TIMEOUT_MS = 5_000;
// Anybody may ask for a logo: so much can all of them together make the server do at once.
const MAX_FETCHES = 8;

// Of an ordinary logo, some hundreds; what is not in it is one read of the database.
const MAX_KEPT = 4_000;
const MAX_KEPT_BYTES = 8 * 1024 * 1024;

/**
 * Our copies of the clients' logos. A copy is fetched when somebody asks for it and there is none, the
 * client has named another one, or it is a day old. That there is nothing to be had is remembered for
 * ten minutes; a copy that there was before is shown meanwhile. The copies are in the database, and
 * those that were asked for last in memory, too.
 */
export class ClientLogos {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #agent: Agent;
  readonly #stopping = new AbortController();
  readonly #kept = new LRUCache<string, StoredLogo>(
    upToBytes<StoredLogo>(MAX_KEPT, MAX_KEPT_BYTES, ({ logo }) => logo?.content.length ?? 0),
  );
  // One search a logo, however many wait for it.
  readonly #searches = new Map<string, Promise<Logo | undefined>>();
  #fetches = 0;

  constructor(database: Database, clock: Clock, network: NetworkRules) {
    this.#database = database;
    this.#clock = clock;
    const { upstreamAllow, forwardProxies: proxies } = network;
    this.#agent = createGuardedAgent(upstreamAllow, FETCH_TIMEOUT_MS, { proxies });
  }

  /** The logo of a client, fetched if need be; undefined when there is none to be had now. */
  async find({ id, logoUri }: Pick<OAuthClient, 'id' | 'logoUri'>): Promise<Logo | undefined> {
    if (logoUri === undefined) return undefined;
    const key = `${id} ${logoUri}`;
    const kept = this.#kept.get(key);
    if (kept !== undefined && this.#isFresh(kept)) return kept.logo;
    return this.#searches.get(key) ?? this.#beginSearch(key, id, logoUri);
  }

  #isFresh({ logo, fetchedAtMs }: StoredLogo): boolean {
    const ageMs = this.#clock.now() - fetchedAtMs;
    return ageMs >= 0 && ageMs < (logo === undefined ? FAILURE_LIFETIME_MS : LIFETIME_MS);
  }

  #beginSearch(key: string, clientId: string, logoUri: string): Promise<Logo | undefined> {
    const search = this.#search(key, clientId, logoUri).finally(() => {
      this.#searches.delete(key);
    });
    this.#searches.set(key, search);
    return search;
  }

  async #search(key: string, clientId: string, logoUri: string): Promise<Logo | undefined> {
    const found = await findLogo(this.#database.read, clientId);
    const stored = found?.logoUri === logoUri ? found : undefined;
    if (stored !== undefined && this.#isFresh(stored)) {
      this.#kept.set(key, stored);
      return stored.logo;
    }
    if (this.#fetches >= MAX_FETCHES) return stored?.logo;
    this.#fetches++;
    try {
      return await this.#fetch(key, clientId, logoUri, stored?.logo);
    } finally {
      this.#fetches--;
    }
  }

  async #fetch(
    key: string,
    clientId: string,
    logoUri: string,
    former: Logo | undefined,
  ): Promise<Logo | undefined> {
    const signal = AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(FETCH_TIMEOUT_MS)]);
    const fetched = await fetchLogo(this.#agent, logoUri, signal);
    const logo = fetched ?? former;
    // That it was cut off says nothing about the logo.
    if (this.#stopping.signal.aborted) return logo;
    const nowMs = this.#clock.now();
    const isFormer = fetched === undefined && former !== undefined;
    // So old that it is asked for again as soon as a failure may be.
    const fetchedAtMs = isFormer ? nowMs - LIFETIME_MS + FAILURE_LIFETIME_MS : nowMs;
    const copy = { logoUri, logo, fetchedAtMs };
    await this.#database.transaction((tx) => storeLogo(tx, clientId, copy));
    this.#kept.set(key, copy);
    return logo;
  }

  /** Cuts off the fetches that run; nothing is written after it. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.allSettled(this.#searches.values());
    await this.#agent.destroy();
  }
}
