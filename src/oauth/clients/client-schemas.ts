import { type Static, Type } from 'typebox';
import { describeRecord } from '../../http/record.ts';
import { AccountParams } from '../../iam/route.ts';
import { DEFAULT_SCOPES } from './scopes.ts';
import { VerificationSchema } from '../verification/verification-presenter.ts';

const MAX_NAME_LENGTH = 255;

export const AUTH_METHODS = ['client_secret_basic', 'client_secret_post', 'none'] as const;

const AuthMethodSchema = Type.Enum([...AUTH_METHODS], {
  description: '`none` is for applications that cannot keep a secret. They must use PKCE with S256',
});
const NameSchema = Type.String({
  minLength: 1,
  maxLength: MAX_NAME_LENGTH,
  description: 'Display name on the consent page',
});

// The rules of the lists have codes of their own, so they stand in parse-client-input.ts alone; the
// schemas here only say what is a list of texts.
function texts(description: string, options: { default?: string[] } = {}) {
  return Type.Array(Type.String(), { description, ...options });
}

/** Not a union, whose faults name each branch. */
function textsOrNull(description: string) {
  const items = { type: 'string' };
  return Type.Unsafe<string[] | null>({ type: ['array', 'null'], items, description });
}

const REDIRECT_RULES =
  'absolute, at most 2048 characters, without fragment, user name, wildcard, blank or backslash; https, or http for localhost, 127.0.0.1 and [::1], or for clients without secret a private-use scheme in reverse-domain form. The settings REDIRECT_SCHEMES and REDIRECT_HTTP_HOSTS allow more';

const ResponseTypesSchema = texts('Exactly `["code"]`');
const SigningAlgSchema = Type.Enum(['ES256', 'RS256'], {
  default: 'ES256',
  description: 'Signature algorithm of ID tokens. Default: ES256',
});
const GrantTypesSchema = texts('`authorization_code`, and `refresh_token` if wanted');
const RedirectUrisSchema = texts(`1 to 100, each ${REDIRECT_RULES}. Stored byte for byte`);

// An empty text or null says that there is none, so that a change can take one away.
function webUri(description: string) {
  return Type.Optional(
    Type.Union([Type.String(), Type.Null()], {
      description: `${description}: https (http for loopback hosts), at most 2048 characters. Empty or null for none`,
    }),
  );
}

const optionalFields = {
  scopes: Type.Optional(
    texts(
      'Ids from the list of scopes, or `profile` and `email`. The server always adds `openid`, and adds `offline_access` if grant_types contains refresh_token',
      { default: [...DEFAULT_SCOPES] },
    ),
  ),
  optional_scopes: Type.Optional(
    texts('Scopes that the user may decline; never openid or offline_access', { default: [] }),
  ),
  post_logout_redirect_uris: Type.Optional(textsOrNull(`At most 100, each ${REDIRECT_RULES}`)),
  logo_uri: webUri('Logo of the client'),
  policy_uri: webUri('Privacy policy'),
  tos_uri: webUri('Terms of service'),
  client_uri: webUri('Home page of the client, whose host can be verified'),
  allowed_cors_origins: Type.Optional(
    textsOrNull(
      'At most 100 origins whose pages may call the token endpoint: scheme, host and port',
    ),
  ),
  id_token_signed_response_alg: Type.Optional(SigningAlgSchema),
  id_token_claims: Type.Optional(
    Type.Boolean({
      default: true,
      description:
        'ID tokens contain the claims of the granted scopes `profile`, `email` and `groups`. Userinfo always returns them',
    }),
  ),
  backchannel_logout_uri: Type.Optional(
    Type.Union([Type.String(), Type.Null()], {
      description:
        'The server posts a logout token there when a session ends in which a user has authorized the client: https (http for the hosts of redirect URIs), without fragment. Empty or null for none',
    }),
  ),
  backchannel_logout_session_required: Type.Optional(
    Type.Union([Type.Boolean(), Type.Null()], {
      description: 'The client requires `sid` in logout tokens, which the server always sends',
    }),
  ),
};

export const CreateClientSchema = Type.Object(
  {
    client_name: NameSchema,
    response_types: ResponseTypesSchema,
    grant_types: GrantTypesSchema,
    token_endpoint_auth_method: AuthMethodSchema,
    redirect_uris: RedirectUrisSchema,
    ...optionalFields,
  },
  { additionalProperties: false },
);

export type CreateClientInput = Static<typeof CreateClientSchema>;

export const UpdateClientSchema = Type.Object(
  {
    client_name: Type.Optional(NameSchema),
    response_types: Type.Optional(ResponseTypesSchema),
    grant_types: Type.Optional(GrantTypesSchema),
    token_endpoint_auth_method: Type.Optional(AuthMethodSchema),
    redirect_uris: Type.Optional(RedirectUrisSchema),
    ...optionalFields,
    visibility: Type.Optional(
      Type.Enum(['private', 'public'], {
        description:
          'Only members of the account can authorize a private client; any user can authorize a public one. A public client needs a logo, a client_uri with a verified host and at least one permission in its scopes. It cannot become private again',
      }),
    ),
  },
  { additionalProperties: false },
);

export type UpdateClientInput = Static<typeof UpdateClientSchema>;

export const SecretsSchema = Type.Array(
  Type.Object({
    created_at: Type.String(),
    last_used_at: Type.Union([Type.String(), Type.Null()]),
  }),
  { description: 'Creation time and last use of each secret, oldest first, without values' },
);

export const ClientSchema = Type.Object({
  client_id: Type.String(),
  client_name: Type.String(),
  response_types: Type.Array(Type.Enum(['code'])),
  grant_types: Type.Array(Type.Enum(['authorization_code', 'refresh_token'])),
  token_endpoint_auth_method: AuthMethodSchema,
  redirect_uris: Type.Array(Type.String()),
  scopes: Type.Array(Type.String()),
  optional_scopes: Type.Optional(Type.Array(Type.String())),
  post_logout_redirect_uris: Type.Optional(Type.Array(Type.String())),
  logo_uri: Type.Optional(Type.String()),
  policy_uri: Type.Optional(Type.String()),
  tos_uri: Type.Optional(Type.String()),
  client_uri: Type.Optional(Type.String()),
  allowed_cors_origins: Type.Optional(Type.Array(Type.String())),
  id_token_signed_response_alg: SigningAlgSchema,
  id_token_claims: Type.Boolean(),
  backchannel_logout_uri: Type.Optional(Type.String()),
  backchannel_logout_session_required: Type.Optional(Type.Boolean()),
  client_uri_verification: Type.Optional(VerificationSchema),
  visibility: Type.Enum(['private', 'public']),
  has_rotated_secret: Type.Boolean({ description: 'True if a second secret exists' }),
  secrets: SecretsSchema,
  created_at: Type.String(),
  updated_at: Type.String(),
  promoted_at: Type.Optional(
    Type.String({ description: 'Time at which the client became public' }),
  ),
});

/** An OAuth client for GET, PATCH and DELETE. */
export const CLIENT_RECORD = describeRecord(ClientSchema, UpdateClientSchema, [
  'client_uri_verification',
  'has_rotated_secret',
  'secrets',
  'created_at',
  'updated_at',
  'promoted_at',
]);

export const CreatedClientSchema = Type.Object({
  ...ClientSchema.properties,
  client_secret: Type.Optional(
    Type.String({ description: 'Shown only once; absent if the authentication method is none' }),
  ),
});

export const ClientParams = Type.Object({
  ...AccountParams.properties,
  client_id: Type.String({ description: 'Client id: 32 hex digits' }),
});
