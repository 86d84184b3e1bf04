import type { Generated, Kysely, Transaction as KyselyTransaction } from 'kysely';
import type { Flag, TimeMs } from './column-types.ts';
import type {
  CustomProvidersTable,
  DeletedGatewaysTable,
  GatewayProviderConfigsTable,
  GatewaysTable,
} from './gateway-tables.ts';
import type {
  GatewayLogBodiesTable,
  GatewayLogContextsTable,
  GatewayLogEntriesTable,
  GatewayLogGatewaysTable,
  GatewayLogMetadataTable,
  GatewayLogRollupsTable,
} from './log-tables.ts';
import type {
  OAuthAccessTokensTable,
  OAuthClientLogosTable,
  OAuthClientSecretsTable,
  OAuthClientVerificationsTable,
  OAuthClientsTable,
  OAuthFamiliesTable,
  OAuthLogoutsTable,
  OAuthGrantsTable,
  OAuthRefreshTokensTable,
  OAuthSigningKeysTable,
} from './oauth-tables.ts';
import type {
  TagChangesTable,
  TagHeadsTable,
  TagKeysTable,
  TagPostingsTable,
  TagValuesTable,
  TaggedResourcesTable,
  TaggedTypesTable,
} from './tag-tables.ts';

export interface AccountsTable {
  id: string;
  name: string;
  created_at: TimeMs;
  enforce_twofactor: Generated<Flag>;
  abuse_contact_email: string | null;
  /** JSON: limits of what is spent on its gateways; see src/gateway/account-limits. */
  spend_limits: string | null;
  /** Set from the deletion until the bulk of the account is gone too. */
  deleted_at: TimeMs | null;
}

export interface UsersTable {
  id: string;
  /** As given; unique by `email_folded`. */
  email: string;
  email_folded: string;
  first_name: string | null;
  last_name: string | null;
  /** argon2id in PHC string format; null for who has not chosen one, or signs in otherwise. */
  password_hash: string | null;
  created_at: TimeMs;
  /** When it was shown that the person reads mail to this address. */
  email_verified_at: TimeMs | null;
  /** Since when an operator has locked the person out. */
  locked_at: TimeMs | null;
}

export interface MembersTable {
  account_id: string;
  id: string;
  user_id: string;
  status: 'accepted' | 'pending';
  created_at: TimeMs;
  /** SHA-256 of the secret in the invitation link; null once it was accepted. */
  invitation_digest: string | null;
  invitation_expires_at: TimeMs | null;
  /** `1` when the link went out by mail alone, `0` when somebody else was shown it. */
  invitation_mailed: Generated<Flag>;
  /** The address as the inviter typed it; null once the invitation was accepted. */
  invited_email: string | null;
}

export interface MemberRolesTable {
  account_id: string;
  member_id: string;
  /** A role's slug, see iam/roles.ts. */
  role: string;
}

export interface ApiTokensTable {
  id: string;
  /** The owner: an account, or a person. */
  account_id: string | null;
  user_id: string | null;
  name: string;
  /** SHA-256 of the value in base64url; the value itself is never stored. */
  digest: string;
  status: 'active' | 'disabled';
  /** JSON: StoredPolicy[], see iam/policy.ts. */
  policies: string;
  /** JSON: TokenCondition, see iam/policy.ts. */
  condition: string | null;
  not_before: TimeMs | null;
  expires_at: TimeMs | null;
  issued_at: TimeMs;
  modified_at: TimeMs;
  last_used_at: TimeMs | null;
  /** Email address of the user who created the token, as it was then. */
  creator_email: string | null;
  /** The OAuth client that created the token for the user. */
  creator_client_id: string | null;
}

export interface SessionsTable {
  id: string;
  user_id: string;
  /** SHA-256 of the cookie's value. */
  digest: string;
  /** `0` while the second factor is still missing. */
  is_complete: Flag;
  /** JSON: how the person was authenticated, see iam/sessions. */
  methods: string;
  created_at: TimeMs;
  /** When the person last proved who they are. */
  authenticated_at: TimeMs;
  last_seen_at: TimeMs;
  expires_at: TimeMs;
  ip: string;
  user_agent: string;
  /** Names the session to OAuth clients; a new sign-in of the same user in the same browser keeps it. */
  sid: string | null;
}

/** Ended sessions for which no logout tokens are queued yet. */
export interface EndedSessionsTable {
  sid: string;
  user_id: string;
}

export interface KnownDevicesTable {
  user_id: string;
  /** SHA-256 of a cookie that a browser keeps from its first sign-in on. */
  digest: string;
  last_used_at: TimeMs;
}

export interface SignInFailuresTable {
  /** What is counted: an address, an account, or both together. */
  name: string;
  failures: number;
  /** When the first of them was. */
  counted_since: TimeMs;
  last_failed_at: TimeMs;
  blocked_until: TimeMs;
}

export interface OneTimeSecretsTable {
  /** SHA-256 of the secret. */
  digest: string;
  purpose: string;
  user_id: string | null;
  /** JSON, for whoever redeems the secret. */
  payload: string;
  expires_at: TimeMs;
}

export interface ExternalIdentitiesTable {
  /** Of an OpenID provider. */
  issuer: string;
  subject: string;
  user_id: string;
  created_at: TimeMs;
  last_used_at: TimeMs;
}

export interface TotpFactorsTable {
  user_id: string;
  /** Sealed, see lib/sealing.ts. */
  sealed_secret: string;
  created_at: TimeMs;
  /** Null until the person has shown a right code. */
  confirmed_at: TimeMs | null;
  /** The latest time step whose code was used: no code works twice. */
  last_step: number;
}

export interface RecoveryCodesTable {
  user_id: string;
  digest: string;
}

