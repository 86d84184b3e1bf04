import type { FastifyInstance } from 'fastify';
import type { AccessControl } from '../http/register-routes.ts';
import type { Clock } from '../lib/clock.ts';
import type { MasterKey } from '../lib/sealing.ts';
import type { Database } from '../storage/database.ts';
import type { ReportTrouble } from '../storage/invalidation.ts';
import type { PeriodicWork } from '../storage/periodic-work.ts';
import { Quotas } from '../storage/quotas.ts';
import type { DeleteAccountData, PurgeAccountData } from './accounts/delete-account-contents.ts';
import { addAccountPurge } from './accounts/purge-deleted-accounts.ts';
import { Afterwards } from './afterwards.ts';
import { tokenUses } from './api-tokens/token-store.ts';
import { RefusalLog } from './audit/refusal-log.ts';
import { createAccessControl } from './access/authorize.ts';
import { Changes } from './changes.ts';
import { type AccessTokenResolver, Credentials } from './credentials.ts';
import { addHousekeeping } from './housekeeping.ts';
import type { IamServices } from './iam-services.ts';
import { LastUsed, type UseStore } from './last-used.ts';
import type { Mailer } from './mail/mailer.ts';
import { createMail } from './mail/outbox.ts';
import type { ResourceTagging } from './own-resources.ts';
import type { Page, PageServices } from './pages/page.ts';
import { registerPages } from './pages/register-pages.ts';
import type { Principal } from './principal.ts';
import { RateLimiter } from './rate-limiter.ts';
import type { Access, ManagementRoute } from './route.ts';
import { iamRoutes } from './routes.ts';
import { type CookieNames, cookieNames } from './sessions/session-cookie.ts';
import { sessionUses } from './sessions/session-store.ts';
import { createExternalSignIn } from './single-sign-on/external-sign-in.ts';
import type { OpenIdProviderSettings } from './single-sign-on/openid-provider.ts';
import type { PasswordHasher } from './users/password.ts';
import type { UserDirectory } from './users/user-directory.ts';
import { mailSealer } from './mail/mail-store.ts';

/** What this domain is made from. */
export interface IamParts {
  database: Database;
  clock: Clock;
  report: ReportTrouble;
  brand: string;
  masterKey: MasterKey;
  mailer: Mailer | undefined;
  /** Where people may sign in too. */
  openIdProvider: OpenIdProviderSettings | undefined;
  hasPasswords: boolean;
  work: PeriodicWork;
  passwords: PasswordHasher;
  users: UserDirectory;
  /** Who bears an OAuth access token. */
  accessTokens: AccessTokenResolver;
  /** Where is kept when OAuth clients last acted for a person. */
  grantUses: UseStore;
  /** API requests per five minutes and credential; 0 for no limit. */
  rateLimit: number;
  tagging: ResourceTagging;
  /** What the other domains delete together with an account, in its transaction. */
  deleteAccountData: readonly DeleteAccountData[];
  /** What they have so much of that it goes afterwards, a little at a time. */
  purgeAccountData: readonly PurgeAccountData[];
  /** Address at which browsers reach the server, without a path: `https://id.example.com`. */
  origin: () => string;
  /** Whether browsers reach it over https, as far as is known before the first request. */
  isSecure: boolean;
}

/** Accounts, people and tokens as the rest of the server sees them. */
export interface Iam {
  cookies: CookieNames;
  credentials: Credentials;
  changes: Changes;
  lastUsed: LastUsed;
  lastUsedGrants: LastUsed;
  /** What pages of other domains work with, as ours do. */
  services: PageServices;
  accessControl: AccessControl<Principal, Access>;
  routes: ManagementRoute[];
  /**
   * Adds the pages.
   * @param others pages of other domains, which look alike
   */
  register(http: FastifyInstance, others?: readonly Page[]): Promise<void>;
  start(): void;
  /** Writes what is buffered. */
  stop(): Promise<void>;
}

export function createIam(parts: IamParts): Iam {
  const { database, clock, report, brand, tagging, origin, users, work, mailer } = parts;
  const sealer = mailSealer(parts.masterKey);
  const mail = createMail({ database, clock, report, work, mailer, sealer });
  addHousekeeping(work, database);
  const credentials = new Credentials(database, clock, users, parts.accessTokens);
  const changes = new Changes(database, clock);
  const lastUsed = new LastUsed(database, clock, report, tokenUses);
  const lastSeen = new LastUsed(database, clock, report, sessionUses);
  const lastUsedGrants = new LastUsed(database, clock, report, parts.grantUses);
  const cookies = cookieNames(parts.isSecure);
  const refusals = new RefusalLog(database, clock, report);
  const afterwards = new Afterwards(report);
  const services: IamServices = {
    afterwards,
    database,
    clock,
    brand,
    changes,
    cookies,
    credentials,
    rateLimiter: createRateLimiter(parts),
    externalSignIn: createExternalSignIn(parts.openIdProvider, clock),
    lastSeen,
    mail,
    masterKey: parts.masterKey,
    origin,
    hasPasswords: parts.hasPasswords,
    passwords: parts.passwords,
    deleteAccountData: parts.deleteAccountData,
    purgeDeletedAccounts: addAccountPurge(parts),
    report,
    tagging,
    users,
  };
  return {
    cookies,
    credentials,
    changes,
    lastUsed,
    lastUsedGrants,
    services,
    accessControl: createAccessControl({
      credentials,
      lastUsed,
      lastSeen,
      lastUsedGrants,
      refusals,
      cookies,
      rateLimiter: services.rateLimiter,
      clock,
    }),
    routes: iamRoutes(services),
    register: (http, others = []) => registerPages(http, services, others),
    start() {
      lastUsed.start();
      lastSeen.start();
      lastUsedGrants.start();
    },
    async stop() {
      await afterwards.settled();
      await Promise.all([lastUsed.stop(), lastSeen.stop(), lastUsedGrants.stop()]);
    },
  };
}

function createRateLimiter(parts: IamParts): RateLimiter | undefined {
  const { database, clock, report, rateLimit } = parts;
  if (rateLimit === 0) return undefined;
  return new RateLimiter(new Quotas(database, clock, report), rateLimit);
}
