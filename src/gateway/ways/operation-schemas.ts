import type { Operation } from '../providers/provider.ts';

const NEEDS = [
  '\n\nNeeds: `ai-gateway.run` (AI Gateway Run), unless the gateway has authentication switched off.',
].join(' ');

const MODEL = [
  '`model` is `provider/model`, such as `local/echo`; the header `cf-aig-gateway-id` picks a gateway.',
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
    'Speaks the OpenAI API: an OpenAI client works with the base address up to `/ai/v1` and an API token as its key.',
  ),
  responses: schema('create-response', 'Response', 'Speaks the OpenAI Responses API.'),
  embeddings: schema('create-embeddings', 'Embeddings', 'Speaks the OpenAI API.'),
  messages: schema(
    'create-message',
    'Message',
    'Speaks the Anthropic API: an Anthropic client works with the base address up to `/ai` and an API token as its key.',
  ),
  'messages/count_tokens': schema(
    'count-message-tokens',
    'Count the tokens of a message',
    'Speaks the Anthropic API.',
  ),
};

export const listModelsSchema = {
  operationId: 'list-models',
  summary: 'List models',
  tags: ['AI gateway'],
  description: `The known models of the providers that the gateway has a key for, for clients of the OpenAI and the Anthropic API.${NEEDS}`,
};

export const getModelSchema = {
  operationId: 'get-model',
  summary: 'Get a model',
  tags: ['AI gateway'],
  description: `One of the known models, by \`provider/model\`.${NEEDS}`,
};

export const runSchema = schema(
  'run-model',
  'Run a model',
  'Takes `{model, input}`, or, with the model at the end of the path, the input alone; answers with the envelope of this API.',
);
