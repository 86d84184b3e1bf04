import type { Changes } from '../iam/changes.ts';
import type { ResourceTagging } from '../iam/own-resources.ts';
import type { ManagementRoute } from '../iam/route.ts';
import type { Clock } from '../lib/clock.ts';
import type { Database } from '../storage/database.ts';
import type { ReportTrouble } from '../storage/invalidation.ts';
import type { PeriodicWork } from '../storage/periodic-work.ts';
import { oauthRoutes } from './routes.ts';
import { VerificationPoller } from './verification/verification-poller.ts';

/** What this domain is made from. */
interface OAuthParts {
  database: Database;
  clock: Clock;
  report: ReportTrouble;
  work: PeriodicWork;
  brand: string;
  changes: Changes;
  tagging: ResourceTagging;
  verification: VerificationSettings;
}

/** What operators say of the verification of hosts. */
interface VerificationSettings {
  /** `address`, `address:port` or `[address]:port`; none for those of the system. */
  dnsServers: readonly string[];
  /** Between the first two look-ups. */
  pollSeconds: number;
  timeoutSeconds: number;
}

/** OAuth clients as the rest of the server sees them. */
export interface OAuth {
  routes: ManagementRoute[];
  /** Cuts off the look-ups that run. */
  stop(): Promise<void>;
}

// As resolvers of most systems do.
const DNS_TIMEOUT_MS = 5_000;
const DNS_TRIES = 2;
// However many servers there are; well below the lease of a look-up.
const DNS_LIMIT_MS = 15_000;

/** Adds the domain's periodic work, before that is started. */
export function createOAuth(parts: OAuthParts): OAuth {
  const { database, clock, report, work, brand, changes, tagging, verification } = parts;
  const shortestGapMs = verification.pollSeconds * 1_000;
  const poller = new VerificationPoller({
    database,
    clock,
    report,
    work,
    shortestGapMs,
    lookUp: {
      servers: verification.dnsServers,
      timeoutMs: DNS_TIMEOUT_MS,
      tries: DNS_TRIES,
      limitMs: DNS_LIMIT_MS,
    },
  });
  const rules = { brand, timeoutMs: verification.timeoutSeconds * 1_000 };
  return {
    routes: oauthRoutes({
      database,
      clock,
      brand,
      changes,
      tagging,
      verifications: { rules, kick: () => poller.kick() },
    }),
    stop: () => poller.stop(),
  };
}
