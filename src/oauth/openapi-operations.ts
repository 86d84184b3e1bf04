import type { OpenApiOperation, OpenApiPath } from '../http/openapi-operations.ts';

const TAG = 'OAuth and OpenID Connect';

// A confidential client authenticates by Basic, or by members of the form; a public client sends `client_id`.
const CLIENT_SECURITY = [{ clientSecret: [] }, {}];

const text = (description: string): object => ({ type: 'string', description });

const CLIENT_MEMBERS = {
  client_id: text('The OAuth client, unless the header `Authorization` names it'),
  client_secret: text('Its secret, for clients with `client_secret_post`'),
};

const ERROR_SCHEMA = {
  type: 'object',
  required: ['error'],
  properties: {
    error: text('Error code of RFC 6749 section 5.2 and its extensions'),
    error_description: { type: 'string' },
  },
};

function json(description: string, schema: object = { type: 'object' }): object {
  return { description, content: { 'application/json': { schema } } };
}

const ERRORS: Record<string, object> = {
  400: json('The request is not valid', ERROR_SCHEMA),
  401: json('The client or the token is not valid', ERROR_SCHEMA),
  429: json('Too many failed attempts', ERROR_SCHEMA),
  503: json('The database is unavailable', ERROR_SCHEMA),
};

/** @param properties of the form */
function form(properties: Record<string, object>, required: string[]): object {
  return {
    required: true,
    content: {
      'application/x-www-form-urlencoded': { schema: { type: 'object', required, properties } },
    },
  };
}

const TOKENS_SCHEMA = {
  type: 'object',
  required: ['access_token', 'token_type', 'expires_in'],
  properties: {
    access_token: { type: 'string' },
    token_type: { type: 'string', enum: ['Bearer'] },
    expires_in: { type: 'integer', description: 'Lifetime in seconds' },
    scope: text('The granted scopes, separated by spaces'),
    refresh_token: text('With the grant type `refresh_token` and the scope `offline_access`'),
    id_token: text('A JWT, with the scope `openid`'),
  },
};

const AUTHORIZATION_MEMBERS: Record<string, object> = {
  client_id: text('The OAuth client'),
  response_type: { type: 'string', enum: ['code'] },
  redirect_uri: text('One of the registered redirect URIs'),
  scope: text('Scopes, separated by spaces'),
  state: text('Returned unchanged'),
  code_challenge: text('PKCE (RFC 7636). Clients without a secret must send it'),
  code_challenge_method: { type: 'string', enum: ['S256'] },
  nonce: text('Returned in the ID token'),
  prompt: text('`none`, `login`, `consent` or `select_account`'),
  max_age: text('Highest age of the sign-in, in seconds'),
  login_hint: text('Email address for the sign-in page'),
  id_token_hint: text('An ID token of the expected user'),
  response_mode: { type: 'string', enum: ['query', 'form_post'] },
  resource: text('Where the access token is used (RFC 8707)'),
  request_uri: text('The response of `/oauth2/par`; replaces the other parameters'),
};

const LOGOUT_MEMBERS: Record<string, object> = {
  id_token_hint: text('An ID token of the user. Without it, a page asks the user'),
  client_id: text('The OAuth client'),
  post_logout_redirect_uri: text('One of the registered URIs'),
  state: text('Returned unchanged'),
};

function queryOf(members: Record<string, object>, required: string[] = []): object[] {
  return Object.entries(members).map(([name, { description, ...schema }]: [string, Described]) => ({
    name,
    in: 'query',
    ...(description !== undefined && { description }),
    ...(required.includes(name) && { required: true }),
    schema,
  }));
}

type Described = { description?: string };

const PAGES: Record<string, object> = {
  200: {
    description: 'A page for the user',
    content: { 'text/html': { schema: { type: 'string' } } },
  },
  303: { description: 'Redirect to the next page or to the client' },
  400: {
    description: 'The request is not valid, and the client is not known',
    content: { 'text/html': { schema: { type: 'string' } } },
  },
};

const describeOperation = (
  operationId: string,
  summary: string,
  rest: Omit<OpenApiOperation, 'operationId' | 'summary' | 'tags'>,
): OpenApiOperation => ({ operationId, summary, tags: [TAG], ...rest });

const METADATA_RESPONSES = { 200: json('Metadata') };

const USERINFO = {
  description: 'OpenID Connect Core section 5.3. The access token needs the scope `openid`.',
  security: [{ oauth2: [] }],
  responses: {
    200: {
      description: 'Claims of the granted scopes',
      content: {
        'application/json': { schema: { type: 'object', required: ['sub'] } },
      },
    },
    ...ERRORS,
    403: json('The token lacks the scope `openid`', ERROR_SCHEMA),
  },
};

