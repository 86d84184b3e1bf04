import type { Json } from '../../support/server.ts';
import type { Schema } from './schema.ts';

/** Whose shapes an operation answers in. */
export type Kind = 'management' | 'gateway' | 'protocol' | 'page' | 'plain';

/** A parameter of the path or of the query. */
export interface Parameter {
  name: string;
  in: string;
  schema: Schema;
  required: boolean;
}

/** What the server has under one path and method. */
export interface Operation {
  method: string;
  /** With `{name}` for parameters. */
  path: string;
  kind: Kind;
  parameters: readonly Parameter[];
  body: Schema | undefined;
  /** Fields of the form that it takes. */
  form: readonly string[] | undefined;
  /** Schemas of its answers, by status; undefined where the document has none. */
  responses: ReadonlyMap<number, Json> | undefined;
  /** How often it is called, compared with 1. */
  weight: number;
}

const JSON_TYPE = 'application/json';

/** Every operation that the server's own document describes. */
export function documentedOperations(document: Json): Operation[] {
  const paths = Object.entries<Json>(document.paths).filter(
    ([path]) => path.startsWith('/client/v4/') && !path.endsWith('/run/{model}'),
  );
  return paths.flatMap(([path, item]) =>
    Object.entries<Json>(item).map(([method, operation]): Operation => {
      const isGateway = /\/ai\/(v1\/|run)/.test(path);
      const responses = new Map<number, Json>(
        Object.entries<Json>(operation.responses).map(([status, response]) => [
          Number(status),
          response.content?.[JSON_TYPE]?.schema,
        ]),
      );
      return {
        method: method.toUpperCase(),
        path,
        kind: isGateway ? 'gateway' : 'management',
        parameters: (operation.parameters ?? []).map((parameter: Json) => ({ ...parameter })),
        body: isGateway
          ? GATEWAY_BODIES[path.split('/').at(-1) ?? '']
          : operation.requestBody?.content?.[JSON_TYPE]?.schema,
        form: undefined,
        responses: isGateway ? undefined : responses,
        weight: weightOf(method, path),
      };
    }),
  );
}

/** To hash a password takes a tenth of a second on purpose. */
function weightOf(method: string, path: string): number {
  // There must be something left to ask for.
  if (method === 'delete') return path.includes('/user/sessions') ? 0.05 : 0.2;
  if (/\/(sessions|password|confirmation)$/.test(path) && method !== 'get') return 0.1;
  return 1;
}

const text: Schema = { type: 'string' };
const MESSAGE: Schema = {
  type: 'object',
  required: ['role', 'content'],
  properties: {
    role: { enum: ['user', 'assistant', 'system', 'tool', 'developer'] },
    content: {
      anyOf: [
        text,
        {
          type: 'array',
          items: {
            type: 'object',
            required: ['type'],
            properties: {
              type: { enum: ['text', 'image_url', 'input_text', 'tool_use', 'tool_result'] },
              text,
              image_url: { type: 'object', properties: { url: text } },
              id: text,
              tool_use_id: text,
              input: {},
            },
          },
        },
      ],
    },
    tool_calls: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          id: text,
          type: { const: 'function' },
          function: { type: 'object', properties: { name: text, arguments: text } },
        },
      },
    },
    tool_call_id: text,
  },
};
const CHAT: Schema = {
  type: 'object',
  required: ['model', 'messages'],
  properties: {
    model: text,
    messages: { type: 'array', minItems: 1, items: MESSAGE },
    system: text,
    stream: { type: 'boolean' },
    stream_options: { type: 'object', properties: { include_usage: { type: 'boolean' } } },
    max_tokens: { type: 'integer', minimum: 1, maximum: 100 },
    temperature: { type: 'number', minimum: 0, maximum: 2 },
    stop: { anyOf: [text, { type: 'array', items: text }] },
    n: { type: 'integer', minimum: 1, maximum: 2 },
    tools: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          type: { const: 'function' },
          name: text,
          input_schema: {},
          function: {
            type: 'object',
            properties: {
              name: text,
              description: text,
              parameters: { type: 'object', properties: { type: { const: 'object' } } },
            },
          },
        },
      },
    },
    tool_choice: { anyOf: [{ enum: ['auto', 'none', 'required'] }, {}] },
    response_format: {
      anyOf: [
        {
          type: 'object',
          properties: { type: { enum: ['json_object', 'json_schema', 'text'] }, json_schema: {} },
        },
      ],
    },
  },
};
const INPUT: Schema = {
  type: 'object',
  required: ['model', 'input'],
  properties: {
    model: text,
    input: {
      anyOf: [
        text,
        { type: 'array', items: { anyOf: [text, MESSAGE] } },
        {
          type: 'object',
          properties: { prompt: text, messages: { type: 'array', items: MESSAGE } },
        },
      ],
    },
    stream: { type: 'boolean' },
    instructions: text,
    encoding_format: { enum: ['float', 'base64'] },
  },
};

