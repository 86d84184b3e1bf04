import type { Generated } from 'kysely';
import type { Flag, TimeMs } from './column-types.ts';

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
  /** With what ID tokens for the client are signed. */
  id_token_signed_response_alg: Generated<'ES256' | 'RS256'>;
  id_token_claims: Generated<Flag>;
  backchannel_logout_uri: string | null;
  /** Null: not sent. */
  backchannel_logout_session_required: Flag | null;
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

export interface OAuthGrantsTable {
  id: string;
  user_id: string;
  client_id: string;
  /** JSON: string[], sorted. */
  accounts: string;
  /** JSON: string[]. */
  scopes: string;
  /** JSON: string[]: what the client has asked for and the person has not allowed. */
  declined_scopes: string;
  /** JSON: {origin: string[]}: the scopes that the person has allowed for each redirect origin. */
  redirect_origins: Generated<string>;
  created_at: TimeMs;
  updated_at: TimeMs;
  last_used_at: TimeMs | null;
}

export interface OAuthFamiliesTable {
  id: string;
  grant_id: string;
  /** JSON: string[]. */
  scopes: string;
  /** SHA-256 of the code in base64url. */
  code_digest: string;
  code_expires_at: TimeMs;
  code_used_at: TimeMs | null;
  /** As the authorization request has named it. */
  redirect_uri: string;
  /** S256, see RFC 7636 section 4.2. */
  code_challenge: string | null;
  nonce: string | null;
  /** When the person had last proved who they are. */
  authenticated_at: TimeMs;
  created_at: TimeMs;
  /** From then on nothing of the family can be of use, not even to recognise reuse. */
  expires_at: TimeMs;
  /** How often its tokens were refreshed; those who tried at the same time count too. */
  refreshes: Generated<number>;
  /** The session in which the user has authorized the client; null in authorizations of earlier versions. */
  sid: string | null;
}

/** Logout tokens that are to be sent. */
export interface OAuthLogoutsTable {
  /** Also the `jti` of the token. */
  id: string;
  client_id: string;
  user_id: string;
  sid: string;
  attempts: number;
  due_at: TimeMs;
  created_at: TimeMs;
}

export interface OAuthAccessTokensTable {
  /** SHA-256 of the token in base64url. */
  digest: string;
  family_id: string;
  /** JSON: string[]. */
  scopes: string;
  created_at: TimeMs;
  expires_at: TimeMs;
}

export interface OAuthRefreshTokensTable {
  /** SHA-256 of the token in base64url. */
  digest: string;
  family_id: string;
  created_at: TimeMs;
  /** Of one that was used: until then its reuse is recognised. */
  expires_at: TimeMs;
  used_at: TimeMs | null;
  /** Of the refresh token that came out of its use. */
  successor_digest: string | null;
  /**
   * What its use was answered with, sealed under a key made from the token itself. Null again when
   * nobody can ask for it any more.
   */
  response: string | null;
}

export interface OAuthSigningKeysTable {
  /** The `kid` (RFC 7517 section 4.5): the key's thumbprint. */
  id: string;
  alg: 'ES256' | 'RS256';
  /** JSON. */
  public_jwk: string;
  /** JSON, sealed under the master key. */
  private_jwk: string;
  created_at: TimeMs;
  /** Published before, so that clients know it when the first signature comes. */
  signs_from: TimeMs;
  /** Null until a younger key has taken over. */
  published_until: TimeMs | null;
}

export interface OAuthClientLogosTable {
  client_id: string;
  /** From where it was fetched. */
  logo_uri: string;
  /** Null, as is the content, when there was nothing to be had. */
  content_type: string | null;
  /** In base64. */
  content: string | null;
  fetched_at: TimeMs;
}
