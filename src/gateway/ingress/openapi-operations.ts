import {
  type OpenApiOperation,
  type OpenApiPath,
  type SelfDescribed,
  describeItself,
} from '../../http/openapi-operations.ts';
import type { Operation } from '../providers/provider.ts';
import { gatewaySchemas } from './openapi-schemas.ts';

const TAG = 'AI gateway';
const SECURITY = [{ apiToken: [] }, { session: [] }, { oauth2: ['ai-gateway.run'] }, {}];
const HOST_SECURITY = [{ gatewayToken: [] }, {}];
const NEEDS =
  '\n\nRequires: `ai-gateway.run` (AI Gateway Run), unless authentication is disabled for the gateway.';

const FAILURES: Record<string, string> = {
  400: 'The request is not valid',
  401: 'The credential is missing or not valid',
  403: 'The credential lacks the permission',
  404: 'The gateway or the model does not exist',
  413: 'The body is too large',
  429: 'A rate limit or a spend limit is reached',
  502: 'The provider failed',
  504: 'The provider did not respond in time',
};

const pathParameter = (name: string, description: string): object => ({
  name,
  in: 'path',
  required: true,
  description,
  schema: { type: 'string' },
});

const ACCOUNT = pathParameter('account_id', 'The account');
const GATEWAY = pathParameter('gateway_id', 'The gateway');
const GATEWAY_HEADER = {
  name: 'cf-aig-gateway-id',
  in: 'header',
  description: 'The gateway. Default: `default`',
  schema: { type: 'string' },
};

const content = (schema: string): object => ({
  'application/json': { schema: { $ref: `#/components/schemas/${schema}` } },
});

const EVENTS = {
  'text/event-stream': {
    schema: { type: 'string', description: 'Server-sent events, with `stream: true`' },
  },
};

function responses(success: object): Record<string, object> {
  const failures = Object.entries(FAILURES).map(([status, description]) => [
    status,
    { description, content: content('GatewayFailure') },
  ]);
  return { 200: { description: 'Success', content: success }, ...Object.fromEntries(failures) };
}

interface Bodies {
  request?: string;
  response: string;
  hasEvents?: boolean;
}

function describeOperation(
  [operationId, summary, description]: readonly [string, string, string],
  { request, response, hasEvents }: Bodies,
  rest: Pick<OpenApiOperation, 'security' | 'parameters'>,
): OpenApiOperation {
  return {
    operationId,
    summary,
    tags: [TAG],
    description: description + NEEDS,
    ...rest,
    ...(request !== undefined && { requestBody: { required: true, content: content(request) } }),
    responses: responses({ ...content(response), ...(hasEvents === true && EVENTS) }),
  };
}

const OPERATIONS: Readonly<Record<Operation, readonly [string, string, Bodies]>> = {
  'chat/completions': [
    'chat-completion',
    'Compatible with the OpenAI API. Configure an OpenAI client with a base URL that ends in `/v1` or `/compat` and an API token as the key.',
    { request: 'ChatCompletionRequest', response: 'ChatCompletion', hasEvents: true },
  ],
  responses: [
    'response',
    'Compatible with the OpenAI Responses API.',
    { request: 'ResponseRequest', response: 'Response', hasEvents: true },
  ],
  embeddings: [
    'embeddings',
    'Compatible with the OpenAI API.',
    { request: 'EmbeddingsRequest', response: 'Embeddings' },
  ],
  messages: [
    'message',
    'Compatible with the Anthropic API. Configure an Anthropic client with a base URL that ends in `/ai` and an API token as the key.',
    { request: 'MessageRequest', response: 'Message', hasEvents: true },
  ],
  'messages/count_tokens': [
    'token-count',
    'Compatible with the Anthropic API: counts the tokens of a message without sending it.',
    { request: 'TokenCountRequest', response: 'TokenCount' },
  ],
};

const sentence = (id: string): string => {
  const text = id.replaceAll('-', ' ');
  return `Create ${text === 'embeddings' ? text : `a ${text}`}`;
};

const describePath = (operations: OpenApiPath, path?: string): SelfDescribed =>
  describeItself({
    operations,
    schemas: gatewaySchemas,
    ...(path !== undefined && { path }),
  });

/** Describes an operation of the REST API. */
export function describeRest(operation: Operation): SelfDescribed {
  const [id, description, bodies] = OPERATIONS[operation];
  return describePath({
    post: describeOperation([`create-${id}`, sentence(id), description], bodies, {
      security: SECURITY,
      parameters: [ACCOUNT, GATEWAY_HEADER],
    }),
  });
}

