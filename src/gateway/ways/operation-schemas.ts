import type { Operation } from '../providers/provider.ts';

const NEEDS = [
  '\n\nRequires: `ai-gateway.run` (AI Gateway Run), unless authentication is disabled for the gateway.',
].join(' ');

const MODEL = [
  '`model` has the form `provider/model`, such as `local/echo`; the header `cf-aig-gateway-id` selects a gateway.',
].join(' ');

function schema(operationId: string, summary: string, description: string): object {
  return {
    operationId,
    summary,
    tags: ['AI gateway'],
    description: `${description} ${MODEL}${NEEDS}`,
  };
}

/** For the reference only: bodies are the provider's affair and are not validated here. */
export const operationSchemas: Readonly<Record<Operation, object>> = {
  'chat/completions': schema(
    'create-chat-completion',
    'Chat completion',
    'Compatible with the OpenAI API. Configure an OpenAI client with a base URL that ends in `/ai/v1` and an API token as the key.',
  ),
  responses: schema('create-response', 'Response', 'Compatible with the OpenAI Responses API.'),
  embeddings: schema('create-embeddings', 'Embeddings', 'Compatible with the OpenAI API.'),
  messages: schema(
    'create-message',
    'Message',
    'Compatible with the Anthropic API. Configure an Anthropic client with a base URL that ends in `/ai` and an API token as the key.',
  ),
  'messages/count_tokens': schema(
    'count-message-tokens',
    'Count the tokens of a message',
    'Compatible with the Anthropic API.',
  ),
};

export const listModelsSchema = {
  operationId: 'list-models',
  summary: 'List models',
  tags: ['AI gateway'],
  description: `Returns the aliases of the gateway and the models of all providers that it has a key for or that need none, custom providers included, in the format of the OpenAI or the Anthropic API.${NEEDS}`,
  querystring: {
    type: 'object',
    properties: {
      limit: { type: 'string', description: 'Number of models, 1 to 1000. Default: all' },
      after_id: { type: 'string', description: 'Returns the models behind this one' },
    },
  },
};

export const getModelSchema = {
  operationId: 'get-model',
  summary: 'Get a model',
  tags: ['AI gateway'],
  description: `Returns one of the known models, by \`provider/model\`.${NEEDS}`,
};

export const runSchema = schema(
  'run-model',
  'Run a model',
  'The body is `{model, input}`, or only the input if the path ends with the model. The response has the envelope of this API.',
);
