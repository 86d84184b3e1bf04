import type { FastifyInstance } from 'fastify';
import { AddressBackoff } from '../iam/address-backoff.ts';
import type { Iam } from '../iam/iam.ts';
import type { ResourceTagging } from '../iam/own-resources.ts';
import type { Page } from '../iam/pages/page.ts';
import type { ManagementRoute } from '../iam/route.ts';
import type { UserDirectory } from '../iam/users/user-directory.ts';
import type { AllowedTarget } from '../lib/allowed-targets.ts';
import type { ForwardProxies } from '../lib/forward-proxies.ts';
import type { Clock } from '../lib/clock.ts';
import type { RedirectRules } from '../lib/redirect-rules.ts';
import type { MasterKey } from '../lib/sealing.ts';
import type { Database } from '../storage/database.ts';
import type { ReportTrouble } from '../storage/invalidation.ts';
import type { PeriodicWork } from '../storage/periodic-work.ts';
import { authorizePages } from './authorize/authorize-pages.ts';
import { ClientDirectory } from './clients/client-directory.ts';
import { SecretUses } from './clients/secret-uses.ts';
import { oauthEndpoints } from './endpoints/endpoints.ts';
import { registerEndpoints } from './endpoints/register-endpoints.ts';
import { addHousekeeping } from './housekeeping.ts';
import { ClientLogos } from './logos/client-logos.ts';
import type { OAuthServices } from './oauth-services.ts';
import { BackChannelLogout } from './oidc/back-channel-logout.ts';
import { addKeyRetirement } from './oidc/retire-keys.ts';
import { SigningKeys } from './oidc/signing-keys.ts';
import { AccessTokens } from './tokens/access-tokens.ts';
import { oauthRoutes } from './routes.ts';
import { VerificationPoller } from './verification/verification-poller.ts';

/** What this domain is made from. */
interface OAuthParts {
  database: Database;
  clock: Clock;
  report: ReportTrouble;
  work: PeriodicWork;
  brand: string;
  masterKey: MasterKey;
  iam: Pick<Iam, 'changes' | 'lastUsedGrants' | 'services'>;
  /** Made before the others: to tell who bears a token takes nothing of them. */
  bearers: Bearers;
  tagging: ResourceTagging;
  verification: VerificationSettings;
  /** The public origin, without a path. */
  issuer: () => string;
  /** Where access tokens are good: addresses of the API root and of the gateway. */
  resourceServers: () => readonly string[];
  /** Ranges outside of the public Internet from which the server may fetch logos. */
  upstreamAllow: readonly AllowedTarget[];
  forwardProxies: ForwardProxies;
  /** Redirect URIs that the operator allows. */
  redirectRules: RedirectRules;
}

/** What tells who bears an access token. */
export interface Bearers {
  users: UserDirectory;
  clients: ClientDirectory;
  accessTokens: AccessTokens;
}

export function createBearers(database: Database, clock: Clock, users: UserDirectory): Bearers {
  const clients = new ClientDirectory(database, clock);
  return { users, clients, accessTokens: new AccessTokens({ database, clock, users, clients }) };
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
  /** For people whom a client has sent. */
  pages: Page[];
  /** Adds the endpoints that programs use. */
  register(http: FastifyInstance): Promise<void>;
  /** Cuts off the look-ups and fetches that run, and writes what is left to write. */
  stop(): Promise<void>;
}

// As resolvers of most systems do.
const DNS_TIMEOUT_MS = 5_000;
const DNS_TRIES = 2;
// However many servers there are; well below the lease of a look-up.
const DNS_LIMIT_MS = 15_000;

/** Adds the domain's periodic work, before that is started. */
export function createOAuth(parts: OAuthParts): OAuth {
  const { database, clock, report, work, brand, masterKey, iam, tagging, verification } = parts;
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
  addHousekeeping(work, database);
  addKeyRetirement(work, database, clock);
  const secretUses = new SecretUses(database, clock, report);
  const logos = new ClientLogos(database, clock, parts);
  const signingKeys = new SigningKeys(database, clock, masterKey);
  const logouts = new BackChannelLogout({ ...parts, clients: parts.bearers.clients, signingKeys });
  const services: OAuthServices = {
    database,
    clock,
    report,
    brand,
    changes: iam.changes,
    tagging,
    verifications: { rules, kick: () => poller.kick() },
    masterKey,
    ...parts.bearers,
    failedClients: new AddressBackoff(clock),
    secretUses,
    logos,
    lastUsedGrants: iam.lastUsedGrants,
    signingKeys,
    pages: iam.services,
    issuer: parts.issuer,
    redirectRules: parts.redirectRules,
    resourceServers: parts.resourceServers,
  };
  return {
    routes: oauthRoutes(services),
    pages: authorizePages(services),
    register: (http) =>
      registerEndpoints(http, oauthEndpoints(services), (error) => database.troubleOf(error)),
    async stop() {
      await Promise.all([poller.stop(), secretUses.stop(), logos.stop(), logouts.stop()]);
    },
  };
}
