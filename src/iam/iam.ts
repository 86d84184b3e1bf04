import type { AccessControl } from '../http/register-routes.ts';
import type { Clock } from '../lib/clock.ts';
import type { MasterKey } from '../lib/sealing.ts';
import type { Database } from '../storage/database.ts';
import type { ReportTrouble } from '../storage/invalidation.ts';
import type { PeriodicWork } from '../storage/periodic-work.ts';
import { Quotas } from '../storage/quotas.ts';
import { LastUsed } from './api-tokens/last-used.ts';
import { RefusalLog } from './audit/refusal-log.ts';
import { createAccessControl } from './authorize.ts';
import { Changes } from './changes.ts';
import { Credentials } from './credentials.ts';
import { addHousekeeping } from './housekeeping.ts';
import type { IamServices } from './iam-services.ts';
import type { Mailer } from './mail/mailer.ts';
import { createMail } from './mail/outbox.ts';
import type { ResourceTagging } from './own-resources.ts';
import type { Principal } from './principal.ts';
import { RateLimiter } from './rate-limiter.ts';
import type { Access, ManagementRoute } from './route.ts';
import { iamRoutes } from './routes.ts';
import { type CookieNames, cookieNames } from './sessions/session-cookie.ts';
import { UserDirectory } from './users/user-directory.ts';

/** What this domain is made from. */
export interface IamParts {
  database: Database;
  clock: Clock;
  report: ReportTrouble;
  brand: string;
  masterKey: MasterKey;
  mailer: Mailer | undefined;
  work: PeriodicWork;
  /** API requests per five minutes and credential; 0 for no limit. */
  rateLimit: number;
  tagging: ResourceTagging;
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
  accessControl: AccessControl<Principal, Access>;
  routes: ManagementRoute[];
  start(): void;
  /** Writes what is buffered. */
  stop(): Promise<void>;
}

export function createIam(parts: IamParts): Iam {
  const { database, clock, report, brand, tagging, origin, work, mailer } = parts;
  const mail = createMail({
    database,
    clock,
    report,
    work,
    mailer,
    sealer: parts.masterKey.sealer('outgoing_mail'),
  });
  addHousekeeping(work, database, clock);
  const users = new UserDirectory(database, clock);
  const credentials = new Credentials(database, clock, users);
  const changes = new Changes(database, clock);
  const lastUsed = new LastUsed(database, clock, report);
  const cookies = cookieNames(parts.isSecure);
  const refusals = new RefusalLog(database, clock, report);
  const services: IamServices = {
    database,
    clock,
    brand,
    changes,
    cookies,
    credentials,
    mail,
    masterKey: parts.masterKey,
    origin,
    report,
    tagging,
    users,
  };
  return {
    cookies,
    credentials,
    changes,
    lastUsed,
    accessControl: createAccessControl({
      credentials,
      lastUsed,
      refusals,
      cookies,
      rateLimiter: createRateLimiter(parts),
      clock,
    }),
    routes: iamRoutes(services),
    start: () => lastUsed.start(),
    stop: () => lastUsed.stop(),
  };
}

function createRateLimiter(parts: IamParts): RateLimiter | undefined {
  const { database, clock, report, rateLimit } = parts;
  if (rateLimit === 0) return undefined;
  return new RateLimiter(new Quotas(database, clock, report), rateLimit);
}
