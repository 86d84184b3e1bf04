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
  /** JSON: spend limits of all its gateways; see src/gateway/account-limits. */
  spend_limits: string | null;
  /** Set from the deletion until all data of the account is deleted. */
  deleted_at: TimeMs | null;
}

export interface UsersTable {
  id: string;
  /** As the user wrote it; unique by `email_folded`. */
  email: string;
  email_folded: string;
  first_name: string | null;
  last_name: string | null;
  /** argon2id in PHC string format. Null: the user has no password. */
  password_hash: string | null;
  created_at: TimeMs;
  /** Time at which the user proved to read mail at this address. */
  email_verified_at: TimeMs | null;
  /** Time at which an operator locked the user. */
  locked_at: TimeMs | null;
}

export interface MembersTable {
  account_id: string;
  id: string;
  user_id: string;
  status: 'accepted' | 'pending';
  created_at: TimeMs;
  /** SHA-256 of the secret in the invitation link. Null after acceptance. */
  invitation_digest: string | null;
  invitation_expires_at: TimeMs | null;
  /** `1`: the link was sent by mail only. `0`: another user has seen it. */
  invitation_mailed: Generated<Flag>;
  /** The address as the inviter wrote it. Null after acceptance. */
  invited_email: string | null;
}

export interface MemberRolesTable {
  account_id: string;
  member_id: string;
  /** Slug of a role, see iam/roles.ts. */
  role: string;
}

export interface ApiTokensTable {
  id: string;
  /** The owner: an account or a user. */
  account_id: string | null;
  user_id: string | null;
  name: string;
  /** SHA-256 of the value in base64url. The value is never stored. */
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
  /** Email address of the creator at that time. */
  creator_email: string | null;
  /** The OAuth client that created the token for the user. */
  creator_client_id: string | null;
}

export interface SessionsTable {
  id: string;
  user_id: string;
  /** SHA-256 of the cookie's value. */
  digest: string;
  /** `0`: the second factor is missing. */
  is_complete: Flag;
  /** JSON: authentication methods, see iam/sessions. */
  methods: string;
  created_at: TimeMs;
  /** Time of the last authentication. */
  authenticated_at: TimeMs;
  last_seen_at: TimeMs;
  expires_at: TimeMs;
  ip: string;
  user_agent: string;
  /** The `sid` of the session in ID tokens. A new sign-in of the same user in the same browser keeps it. */
  sid: string | null;
}

/** Ended sessions for which no logout tokens are queued yet. */
export interface EndedSessionsTable {
  sid: string;
  user_id: string;
}

export interface KnownDevicesTable {
  user_id: string;
  /** SHA-256 of a cookie that the browser has since its first sign-in. */
  digest: string;
  last_used_at: TimeMs;
}

export interface SignInFailuresTable {
  /** Key of the counter: an address, a user or both. */
  name: string;
  failures: number;
  /** Time of the first attempt. */
  counted_since: TimeMs;
  last_failed_at: TimeMs;
  blocked_until: TimeMs;
}

export interface OneTimeSecretsTable {
  /** SHA-256 of the secret. */
  digest: string;
  purpose: string;
  user_id: string | null;
  /** JSON: the state for the holder of the secret. */
  payload: string;
  expires_at: TimeMs;
}

export interface ExternalIdentitiesTable {
  /** Issuer of the OpenID provider. */
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
  /** Null until the user has entered a valid code. */
  confirmed_at: TimeMs | null;
  /** The time step of the last used code: no code works twice. */
  last_step: number;
}

export interface RecoveryCodesTable {
  user_id: string;
  digest: string;
}

export interface PasskeysTable {
  id: string;
  /** Credential id of the authenticator, base64url. */
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
  /** Number of the last row. */
  seq: number;
  hash: string;
}

export interface AuditLogsTable {
  /** The account or user of the log. */
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
  /** Digest of the caller, the operation and the key. */
  digest: string;
  request_digest: string;
  /** Encrypted with a key that only the client can supply. */
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
  /** Subject and text, encrypted, because they contain secret links. */
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

/** Parts of quota windows, see quota-store.ts. */
export interface QuotaWindowsTable {
  name: string;
  /** Start of a fixed window or of a part of a sliding window. -1: a sliding quota as a whole. */
  window_start: TimeMs;
  /** Time at which the units no longer count. */
  expires_at: TimeMs;
  /** Units leased by all nodes. */
  leased: number;
  /** Group of quotas that are reported together. */
  family: string | null;
  /** JSON: the values that distinguish the quota from others of its family. */
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

/** The first parameter of store functions: the read connection or a transaction. */
export type Db = Kysely<Schema>;

/** An open transaction. After its commit, all its writes are on disk. */
export type Transaction = KyselyTransaction<Schema>;
