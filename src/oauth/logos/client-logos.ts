import type { Agent } from 'undici';
import { createGuardedAgent } from '../../http/guarded-agent.ts';
import type { AddressRange } from '../../lib/address-ranges.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Database } from '../../storage/database.ts';
import type { OAuthClient } from '../clients/client-store.ts';
import { type Logo, fetchLogo } from './fetch-logo.ts';
import { type StoredLogo, findLogo, storeLogo } from './logo-store.ts';

const LIFETIME_MS = 86_400_000;
const FAILURE_LIFETIME_MS = 10 * 60_000;
const FETCH_TIMEOUT_MS = 5_000;
// Anybody may ask for a logo: so much can all of them together make the server do at once.
const MAX_FETCHES = 8;

/**
 * Our copies of the clients' logos. A copy is fetched when somebody asks for it and there is none, the
 * client has named another one, or it is a day old. That there is nothing to be had is remembered for
 * ten minutes; a copy that there was before is shown meanwhile.
 */
export class ClientLogos {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #agent: Agent;
  readonly #stopping = new AbortController();
  // One fetch a logo, however many wait for it.
  readonly #fetches = new Map<string, Promise<Logo | undefined>>();

  /** @param allowed ranges outside of the public Internet that logos may come from */
  constructor(database: Database, clock: Clock, allowed: readonly AddressRange[]) {
    this.#database = database;
    this.#clock = clock;
    this.#agent = createGuardedAgent(allowed, FETCH_TIMEOUT_MS);
  }

  /** The logo of a client, fetched if need be; undefined when there is none to be had now. */
  async find({ id, logoUri }: Pick<OAuthClient, 'id' | 'logoUri'>): Promise<Logo | undefined> {
    if (logoUri === undefined) return undefined;
    const key = `${id} ${logoUri}`;
    const running = this.#fetches.get(key);
    if (running !== undefined) return running;
    const found = await findLogo(this.#database.read, id);
    const stored = found?.logoUri === logoUri ? found : undefined;
    if (stored !== undefined && this.#isFresh(stored)) return stored.logo;
    // Somebody may have come first while the database was asked.
    return this.#fetches.get(key) ?? this.#beginFetch(key, id, logoUri, stored?.logo);
  }

  #isFresh({ logo, fetchedAtMs }: StoredLogo): boolean {
    const ageMs = this.#clock.now() - fetchedAtMs;
    return ageMs >= 0 && ageMs < (logo === undefined ? FAILURE_LIFETIME_MS : LIFETIME_MS);
  }

  #beginFetch(
    key: string,
    clientId: string,
    logoUri: string,
    former: Logo | undefined,
  ): Promise<Logo | undefined> {
    if (this.#fetches.size >= MAX_FETCHES) return Promise.resolve(former);
    const fetching = this.#fetch(clientId, logoUri, former).finally(() => {
      this.#fetches.delete(key);
    });
    this.#fetches.set(key, fetching);
    return fetching;
  }

  async #fetch(
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
    await this.#database.transaction((tx) =>
      storeLogo(tx, clientId, { logoUri, logo, fetchedAtMs }),
    );
    return logo;
  }

  /** Cuts off the fetches that run; nothing is written after it. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.allSettled(this.#fetches.values());
    await this.#agent.destroy();
  }
}
