import type { Clock } from '../lib/clock.ts';
import type { MasterKey } from '../lib/sealing.ts';
import type { Database } from '../storage/database.ts';
import type { ReportTrouble } from '../storage/invalidation.ts';
import type { DeleteAccountData } from './accounts/delete-account-contents.ts';
import type { Afterwards } from './afterwards.ts';
import type { Changes } from './changes.ts';
import type { Credentials } from './credentials.ts';
import type { LastUsed } from './last-used.ts';
import type { Mail } from './mail/outbox.ts';
import type { ResourceTagging } from './own-resources.ts';
import type { CookieNames } from './sessions/session-cookie.ts';
import type { ExternalSignIn } from './single-sign-on/external-sign-in.ts';
import type { RateLimiter } from './rate-limiter.ts';
import type { PasswordHasher } from './users/password.ts';
import type { UserDirectory } from './users/user-directory.ts';

/** What the operations of this domain work with. */
export interface IamServices {
  afterwards: Afterwards;
  database: Database;
  clock: Clock;
  /** Names this installation in resource names: `com.<brand>.api.account.<id>`. */
  brand: string;
  changes: Changes;
  cookies: CookieNames;
  credentials: Credentials;
  /** The limit of requests per credential; undefined: there is none. */
  rateLimiter: RateLimiter | undefined;
  /** What the other domains delete together with an account. */
  deleteAccountData: readonly DeleteAccountData[];
  /** Where people sign in with their organisation's own server, if that is set up. */
  externalSignIn: ExternalSignIn | undefined;
  /** Of sessions. */
  lastSeen: LastUsed;
  mail: Mail;
  masterKey: MasterKey;
  /** Address at which browsers reach the server, without a path: `https://id.example.com`. */
  origin: () => string;
  /** False if users sign in without passwords. */
  hasPasswords: boolean;
  passwords: PasswordHasher;
  /** After the commit: begins to remove the bulk of deleted accounts. Never waits or throws. */
  purgeDeletedAccounts: () => void;
  report: ReportTrouble;
  tagging: ResourceTagging;
  users: UserDirectory;
}