export interface PasskeysTable {
  id: string;
  /** As the authenticator names it, base64url. */
  credential_id: string;
  user_id: string;
  name: string;
  /** COSE key, base64url. */
  public_key: string;
  sign_count: number;
  /** JSON: string[]. */
  transports: string;
  created_at: TimeMs;
  last_used_at: TimeMs | null;
}

export interface AuditHeadsTable {
  chain_id: string;
  /** Of the latest row. */
  seq: number;
  hash: string;
}

export interface AuditLogsTable {
  /** The account, or the person, whose log it is. */
  chain_id: string;
  /** Counts from 1 without gaps. */
  seq: number;
  id: string;
  created_at: TimeMs;
  account_name: string | null;
  action_type: string;
  action_result: 'success' | 'failure';
  action_description: string;
  actor_type: string;
  actor_id: string | null;
  actor_email: string | null;
  actor_ip_address: string | null;
  actor_token_id: string | null;
  actor_token_name: string | null;
  actor_context: string;
  resource_type: string;
  resource_id: string | null;
  resource_product: string;
  resource_scope: string;
  /** JSON, without secrets. */
  resource_request: string | null;
  resource_response: string | null;
  request_id: string | null;
  request_method: string | null;
  request_uri: string | null;
  request_status_code: number | null;
  request_user_agent: string | null;
  /** See iam/audit/audit-chain.ts. */
  hash: string;
}

export interface IdempotencyKeysTable {
  /** Of the caller, the operation and the key. */
  digest: string;
  request_digest: string;
  /** Sealed under a key that only the caller can name. */
  sealed_answer: string;
  created_at: TimeMs;
}

export interface InstallationTable {
  name: string;
  value: string;
}

export interface OutgoingMailTable {
  id: string;
  recipient: string;
  /** Subject and text, sealed: it holds links that are secrets. */
  sealed: string;
  created_at: TimeMs;
  attempts: number;
  next_attempt_at: TimeMs;
}

export interface LeasesTable {
  name: string;
  holder: string;
  expires_at: TimeMs;
}

/** The parts of the windows of quotas, see quota-store.ts. */
export interface QuotaWindowsTable {
  name: string;
  /** Of a fixed window or a part of a sliding one; -1: a sliding quota as a whole. */
  window_start: TimeMs;
  /** When the units no longer count. */
  expires_at: TimeMs;
  /** Units that all nodes together have leased. */
  leased: number;
  /** Of quotas that are reported together. */
  family: string | null;
  /** JSON: what distinguishes the quota from others of its family. */
  part: string | null;
}

/** Calls that providers bill after their response. */
export interface GatewayDeferredCallsTable {
  id: string;
  account_id: string;
  gateway_id: string;
  provider: string;
  /** The id that the provider uses. */
  external_id: string;
  sealed: string;
  created_at: TimeMs;
  next_poll_at: TimeMs;
}

export interface SchemaMigrationsTable {
  name: string;
  applied_at: TimeMs;
}

export interface Schema {
  schema_migrations: SchemaMigrationsTable;
  leases: LeasesTable;
  quota_windows: QuotaWindowsTable;
  accounts: AccountsTable;
  users: UsersTable;
  members: MembersTable;
  member_roles: MemberRolesTable;
  api_tokens: ApiTokensTable;
  sessions: SessionsTable;
  known_devices: KnownDevicesTable;
  sign_in_failures: SignInFailuresTable;
  ended_sessions: EndedSessionsTable;
  one_time_secrets: OneTimeSecretsTable;
  external_identities: ExternalIdentitiesTable;
  totp_factors: TotpFactorsTable;
  recovery_codes: RecoveryCodesTable;
  passkeys: PasskeysTable;
  audit_heads: AuditHeadsTable;
  audit_logs: AuditLogsTable;
  idempotency_keys: IdempotencyKeysTable;
  installation: InstallationTable;
  outgoing_mail: OutgoingMailTable;
  oauth_clients: OAuthClientsTable;
  oauth_logouts: OAuthLogoutsTable;
  oauth_client_secrets: OAuthClientSecretsTable;
  oauth_client_verifications: OAuthClientVerificationsTable;
  oauth_client_logos: OAuthClientLogosTable;
  oauth_grants: OAuthGrantsTable;
  oauth_families: OAuthFamiliesTable;
  oauth_access_tokens: OAuthAccessTokensTable;
  oauth_refresh_tokens: OAuthRefreshTokensTable;
  oauth_signing_keys: OAuthSigningKeysTable;
  gateways: GatewaysTable;
  deleted_gateways: DeletedGatewaysTable;
  gateway_deferred_calls: GatewayDeferredCallsTable;
  gateway_provider_configs: GatewayProviderConfigsTable;
  custom_providers: CustomProvidersTable;
  gateway_log_gateways: GatewayLogGatewaysTable;
  gateway_log_contexts: GatewayLogContextsTable;
  gateway_log_entries: GatewayLogEntriesTable;
  gateway_log_bodies: GatewayLogBodiesTable;
  gateway_log_metadata: GatewayLogMetadataTable;
  gateway_log_rollups: GatewayLogRollupsTable;
  tagged_resources: TaggedResourcesTable;
  tag_heads: TagHeadsTable;
  tag_postings: TagPostingsTable;
  tag_changes: TagChangesTable;
  tag_keys: TagKeysTable;
  tag_values: TagValuesTable;
  tagged_types: TaggedTypesTable;
}

/** What store functions take first: the read side, or the transaction they are part of. */
export type Db = Kysely<Schema>;

/** An open transaction; everything written through it is on disk once it has committed. */
export type Transaction = KyselyTransaction<Schema>;
