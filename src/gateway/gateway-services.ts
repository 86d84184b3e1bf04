import type { Clock } from '../lib/clock.ts';
import type { LastUsed } from '../iam/last-used.ts';
import type { Changes } from '../iam/changes.ts';
import type { Credentials } from '../iam/credentials.ts';
import type { Database } from '../storage/database.ts';
import type { GatewayDirectory } from './gateways/gateway-directory.ts';
import type { LogStore } from './logs/log-store.ts';
import type { LogWriter } from './logs/log-writer.ts';
import type { Provider } from './providers/provider.ts';

/** What the operations and the request path of this domain work with. */
export interface GatewayServices {
  database: Database;
  clock: Clock;
  changes: Changes;
  credentials: Credentials;
  /** Of API tokens. */
  lastUsed: LastUsed;
  /** Of what people have let OAuth clients do. */
  lastUsedGrants: LastUsed;
  directory: GatewayDirectory;
  logStore: LogStore;
  logWriter: LogWriter;
  /** By the name that paths and models carry. */
  providers: ReadonlyMap<string, Provider>;
  /** Deepest nesting of a JSON body. */
  jsonMaxDepth: number;
  /** Time for a provider to begin its answer. */
  upstreamHeadersTimeoutMs: number;
  /** Longest silence of a provider within an answer. */
  upstreamIdleTimeoutMs: number;
}
