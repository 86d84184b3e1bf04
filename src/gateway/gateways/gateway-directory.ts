import { presentUrl, showMembers } from '../../iam/audit/audit-view.ts';
import { SYSTEM_ACTOR, appendAudit } from '../../iam/audit/audit-entry.ts';
import { auditedChangeOf } from '../../iam/audit/audited-change.ts';
import { type ResourceTagging, TAGS_TOPIC } from '../../iam/own-resources.ts';
import type { Awaitable } from '../../lib/awaitable.ts';
import type { Clock } from '../../lib/clock.ts';
import type { MasterKey, Sealer } from '../../lib/sealing.ts';
import type { Database } from '../../storage/database.ts';
import { InvalidatedCache } from '../../storage/invalidated-cache.ts';
import type { ReportTrouble } from '../../storage/invalidation.ts';
import {
  ACCOUNT_LIMITS_TOPIC,
  findAccountLimits,
  rulesForTags,
} from '../account-limits/account-limits.ts';
import { type GatewayRecord, newGatewayRecord } from './gateway-record.ts';
import {
  DEFAULT_GATEWAY_ID,
  type Gateway,
  findGatewayRecord,
  insertGateway,
  toGateway,
} from './gateway-store.ts';
import { openOtel, otelSealer } from './otel-secrets.ts';

const GATEWAY_TOPIC = 'gateway';
/** Before the account and the id of a gateway, in announcements of tags. */
const TAGS_KEY = 'ai_gateway/';
// Most are some hundred bytes; with all the rules that one may have, 64 KiB.
const CACHE_ENTRIES = 10_000;
const MAX_CACHE_BYTES = 64 * 1024 * 1024;
const BYTES_PER_GATEWAY = 1_000;

/** The key under which a change of a gateway is announced. */
export function gatewayAnnouncement(accountId: string, id: string) {
  return { topic: GATEWAY_TOPIC, key: `${accountId}/${id}` };
}

const AUDITED = { type: 'ai_gateway', product: 'ai_gateway' };

/** A change of a gateway, for the audit log of its account. */
export const gatewayChange = auditedChangeOf(AUDITED, {
  ...showMembers(
    'id',
    'authentication',
    'allow_stored_keys_unauthenticated',
    'collect_logs',
    'zdr',
    'trust_custom_cost',
    'byok_only',
    'cache_ttl',
    'cache_invalidate_on_update',
    'rate_limiting_interval',
    'rate_limiting_limit',
    'rate_limiting_technique',
    'retry_max_attempts',
    'retry_delay',
    'retry_backoff',
    'spend_limits',
    'model_aliases',
    'log_management',
    'log_management_strategy',
    'is_default',
    'created_at',
    'modified_at',
  ),
  otel: { url: presentUrl, content_type: true },
});

interface DirectoryParts {
  database: Database;
  clock: Clock;
  masterKey: MasterKey;
  tagging: Pick<ResourceTagging, 'tagsOf'>;
  report: ReportTrouble;
}

/** The gateways as the request path sees them: from memory where that may be trusted. */
export class GatewayDirectory {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #sealer: Sealer;
  readonly #tagging: Pick<ResourceTagging, 'tagsOf'>;
  readonly #report: ReportTrouble;
  readonly #cache: InvalidatedCache<Gateway>;

  constructor({ database, clock, masterKey, tagging, report }: DirectoryParts) {
    this.#database = database;
    this.#clock = clock;
    this.#sealer = otelSealer(masterKey);
    this.#tagging = tagging;
    this.#report = report;
    this.#cache = new InvalidatedCache(database.invalidation, clock, GATEWAY_TOPIC, CACHE_ENTRIES, {
      maxBytes: MAX_CACHE_BYTES,
      bytesOf: ({ spendRules, otelTargets, modelAliases }) =>
        BYTES_PER_GATEWAY + JSON.stringify([spendRules, otelTargets, ...modelAliases]).length,
    });
    database.invalidation.subscribe({
      onAnnouncement: ({ topic, key }) => {
        if (topic === ACCOUNT_LIMITS_TOPIC) this.#cache.dropAll(`${key}/`);
        if (topic === TAGS_TOPIC && key.startsWith(TAGS_KEY)) {
          this.#cache.drop(key.slice(TAGS_KEY.length));
        }
      },
      // The cache drops everything by itself.
      onGap: () => {},
    });
  }

  find(accountId: string, id: string): Awaitable<Gateway | undefined> {
    return this.#cache.get(`${accountId}/${id}`, () => this.#load(accountId, id));
  }

  async #load(accountId: string, id: string): Promise<Gateway | undefined> {
    const record = await findGatewayRecord(this.#database.read, accountId, id);
    return record === undefined ? undefined : this.#open(record);
  }

  async #open(record: GatewayRecord): Promise<Gateway> {
    const { accountId, id } = record;
    const otel = openOtel(record, record.settings.otel, this.#sealer, this.#report);
    const gateway = toGateway(record, otel);
    const { read } = this.#database;
    const limits = await findAccountLimits(read, accountId);
    if (limits.rules.length === 0) return gateway;
    const tags = await this.#tagging.tagsOf(read, { accountId, type: 'ai_gateway', id });
    return { ...gateway, spendRules: [...gateway.spendRules, ...rulesForTags(limits, tags)] };
  }

  /** The gateway `default`, which appears by itself at an account's first authenticated use. */
  async createDefault(accountId: string): Promise<Gateway> {
    const gateway = newGatewayRecord(accountId, DEFAULT_GATEWAY_ID, this.#clock.now());
    const created = await this.#database.transaction(async (tx, announce) => {
      // Several first requests may come at once, on several nodes: all must use what the first made,
      // of which memory need not know yet.
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
        resource: { ...AUDITED, id: gateway.id },
      };
      await appendAudit(tx, entry, this.#clock.now());
      return gateway;
    });
    return this.#open(created ?? gateway);
  }
}
