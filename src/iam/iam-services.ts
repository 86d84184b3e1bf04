import type { Clock } from '../lib/clock.ts';
import type { MasterKey } from '../lib/sealing.ts';
import type { Database } from '../storage/database.ts';
import type { ReportTrouble } from '../storage/invalidation.ts';
import type { Changes } from './changes.ts';
import type { Credentials } from './credentials.ts';
import type { Mail } from './mail/outbox.ts';
import type { ResourceTagging } from './own-resources.ts';
import type { CookieNames } from './sessions/session-cookie.ts';
import type { UserDirectory } from './users/user-directory.ts';

/** What the operations of this domain work with. */
export interface IamServices {
  database: Database;
  clock: Clock;
  /** Names this installation in resource names: `com.<brand>.api.account.<id>`. */
  brand: string;
  changes: Changes;
  cookies: CookieNames;
  credentials: Credentials;
  mail: Mail;
  masterKey: MasterKey;
  /** Address at which browsers reach the server, without a path: `https://id.example.com`. */
  origin: () => string;
  report: ReportTrouble;
  tagging: ResourceTagging;
  users: UserDirectory;
}
