import type { Clock } from '../../lib/clock.ts';
import { type MasterKey, SealError, type Sealer } from '../../lib/sealing.ts';
import type { Database } from '../../storage/database.ts';
import { InvalidatedCache } from '../../storage/invalidated-cache.ts';
import type { Announcement, ReportTrouble } from '../../storage/invalidation.ts';
import {
  type KeyRateLimit,
  type ProviderConfig,
  findProviderConfigs,
  keySealer,
  sealingContext,
} from './provider-config-store.ts';

const TOPIC = 'gateway_keys';

// Most gateways store a few keys of some hundred bytes. The largest sets take 1.6 MB.
const CACHE_ENTRIES = 10_000;
const MAX_CACHE_BYTES = 64 * 1024 * 1024;
const BYTES_PER_KEY = 400;

/** Returns the announcement of a change to the keys of a gateway. */
export function keysAnnouncement(accountId: string, gatewayId: string): Announcement {
  return { topic: TOPIC, key: `${accountId}/${gatewayId}` };
}

/** A decrypted provider key of a gateway. */
export interface StoredKey {
  id: string;
  alias: string;
  secret: string;
  /** The only origin that may receive the key. Undefined: the origin of its provider. */
  origin: string | undefined;
  rateLimit?: KeyRateLimit;
}

interface GatewayKey extends StoredKey {
  providerSlug: string;
  isDefault: boolean;
}

/** The stored keys of gateways, mostly from memory. */
export class KeyDirectory {
  readonly #database: Database;
  readonly #sealer: Sealer;
  readonly #report: ReportTrouble;
  readonly #cache: InvalidatedCache<readonly GatewayKey[]>;

  constructor(database: Database, clock: Clock, masterKey: MasterKey, report: ReportTrouble) {
    this.#database = database;
    this.#sealer = keySealer(masterKey);
    this.#report = report;
    this.#cache = new InvalidatedCache(database.invalidation, clock, TOPIC, CACHE_ENTRIES, {
      maxBytes: MAX_CACHE_BYTES,
      bytesOf: (keys) => keys.reduce((sum, { secret }) => sum + BYTES_PER_KEY + secret.length, 0),
    });
  }

  /**
   * Returns a key as it is now.
   * @param gatewayId id of an existing gateway
   * @param providerSlug name of the provider, such as `openai` or `custom-mine`
   * @param alias undefined: the default key of the provider
   */
  async find(
    accountId: string,
    gatewayId: string,
    providerSlug: string,
    alias: string | undefined,
  ): Promise<StoredKey | undefined> {
    const keys = await this.#cache.get(`${accountId}/${gatewayId}`, () =>
      this.#load(accountId, gatewayId),
    );
    return keys?.find(
      (key) =>
        key.providerSlug === providerSlug &&
        (alias === undefined ? key.isDefault : key.alias === alias),
    );
  }

  /**
   * Returns the providers for which a gateway stores keys.
   * @param gatewayId id of an existing gateway
   */
  async providersOf(accountId: string, gatewayId: string): Promise<ReadonlySet<string>> {
    const keys = await this.#cache.get(`${accountId}/${gatewayId}`, () =>
      this.#load(accountId, gatewayId),
    );
    return new Set(keys?.map(({ providerSlug }) => providerSlug));
  }

  async #load(accountId: string, gatewayId: string): Promise<readonly GatewayKey[]> {
    const configs = await findProviderConfigs(this.#database.read, accountId, gatewayId);
    return configs.flatMap((config) => this.#open(config) ?? []);
  }

  /** @returns undefined for a key that was encrypted with another master key */
  #open(config: ProviderConfig): GatewayKey | undefined {
    const { id, alias, providerSlug, isDefault, origin, rateLimit } = config;
    try {
      const secret = this.#sealer.open(config.sealedSecret, sealingContext(config));
      const key = { id, alias, secret, origin, providerSlug, isDefault };
      return rateLimit === undefined ? key : { ...key, rateLimit };
    } catch (error) {
      if (!(error instanceof SealError)) throw error;
      this.#report(error, `failed to decrypt the stored provider key ${id}`);
      return undefined;
    }
  }
}
