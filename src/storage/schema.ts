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
}

/** What store functions take first: the read side, or the transaction they are part of. */
export type Db = Kysely<Schema>;

/** An open transaction; everything written through it is on disk once it has committed. */
export type Transaction = KyselyTransaction<Schema>;
