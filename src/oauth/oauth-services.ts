import type { AddressBackoff } from '../iam/address-backoff.ts';
import type { Changes } from '../iam/changes.ts';
import type { LastUsed } from '../iam/last-used.ts';
import type { ResourceTagging } from '../iam/own-resources.ts';
import type { PageServices } from '../iam/pages/page.ts';
import type { UserDirectory } from '../iam/users/user-directory.ts';
import type { AllowedTarget } from '../lib/allowed-targets.ts';
import type { Clock } from '../lib/clock.ts';
import type { ForwardProxies } from '../lib/forward-proxies.ts';
import type { RedirectRules } from '../lib/redirect-rules.ts';
import type { MasterKey } from '../lib/sealing.ts';
import type { Database } from '../storage/database.ts';
import type { ReportTrouble } from '../storage/invalidation.ts';
import type { ClientDirectory } from './clients/client-directory.ts';
import type { SecretUses } from './clients/secret-uses.ts';
import type { ClientLogos } from './logos/client-logos.ts';
import type { SigningKeys } from './oidc/signing-keys.ts';
import type { AccessTokens } from './tokens/access-tokens.ts';
import type { VerificationRules } from './verification/verification.ts';

/** What the operations of this domain work with. */
export interface OAuthServices {
  database: Database;
  clock: Clock;
  report: ReportTrouble;
  brand: string;
  changes: Changes;
  tagging: ResourceTagging;
  verifications: Verifications;
  masterKey: MasterKey;
  clients: ClientDirectory;
  logos: ClientLogos;
  /** Slows down who fails to authenticate as a client. */
  failedClients: AddressBackoff;
  secretUses: SecretUses;
  users: UserDirectory;
  accessTokens: AccessTokens;
  /** Of what people have let clients do. */
  lastUsedGrants: LastUsed;
  signingKeys: SigningKeys;
  /** What pages work with. */
  pages: PageServices;
  /** The issuer identifier (RFC 8414 section 2): the public origin, without a path. */
  issuer: () => string;
  redirectRules: RedirectRules;
  /** Where access tokens are good, for `resource` parameters (RFC 8707): API root and gateway. */
  resourceServers: () => readonly string[];
}

/** The verification of hosts, as operations see it. */
interface Verifications {
  rules: VerificationRules;
  /** After the commit: looks up what is due now. Never waits or throws. */
  kick(): void;
}

/** Destinations and routes of outbound connections. */
export interface NetworkRules {
  /** Destinations outside of the public Internet. */
  upstreamAllow: readonly AllowedTarget[];
  forwardProxies: ForwardProxies;
}
