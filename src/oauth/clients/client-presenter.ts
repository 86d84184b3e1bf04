import { showMembers } from '../../iam/audit/audit-view.ts';
import type { Static } from 'typebox';
import { auditedChangeOf } from '../../iam/audit/audited-change.ts';
import { formatTime } from '../../lib/clock.ts';
import type { ClientSchema, SecretsSchema } from './client-schemas.ts';
import { presentVerification } from '../verification/verification-presenter.ts';
import type { ClientSecret } from './client-secret-store.ts';
import type { OAuthClient } from './client-store.ts';

/** A client as the API shows it; never a secret. */
export function presentClient(client: OAuthClient): Static<typeof ClientSchema> {
  return {
    client_id: client.id,
    client_name: client.name,
    // The only one there is (seed section 5.3), hence not stored.
    response_types: ['code'],
    grant_types: client.grantTypes,
    token_endpoint_auth_method: client.authMethod,
    redirect_uris: client.redirectUris,
    scopes: client.scopes,
    ...(client.optionalScopes.length === 0 ? {} : { optional_scopes: client.optionalScopes }),
    ...(client.postLogoutRedirectUris && {
      post_logout_redirect_uris: client.postLogoutRedirectUris,
    }),
    ...presentWebUris(client),
    ...(client.allowedCorsOrigins && { allowed_cors_origins: client.allowedCorsOrigins }),
    id_token_signed_response_alg: client.idTokenAlg,
    id_token_claims: client.hasIdTokenClaims,
    ...(client.backchannelLogoutUri !== undefined && {
      backchannel_logout_uri: client.backchannelLogoutUri,
    }),
    ...(client.isLogoutSessionRequired !== undefined && {
      backchannel_logout_session_required: client.isLogoutSessionRequired,
    }),
    ...(client.verification === undefined
      ? {}
      : { client_uri_verification: presentVerification(client.verification) }),
    visibility: client.visibility,
    has_rotated_secret: client.secrets.length > 1,
    secrets: presentSecrets(client.secrets),
    created_at: formatTime(client.createdAtMs),
    updated_at: formatTime(client.updatedAtMs),
    ...(client.promotedAtMs === undefined ? {} : { promoted_at: formatTime(client.promotedAtMs) }),
  };
}

/** When secrets were made and last used; nothing of the secrets themselves. */
export function presentSecrets(secrets: readonly ClientSecret[]): Static<typeof SecretsSchema> {
  return secrets.map(({ createdAtMs, lastUsedAtMs }) => ({
    created_at: formatTime(createdAtMs),
    last_used_at: lastUsedAtMs === undefined ? null : formatTime(lastUsedAtMs),
  }));
}

/** Those that are set. */
function presentWebUris({ logoUri, policyUri, tosUri, clientUri }: OAuthClient) {
  return {
    ...(logoUri === undefined ? {} : { logo_uri: logoUri }),
    ...(policyUri === undefined ? {} : { policy_uri: policyUri }),
    ...(tosUri === undefined ? {} : { tos_uri: tosUri }),
    ...(clientUri === undefined ? {} : { client_uri: clientUri }),
  };
}

/** A change of an OAuth client, for the audit log. */
export const clientChange = auditedChangeOf(
  { type: 'oauth_client', product: 'oauth_clients' },
  showMembers(
    'id',
    'client_id',
    'client_name',
    'response_types',
    'grant_types',
    'visibility',
    'token_endpoint_auth_method',
    'redirect_uris',
    'post_logout_redirect_uris',
    'scopes',
    'optional_scopes',
    'logo_uri',
    'policy_uri',
    'tos_uri',
    'client_uri',
    'allowed_cors_origins',
    'id_token_signed_response_alg',
    'id_token_claims',
    'backchannel_logout_uri',
    'backchannel_logout_session_required',
    'client_uri_verification',
    'has_rotated_secret',
    'secrets',
    'created_at',
    'updated_at',
    'promoted_at',
  ),
);
