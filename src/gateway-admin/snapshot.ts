import { SYSTEM_ACTOR, appendAudit } from '../iam/audit/audit-entry.ts';
import { type ResourceTagging, TAGS_TOPIC } from '../iam/own-resources.ts';
import type { Awaitable } from '../lib/awaitable.ts';
import type { Clock } from '../lib/clock.ts';
import { type MasterKey, SealError, type Sealer } from '../lib/sealing.ts';
import type { Database } from '../storage/database.ts';
import { InvalidatedCache } from '../storage/invalidated-cache.ts';
import type { ReportTrouble } from '../storage/invalidation.ts';
import type { Db } from '../storage/schema.ts';
import {
  ACCOUNT_LIMITS_TOPIC,
  findAccountLimits,
  rulesForTags,
} from './account-limits/account-limits.ts';
import {
  CUSTOM_PREFIX,
  type CustomProvider,
  findEnabledCustomProviders,
} from './custom-providers/custom-provider-store.ts';
import {
  type KeyRateLimit,
  type ProviderConfig,
  findProviderConfigs,
  keySealer,
  sealingContext,
} from './provider-keys/provider-config-store.ts';
import { AUDITED_GATEWAY } from './gateways/gateway-change.ts';
import { type GatewayRecord, newGatewayRecord } from './gateways/gateway-record.ts';
import { findGatewayRecord, insertGateway, toGateway } from './gateways/gateway-store.ts';
import { DEFAULT_GATEWAY_ID, type Gateway } from './gateways/gateway.ts';
import { openOtel, otelSealer } from './gateways/otel-secrets.ts';
import {
  CUSTOM_PROVIDER_TOPIC,
  GATEWAY_TOPIC,
  KEYS_TOPIC,
  gatewayAnnouncement,
} from './snapshot-topics.ts';

/** Prefix of the account and the id of a gateway in announcements of tags. */
const TAGS_KEY = 'ai_gateway/';
const CACHE_ENTRIES = 10_000;
// Most snapshots have a few kilobytes. The largest keys of a gateway have 1.6 MB.
const MAX_CACHE_BYTES = 128 * 1024 * 1024;
const BYTES_PER_GATEWAY = 1_000;
const BYTES_PER_KEY = 400;
const BYTES_PER_CUSTOM_PROVIDER = 800;

/** A decrypted provider key of a gateway. */
export interface StoredKey {
  id: string;
  /** Name of the provider, such as `openai` or `custom-mine`. */
  providerSlug: string;
  alias: string;
  isDefault: boolean;
  secret: string;
  /** The only origin that may receive the key. Undefined: the origin of its provider. */
  origin: string | undefined;
  rateLimit?: KeyRateLimit;
}

/** All that requests to a gateway need: settings, provider keys and custom providers, as of one load. */
export interface GatewaySnapshot extends Gateway {
  keys: readonly StoredKey[];
  /** The enabled custom providers of the account by their names in models and paths, such as `custom-mine`. */
  customProviders: ReadonlyMap<string, CustomProvider>;
}

interface SnapshotParts {
  database: Database;
  clock: Clock;
  masterKey: MasterKey;
  tagging: Pick<ResourceTagging, 'tagsOf'>;
  report: ReportTrouble;
}

/** The snapshots of gateways, mostly from memory. Every change of a part invalidates the whole snapshot. */
export class GatewaySnapshots {
  readonly #parts: SnapshotParts;
  readonly #otelSealer: Sealer;
  readonly #keySealer: Sealer;
  readonly #cache: InvalidatedCache<GatewaySnapshot>;

