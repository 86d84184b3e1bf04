import type { Changes } from '../iam/changes.ts';
import type { ResourceTagging } from '../iam/own-resources.ts';
import type { AllowedTarget } from '../lib/allowed-targets.ts';
import type { Clock } from '../lib/clock.ts';
import type { MasterKey } from '../lib/sealing.ts';
import type { Database } from '../storage/database.ts';
import type { Transaction } from '../storage/schema.ts';
import type { RuleSpend, SpendRule } from './spend-rules.ts';

/** The parts of a built-in provider that decide about its keys. */
export interface ProviderTraits {
  kind: 'upstream' | 'local' | 'unconfigured';
  name: string;
  /** The format of the origin that a key belongs to, if clients choose between hosts of several owners. */
  keyOrigin?: { pattern: RegExp; example: string };
  /** Keys may be JSON. */
  takesJsonKeys?: true;
}

/** The data of the gateway's request path that the operations read and delete. */
export interface GatewayData {
  /** The built-in providers by name. */
  builtInProviders: ReadonlyMap<string, ProviderTraits>;
  /** Reads the current spend of a rule. */
  spendOf(gateway: { accountId: string; id: string }, rule: SpendRule): Promise<RuleSpend>;
  /**
   * Deletes calls that wait for their cost.
   * @param gatewayId undefined: of all gateways of the account
   */
  deleteDeferredCalls(tx: Transaction, accountId: string, gatewayId?: string): Promise<void>;
  /**
   * Deletes some logs of a gateway.
   * @returns true if there may be more
   */
  purgeLogs(accountId: string, gatewayId: string, beforeMs: number): Promise<boolean>;
  /**
   * Deletes some values of clients that name the budgets of a gateway.
   * @returns true if there may be more
   */
  forgetSpend(accountId: string, gatewayId: string): Promise<boolean>;
}

/** The dependencies of the operations that manage gateways, provider keys and custom providers. */
export interface GatewayAdminServices {
  database: Database;
  clock: Clock;
  changes: Changes;
  masterKey: MasterKey;
  tagging: ResourceTagging;
  data: GatewayData;
  /** URL of the gateway host, without a trailing slash. */
  gatewayUrl: () => string;
  /** Scheme, host and port of each address of this server. */
  ownOrigins: () => string[];
  /** Private addresses that the operator allows for custom providers and span receivers. */
  upstreamAllow: readonly AllowedTarget[];
  /** Part of resource names: `com.<brand>.api.account.<id>`. */
  brand: string;
}
