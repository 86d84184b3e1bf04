import type { Changes } from '../iam/changes.ts';
import type { ResourceTagging } from '../iam/own-resources.ts';
import type { Clock } from '../lib/clock.ts';
import type { Database } from '../storage/database.ts';
import type { VerificationRules } from './verification/verification.ts';

/** What the operations of this domain work with. */
export interface OAuthServices {
  database: Database;
  clock: Clock;
  brand: string;
  changes: Changes;
  tagging: ResourceTagging;
  verifications: Verifications;
}

/** The verification of hosts, as operations see it. */
interface Verifications {
  rules: VerificationRules;
  /** After the commit: looks up what is due now. Never waits or throws. */
  kick(): void;
}