  constructor(parts: SnapshotParts) {
    this.#parts = parts;
    this.#otelSealer = otelSealer(parts.masterKey);
    this.#keySealer = keySealer(parts.masterKey);
    const { invalidation } = parts.database;
    this.#cache = new InvalidatedCache(invalidation, parts.clock, GATEWAY_TOPIC, CACHE_ENTRIES, {
      maxBytes: MAX_CACHE_BYTES,
      bytesOf: sizeOf,
    });
    invalidation.subscribe({
      onAnnouncement: ({ topic, key }) => {
        if (topic === KEYS_TOPIC) this.#cache.drop(key);
        if (topic === ACCOUNT_LIMITS_TOPIC) this.#cache.dropAll(`${key}/`);
        if (topic === CUSTOM_PROVIDER_TOPIC) this.#cache.dropAll(`${key.split('/', 1)[0]}/`);
        if (topic === TAGS_TOPIC && key.startsWith(TAGS_KEY)) {
          this.#cache.drop(key.slice(TAGS_KEY.length));
        }
      },
      // The cache itself drops all entries.
      onGap: () => {},
    });
  }

  /** Returns a gateway as it is now; undefined: it does not exist. */
  find(accountId: string, id: string): Awaitable<GatewaySnapshot | undefined> {
    return this.#cache.get(`${accountId}/${id}`, async () => {
      const record = await findGatewayRecord(this.#parts.database.read, accountId, id);
      return record && this.#load(record);
    });
  }

  /** Reads the creation of a gateway from the database; undefined: the gateway does not exist. */
  async readCreation(accountId: string, id: string): Promise<{ createdAtMs: number } | undefined> {
    return findGatewayRecord(this.#parts.database.read, accountId, id);
  }

  /** Creates the gateway `default`, at the first authenticated request of an account. */
  async createDefault(accountId: string): Promise<GatewaySnapshot> {
    const { clock, database } = this.#parts;
    const gateway = newGatewayRecord(accountId, DEFAULT_GATEWAY_ID, clock.now());
    const created = await database.transaction(async (tx, announce) => {
      // Concurrent first requests, also on other nodes, use the gateway that the first of them creates.
      if (!(await insertGateway(tx, gateway))) {
        return findGatewayRecord(tx, accountId, gateway.id);
      }
      announce(gatewayAnnouncement(accountId, gateway.id));
      const entry = {
        chain: { accountId },
        action: {
          type: 'create',
          result: 'success' as const,
          description: 'Created the default gateway at its first use',
        },
        actor: SYSTEM_ACTOR,
        resource: { ...AUDITED_GATEWAY, id: gateway.id },
      };
      await appendAudit(tx, entry, clock.now());
      return gateway;
    });
    return this.#load(created ?? gateway);
  }

  async #load(record: GatewayRecord): Promise<GatewaySnapshot> {
    const { accountId, id } = record;
    const { database, report, tagging } = this.#parts;
    const { read } = database;
    const otel = openOtel(record, record.settings.otel, this.#otelSealer, report);
    const gateway = toGateway(record, otel);
    const limits = await findAccountLimits(read, accountId);
    const tags =
      limits.rules.length === 0
        ? {}
        : await tagging.tagsOf(read, { accountId, type: 'ai_gateway', id });
    const configs = await findProviderConfigs(read, accountId, id);
    const customProviders = await findCustomProviders(read, accountId);
    return {
      ...gateway,
      spendRules: [...gateway.spendRules, ...rulesForTags(limits, tags)],
      keys: configs.flatMap((config) => this.#open(config) ?? []),
      customProviders,
    };
  }

  /** @returns undefined for a key that was encrypted with another master key */
  #open(config: ProviderConfig): StoredKey | undefined {
    const { id, alias, providerSlug, isDefault, origin, rateLimit } = config;
    try {
      const secret = this.#keySealer.open(config.sealedSecret, sealingContext(config));
      const key = { id, alias, secret, origin, providerSlug, isDefault };
      return rateLimit === undefined ? key : { ...key, rateLimit };
    } catch (error) {
      if (!(error instanceof SealError)) throw error;
      this.#parts.report(error, `failed to decrypt the stored provider key ${id}`);
      return undefined;
    }
  }
}

/** Returns the enabled custom providers of an account by their names in models and paths. */
export async function findCustomProviders(
  db: Db,
  accountId: string,
): Promise<ReadonlyMap<string, CustomProvider>> {
  const providers = await findEnabledCustomProviders(db, accountId);
  return new Map(providers.map((provider) => [CUSTOM_PREFIX + provider.slug, provider]));
}

function sizeOf(snapshot: GatewaySnapshot): number {
  const { spendRules, otelTargets, modelAliases, keys, customProviders } = snapshot;
  const models = [...customProviders.values()].map((provider) => provider.models);
  return (
    BYTES_PER_GATEWAY +
    JSON.stringify([spendRules, otelTargets, models, ...modelAliases]).length +
    keys.reduce((sum, { secret }) => sum + BYTES_PER_KEY + secret.length, 0) +
    customProviders.size * BYTES_PER_CUSTOM_PROVIDER
  );
}

export {
  DEFAULT_GATEWAY_ID,
  NO_RETRY,
  type Gateway,
  type GatewayRateLimit,
  type LogLimit,
  type RetryPolicy,
} from './gateways/gateway.ts';
export type { OtelTarget } from './gateways/otel-target.ts';
export {
  METADATA_PREFIX,
  type BudgetScope,
  type RuleSpend,
  type SpendRule,
  type SpendSelector,
  type SpentBudget,
  ruleNameOf,
} from './spend-rules.ts';
export { listLogLimits } from './list-log-limits.ts';