/** The operations of the authorization server, by path. */
const OPERATIONS: Readonly<Record<string, OpenApiPath>> = {
  '/oauth2/auth': {
    get: describeOperation('authorize-client', 'Authorize a client', {
      description:
        'Authorization endpoint (RFC 6749 section 3.1). Send the browser of the user here.',
      security: [],
      parameters: queryOf(AUTHORIZATION_MEMBERS, ['client_id']),
      responses: PAGES,
    }),
    post: describeOperation('authorize-client-by-form', 'Authorize a client, with a form', {
      description: 'As GET, for requests that are too long for an address.',
      security: [],
      requestBody: form(AUTHORIZATION_MEMBERS, ['client_id']),
      responses: PAGES,
    }),
  },
  '/oauth2/par': {
    post: describeOperation('push-authorization-request', 'Push an authorization request', {
      description: 'Pushed authorization requests (RFC 9126).',
      security: CLIENT_SECURITY,
      requestBody: form({ ...CLIENT_MEMBERS, ...AUTHORIZATION_MEMBERS }, []),
      responses: {
        201: json('The request is stored', {
          type: 'object',
          required: ['request_uri', 'expires_in'],
          properties: {
            request_uri: text('For the authorization endpoint'),
            expires_in: { type: 'integer', description: 'Lifetime in seconds' },
          },
        }),
        ...ERRORS,
      },
    }),
  },
  '/oauth2/token': {
    post: describeOperation('create-tokens', 'Redeem a code or a refresh token', {
      description: 'Token endpoint (RFC 6749 section 3.2).',
      security: CLIENT_SECURITY,
      requestBody: form(
        {
          grant_type: { type: 'string', enum: ['authorization_code', 'refresh_token'] },
          code: text('With `authorization_code`'),
          redirect_uri: text('As in the authorization request'),
          code_verifier: text('PKCE (RFC 7636)'),
          refresh_token: text('With `refresh_token`'),
          scope: text('Fewer scopes, with `refresh_token`'),
          ...CLIENT_MEMBERS,
        },
        ['grant_type'],
      ),
      responses: { 200: json('Tokens', TOKENS_SCHEMA), ...ERRORS },
    }),
  },
  '/oauth2/revoke': {
    post: describeOperation('revoke-token', 'Revoke a token', {
      description: 'Token revocation (RFC 7009). The response is the same for unknown tokens.',
      security: CLIENT_SECURITY,
      requestBody: form({ token: text('Access or refresh token'), ...CLIENT_MEMBERS }, ['token']),
      responses: { 200: json('Revoked'), ...ERRORS },
    }),
  },
  '/oauth2/introspect': {
    post: describeOperation('introspect-token', 'Introspect an access token', {
      description:
        'Token introspection (RFC 7662), for access tokens of the client itself. Refresh tokens are reported as inactive.',
      security: [{ clientSecret: [] }, {}],
      requestBody: form({ token: text('An access token'), ...CLIENT_MEMBERS }, ['token']),
      responses: {
        200: json('State of the token', {
          type: 'object',
          required: ['active'],
          properties: {
            active: { type: 'boolean' },
            scope: { type: 'string' },
            client_id: { type: 'string' },
            username: { type: 'string' },
            sub: { type: 'string' },
            exp: { type: 'integer' },
            iat: { type: 'integer' },
            iss: { type: 'string' },
            token_type: { type: 'string' },
          },
        }),
        ...ERRORS,
      },
    }),
  },
  '/oauth2/userinfo': {
    get: describeOperation('get-userinfo', 'Get the claims of the user', USERINFO),
    post: describeOperation('post-userinfo', 'Get the claims of the user, with POST', USERINFO),
  },
  '/oauth2/logout': {
    get: describeOperation('end-session', 'Sign the user out', {
      description: 'OpenID Connect RP-Initiated Logout. Send the browser of the user here.',
      security: [],
      parameters: queryOf(LOGOUT_MEMBERS),
      responses: PAGES,
    }),
    post: describeOperation('end-session-by-form', 'Sign the user out, with a form', {
      description: 'As GET, for requests that are too long for an address.',
      security: [],
      requestBody: form(LOGOUT_MEMBERS, []),
      responses: PAGES,
    }),
  },
  '/oauth2/clients/{client_id}/logo': {
    get: describeOperation('get-client-logo', 'Get the logo of a client', {
      description: "The server's copy of the logo, or a tile with the first letter of the name.",
      security: [],
      parameters: [{ name: 'client_id', in: 'path', required: true, schema: { type: 'string' } }],
      responses: {
        200: {
          description: 'The image',
          content: { 'image/*': { schema: { type: 'string', format: 'binary' } } },
        },
        404: json('The client does not exist', ERROR_SCHEMA),
      },
    }),
  },
  '/.well-known/openid-configuration': {
    get: describeOperation('get-openid-configuration', 'Get the OpenID provider metadata', {
      description: 'OpenID Connect Discovery section 4.',
      security: [],
      responses: METADATA_RESPONSES,
    }),
  },
  '/.well-known/oauth-authorization-server': {
    get: describeOperation('get-authorization-server', 'Get the authorization server metadata', {
      description: 'RFC 8414 section 3.',
      security: [],
      responses: METADATA_RESPONSES,
    }),
  },
  '/.well-known/jwks.json': {
    get: describeOperation('get-signing-keys', 'Get the keys of ID tokens', {
      description: 'JSON Web Key Set (RFC 7517).',
      security: [],
      responses: {
        200: {
          description: 'The keys',
          content: {
            'application/json': {
              schema: {
                type: 'object',
                required: ['keys'],
                properties: { keys: { type: 'array', items: { type: 'object' } } },
              },
            },
          },
        },
      },
    }),
  },
};

/**
 * Adds the operations of the OpenAPI document to endpoints and pages.
 * @param endpoints with their paths, in which parameters are written as `:name`
 */
export function describeEndpoints<
  Described extends { path: string; operations?: OpenApiPath | undefined },
>(endpoints: readonly Described[]): Described[] {
  return endpoints.map((endpoint) => {
    const operations = OPERATIONS[endpoint.path.replaceAll(/:(\w+)/g, '{$1}')];
    return { ...endpoint, operations };
  });
}
