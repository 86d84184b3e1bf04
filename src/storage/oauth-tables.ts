import type { TimeMs } from './column-types.ts';

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

export interface OAuthClientVerificationsTable {
  client_id: string;
  /** Of the client's `client_uri`. */
  host: string;
  /** What a TXT record of the host must hold. */
  expected_text: string;
  status: 'pending' | 'in_progress' | 'verified' | 'failed';
  deadline_at: TimeMs;
  attempts: number;
  /** Null when no look-up will follow. */
  next_check_at: TimeMs | null;
  last_checked_at: TimeMs | null;
  last_result: 'found' | 'no_record' | 'other_records' | 'no_answer' | null;
  verified_at: TimeMs | null;
  /** Daily look-ups in a row whose answer was without the record of a verified host. */
  misses: number;
  /** Names the look-up that runs now; both null while none does. */
  lease_id: string | null;
  lease_until: TimeMs | null;
}