/** The document leaves these to the providers. */
const GATEWAY_BODIES: Readonly<Record<string, Schema>> = {
  completions: CHAT,
  messages: CHAT,
  count_tokens: CHAT,
  responses: INPUT,
  embeddings: INPUT,
  run: INPUT,
};
const UNIVERSAL: Schema = {
  type: 'array',
  minItems: 1,
  items: {
    type: 'object',
    required: ['provider', 'endpoint', 'query'],
    properties: {
      provider: text,
      endpoint: text,
      headers: { type: 'object', additionalProperties: text },
      query: CHAT,
      config: {
        type: 'object',
        properties: {
          requestTimeout: { type: 'integer', minimum: 1, maximum: 100 },
          maxAttempts: { type: 'integer', minimum: 1, maximum: 5 },
          retryDelay: { type: 'integer', minimum: 0, maximum: 5 },
          backoff: { enum: ['constant', 'linear', 'exponential'] },
        },
      },
    },
  },
};

interface Undocumented {
  query?: readonly string[];
  form?: readonly string[];
  body?: Schema;
  weight?: number;
}

const pathParameter = (name: string): Parameter => ({
  name,
  in: 'path',
  schema: text,
  required: true,
});

function undocumented(
  kind: Kind,
  methods: string,
  path: string,
  { query = [], form, body, weight = 1 }: Undocumented = {},
): Operation[] {
  const inPath = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => pathParameter(name));
  const inQuery = query.map((name) => ({ name, in: 'query', schema: text, required: false }));
  return methods.split(' ').map((method) => {
    const takesBody = method !== 'GET' && method !== 'HEAD';
    return {
      method,
      path,
      kind,
      parameters: [...inPath, ...(takesBody && form !== undefined ? [] : inQuery)],
      body: takesBody ? body : undefined,
      form: takesBody ? form : undefined,
      responses: undefined,
      weight,
    };
  });
}

const AUTHORIZATION = [
  'client_id',
  'redirect_uri',
  'response_type',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
  'nonce',
  'prompt',
  'max_age',
  'login_hint',
  'id_token_hint',
  'response_mode',
  'request',
  'request_uri',
  'claims',
  'resource',
  'display',
  'ui_locales',
  'acr_values',
];
const CLIENT = ['client_id', 'client_secret', 'client_assertion', 'client_assertion_type'];
const TOKEN = [
  ...CLIENT,
  'grant_type',
  'code',
  'redirect_uri',
  'code_verifier',
  'refresh_token',
  'scope',
  'resource',
  'audience',
];
const SIGN_IN = ['email', 'password', 'return_to', 'csrf', 'again', 'login_hint'];

