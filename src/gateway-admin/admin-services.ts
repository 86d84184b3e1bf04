import type { Changes } from '../iam/changes.ts';
import type { ResourceTagging } from '../iam/own-resources.ts';
import type { AllowedTarget } from '../lib/allowed-targets.ts';
import type { Clock } from '../lib/clock.ts';
import type { MasterKey } from '../lib/sealing.ts';
import type { Database } from '../storage/database.ts';
import type { GatewayLimits } from '../gateway/limits/gateway-limits.ts';
import type { ProviderModels } from '../gateway/routing/provider-models.ts';
import type { ProviderRegistry } from '../gateway/routing/provider-registry.ts';

/** The dependencies of the operations that manage gateways, provider keys and custom providers. */
export interface GatewayAdminServices {
  database: Database;
  clock: Clock;
  changes: Changes;
  masterKey: MasterKey;
  tagging: ResourceTagging;
  limits: GatewayLimits;
  providers: ProviderRegistry;
  models: ProviderModels;
  /** URL of the gateway host, without a trailing slash. */
  gatewayUrl: () => string;
  /** Scheme, host and port of each address of this server. */
  ownOrigins: () => string[];
  /** Private addresses that the operator allows for custom providers and span receivers. */
  upstreamAllow: readonly AllowedTarget[];
  /** Part of resource names: `com.<brand>.api.account.<id>`. */
  brand: string;
}