/** Describes an operation of the gateway host. */
export function describeCompat(operation: Operation): SelfDescribed {
  const [id, description, bodies] = OPERATIONS[operation];
  const words = [
    `create-gateway-${id}`,
    `${sentence(id)} on the gateway host`,
    description,
  ] as const;
  return describePath({
    post: describeOperation(words, bodies, {
      security: HOST_SECURITY,
      parameters: [ACCOUNT, GATEWAY],
    }),
  });
}

const LIST_PARAMETERS = [
  {
    name: 'limit',
    in: 'query',
    description: 'Number of models, 1 to 1000. Default: all',
    schema: { type: 'string' },
  },
  {
    name: 'after_id',
    in: 'query',
    description: 'Returns the models behind this one',
    schema: { type: 'string' },
  },
];

const LIST_MODELS =
  'Returns the aliases of the gateway and the models of all providers that it has a key for or that need none, custom providers included, in the format of the OpenAI or the Anthropic API.';

/** Describes the list of models of the REST API. */
export const restModelsDescription = describePath({
  get: describeOperation(
    ['list-models', 'List models', LIST_MODELS],
    { response: 'ModelList' },
    { security: SECURITY, parameters: [ACCOUNT, GATEWAY_HEADER, ...LIST_PARAMETERS] },
  ),
});

/** Describes the list of models of the gateway host. */
export const compatModelsDescription = describePath({
  get: describeOperation(
    ['list-gateway-models', 'List models on the gateway host', LIST_MODELS],
    { response: 'ModelList' },
    { security: HOST_SECURITY, parameters: [ACCOUNT, GATEWAY, ...LIST_PARAMETERS] },
  ),
});

const withBraces = (url: string): string => url.replaceAll(/:(\w+)/g, '{$1}');

const MODEL_PARAMETER = pathParameter('model', '`provider/model`. Its slashes need no encoding');

/**
 * Describes one model of the REST API.
 * @param rest path of the REST API, as Fastify takes it
 */
export const describeModel = (rest: string): SelfDescribed =>
  describePath(
    {
      get: describeOperation(
        ['get-model', 'Get a model', 'Returns one of the known models.'],
        { response: 'Model' },
        { security: SECURITY, parameters: [ACCOUNT, MODEL_PARAMETER, GATEWAY_HEADER] },
      ),
    },
    `${withBraces(rest)}/v1/models/{model}`,
  );

const RUN_BODIES: Bodies = { request: 'RunRequest', response: 'RunResult', hasEvents: true };

/** Describes `POST …/ai/run`. */
export const runDescription = describePath({
  post: describeOperation(
    [
      'run-model',
      'Run a model',
      'The body is `{model, input}`. The response has the envelope of this API.',
    ],
    RUN_BODIES,
    { security: SECURITY, parameters: [ACCOUNT, GATEWAY_HEADER] },
  ),
});

/**
 * Describes `POST …/ai/run/{model}`.
 * @param rest path of the REST API, as Fastify takes it
 */
export const describeRunByPath = (rest: string): SelfDescribed =>
  describePath(
    {
      post: {
        ...describeOperation(
          [
            'run-named-model',
            'Run a model that the path names',
            'The body is the input of the model. The response has the envelope of this API.',
          ],
          RUN_BODIES,
          { security: SECURITY, parameters: [ACCOUNT, MODEL_PARAMETER, GATEWAY_HEADER] },
        ),
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { type: 'object' } } },
        },
      },
    },
    `${withBraces(rest)}/run/{model}`,
  );

/** Describes the universal endpoint. */
export const universalDescription = describePath({
  post: describeOperation(
    [
      'create-universal-request',
      'Call a provider, with fallbacks',
      'Each entry of the list is a call. The gateway makes the next one if a call fails. GET opens a WebSocket for such requests.',
    ],
    { request: 'UniversalRequest', response: 'UniversalResponse', hasEvents: true },
    { security: HOST_SECURITY, parameters: [ACCOUNT, GATEWAY] },
  ),
});

const NATIVE_METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** Describes the native paths of providers. */
export const nativeDescription = describePath(
  Object.fromEntries(
    NATIVE_METHODS.map((method) => [
      method,
      {
        operationId: `call-provider-with-${method}`,
        summary: `Call a native path of a provider with ${method.toUpperCase()}`,
        tags: [TAG],
        description: `The gateway forwards the request to the provider, with its key. The path has the form of the provider, and its slashes need no encoding.${NEEDS}`,
        security: HOST_SECURITY,
        parameters: [
          ACCOUNT,
          GATEWAY,
          pathParameter('provider', 'The provider, such as `openai`'),
          pathParameter('path', 'Path of the API of the provider'),
        ],
        ...(method !== 'get' &&
          method !== 'delete' && {
            requestBody: { content: { '*/*': { schema: {} } } },
          }),
        responses: responses({ '*/*': { schema: {} } }),
      },
    ]),
  ),
  '/v1/{account_id}/{gateway_id}/{provider}/{path}',
);
