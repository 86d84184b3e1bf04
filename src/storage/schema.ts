import type { Kysely, Transaction as KyselyTransaction } from 'kysely';

/** `1` or `0`: SQLite has no booleans, so neither has the schema. */
export type Flag = 0 | 1;

/** Milliseconds since the Unix epoch. */
export type TimeMs = number;

export interface AccountsTable {
  id: string;
  name: string;
  created_at: TimeMs;
}

export interface UsersTable {
  id: string;
  /** As given; unique by `email_folded`. */
  email: string;
  email_folded: string;
  first_name: string | null;
  last_name: string | null;
  /** argon2id in PHC string format. */
  password_hash: string;
  created_at: TimeMs;
}

export interface MembersTable {
  account_id: string;
  id: string;
  user_id: string;
  status: 'accepted' | 'pending';
  created_at: TimeMs;
}

export interface MemberRolesTable {
  account_id: string;
  member_id: string;
  /** A role's slug, see iam/roles.ts. */
  role: string;
}

export interface ApiTokensTable {
  id: string;
  account_id: string;
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
}

export interface GatewaysTable {
  account_id: string;
  /** Chosen by the user, unique in the account. */
  id: string;
  authentication: Flag;
  allow_stored_keys_unauthenticated: Flag;
  collect_logs: Flag;
  cache_invalidate_on_update: Flag;
  created_at: TimeMs;
  modified_at: TimeMs;
}

export interface GatewayLogsTable {
  account_id: string;
  gateway_id: string;
  /** UUIDv7 of the moment the request came in. */
  id: string;
  created_at: TimeMs;
  duration_ms: number;
  /** Time to the first byte of the answer. */
  ttft_ms: number | null;
  provider: string;
  model: string;
  path: string;
  status_code: number;
  success: Flag;
  tokens_in: number | null;
  tokens_out: number | null;
  request_type: string;
  request_content_type: string | null;
  response_content_type: string | null;
  token_id: string | null;
}

export interface OAuthClientsTable {
  id: string;
  account_id: string;
  name: string;
  /** JSON: string[], as are all columns below that hold several values. */
  grant_types: string;
  token_endpoint_auth_method: 'client_secret_basic' | 'client_secret_post' | 'none';
  redirect_uris: string;
  scopes: string;
  optional_scopes: string;
  post_logout_redirect_uris: string;
  allowed_cors_origins: string;
  logo_uri: string | null;
  policy_uri: string | null;
  tos_uri: string | null;
  client_uri: string | null;
  visibility: 'private' | 'public';
  created_at: TimeMs;
  updated_at: TimeMs;
  promoted_at: TimeMs | null;
}

export interface OAuthClientSecretsTable {
  client_id: string;
  /** SHA-256 of the secret in base64url; the secret itself is never stored. */
  digest: string;
  created_at: TimeMs;
  last_used_at: TimeMs | null;
}

export interface TaggedResourcesTable {
  account_id: string;
  /** Place in every list, see tags/resource-sequence.ts. */
  seq: number;
  resource_type: string;
  resource_id: string;
  name: string;
  /** See tags/fold.ts; so are all folded columns below. */
  name_folded: string;
  etag: string;
  tags_updated_at: TimeMs;
  worker_id: string | null;
  zone_id: string | null;
  access_application_id: string | null;
  /** Canonical JSON (RFC 8785) of all tags. */
  tags: string;
}

export interface ResourceTagsTable {
  account_id: string;
  seq: number;
  key: string;
  /** Stands for the value, see tags/value-key.ts. */
  value_key: string;
}

export interface TagKeysTable {
  account_id: string;
  key: string;
  resource_type: string;
  key_folded: string;
  /** Resources of the type that have the key. */
  resource_count: number;
}

export interface TagValuesTable {
  account_id: string;
  key: string;
  value_key: string;
  resource_type: string;
  value: string;
  key_folded: string;
  /** Value key of the folded value. */
  value_folded: string;
  /** Resources of the type that have the key with the value. */
  resource_count: number;
}

export interface TaggedTypesTable {
  account_id: string;
  resource_type: string;
  /** Resources of the type that have tags. */
  resource_count: number;
}

export interface LeasesTable {
  name: string;
  holder: string;
  expires_at: TimeMs;
}

export interface SchemaMigrationsTable {
  name: string;
  applied_at: TimeMs;
}

export interface Schema {
  schema_migrations: SchemaMigrationsTable;
  leases: LeasesTable;
  accounts: AccountsTable;
  users: UsersTable;
  members: MembersTable;
  member_roles: MemberRolesTable;
  api_tokens: ApiTokensTable;
  oauth_clients: OAuthClientsTable;
  oauth_client_secrets: OAuthClientSecretsTable;
  gateways: GatewaysTable;
  gateway_logs: GatewayLogsTable;
  tagged_resources: TaggedResourcesTable;
  resource_tags: ResourceTagsTable;
  tag_keys: TagKeysTable;
  tag_values: TagValuesTable;
  tagged_types: TaggedTypesTable;
}

/** What store functions take first: the read side, or the transaction they are part of. */
export type Db = Kysely<Schema>;

/** An open transaction; everything written through it is on disk once it has committed. */
export type Transaction = KyselyTransaction<Schema>;