/** Operations with bodies of their own: protocols, pages, the gateway host, and files. */
export function otherOperations(): Operation[] {
  const host = '/v1/{account_id}/{gateway_id}';
  const rest = '/client/v4/accounts/{account_id}/ai';
  return [
    ...undocumented('page', 'GET POST', '/oauth2/auth', {
      query: AUTHORIZATION,
      form: AUTHORIZATION,
      weight: 4,
    }),
    ...undocumented('page', 'GET', '/oauth2/auth/resume', { query: ['request'] }),
    ...undocumented('page', 'GET POST', '/oauth2/consent', {
      query: ['transaction'],
      form: ['transaction', 'decision', 'account', 'scope', 'csrf'],
      weight: 2,
    }),
    ...undocumented('page', 'GET POST', '/oauth2/logout', {
      query: ['id_token_hint', 'post_logout_redirect_uri', 'state', 'client_id', 'logout_hint'],
      form: ['id_token_hint', 'post_logout_redirect_uri', 'state', 'client_id', 'csrf'],
    }),
    ...undocumented('protocol', 'POST', '/oauth2/token', { form: TOKEN, weight: 6 }),
    ...undocumented('protocol', 'POST', '/oauth2/par', {
      form: [...AUTHORIZATION, ...CLIENT],
      weight: 3,
    }),
    ...undocumented('protocol', 'POST', '/oauth2/revoke', {
      form: [...CLIENT, 'token', 'token_type_hint'],
      weight: 2,
    }),
    ...undocumented('protocol', 'POST', '/oauth2/introspect', {
      form: [...CLIENT, 'token', 'token_type_hint'],
      weight: 2,
    }),
    ...undocumented('protocol', 'GET POST', '/oauth2/userinfo', { form: ['access_token'] }),
    ...undocumented('protocol', 'GET', '/.well-known/oauth-authorization-server'),
    ...undocumented('protocol', 'GET', '/.well-known/openid-configuration'),
    ...undocumented('protocol', 'GET', '/.well-known/jwks.json'),
    ...undocumented('plain', 'GET', '/oauth2/clients/{client_id}/logo'),
    ...undocumented('page', 'GET POST', '/login', {
      query: ['return_to', 'again', 'login_hint', 'error'],
      form: SIGN_IN,
      weight: 0.5,
    }),
    ...undocumented('page', 'GET POST', '/login/second-factor', {
      query: ['return_to'],
      form: ['code', 'csrf', 'return_to', 'recovery_code'],
    }),
    ...undocumented('page', 'GET POST', '/login/external', {
      query: ['return_to'],
      form: ['return_to', 'csrf'],
      weight: 0.3,
    }),
    ...undocumented('page', 'GET', '/login/external/callback', {
      query: ['code', 'state', 'error', 'iss'],
      weight: 0.3,
    }),
    ...undocumented('page', 'GET POST', '/logout', {
      query: ['return_to'],
      form: ['csrf'],
      weight: 0.3,
    }),
    ...undocumented('page', 'GET POST', '/forgot-password', {
      form: ['email', 'csrf'],
      weight: 0.3,
    }),
    ...undocumented('page', 'GET POST', '/reset-password', {
      query: ['token'],
      form: ['token', 'new_password', 'csrf'],
      weight: 0.3,
    }),
    ...undocumented('page', 'GET POST', '/invitation', {
      query: ['token'],
      form: ['token', 'csrf', 'first_name', 'last_name', 'new_password'],
      weight: 0.3,
    }),
    ...undocumented('page', 'GET', '/signed-in', { weight: 0.3 }),
    ...undocumented('page', 'GET', '/', { weight: 0.3 }),
    ...undocumented('page', 'GET', '/accounts/{account_id}/members', { weight: 0.3 }),
    ...undocumented('page', 'GET', '/profile', { weight: 0.3 }),
    ...undocumented('plain', 'GET', '/dashboard/{file}', { weight: 0.5 }),
    ...undocumented('plain', 'GET', '/docs/static/{file}', { weight: 0.5 }),
    ...undocumented('plain', 'GET', '/healthz'),
    ...undocumented('plain', 'GET', '/readyz'),
    ...undocumented('plain', 'GET', '/metrics', { weight: 0.1 }),
    ...undocumented('plain', 'GET', '/openapi.json', { weight: 0.05 }),
    ...undocumented('plain', 'GET', '/docs/json', { weight: 0.05 }),
    ...undocumented('plain', 'GET', '/docs/yaml', { weight: 0.05 }),
    ...undocumented('plain', 'GET', '/{nothing}'),
    ...undocumented('gateway', 'POST', `${rest}/run/{model}`, { body: INPUT, weight: 2 }),
    ...undocumented('gateway', 'POST', `${rest}/v1/v1/messages`, { body: CHAT }),
    ...undocumented('gateway', 'POST', `${host}/compat/chat/completions`, {
      body: CHAT,
      weight: 3,
    }),
    ...undocumented('gateway', 'POST', `${host}/compat/embeddings`, { body: INPUT }),
    ...undocumented('gateway', 'GET', `${host}/compat/models`),
    ...undocumented('gateway', 'POST', host, { body: UNIVERSAL, weight: 4 }),
    ...undocumented('gateway', 'GET POST PUT PATCH DELETE HEAD', `${host}/{provider}/{rest}`, {
      body: CHAT,
      query: ['a', 'key'],
    }),
  ];
}
