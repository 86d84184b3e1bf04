/** Components of the OpenAPI document: bodies of the gateway. Providers accept further members than those listed. */

const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` });

const list = (items: object): object => ({ type: 'array', items });

const TEXT = { type: 'string' };
const COUNT = { type: 'integer', minimum: 0 };
const BOOLEAN = { type: 'boolean' };

const MODEL = {
  type: 'string',
  description: '`provider/model`, such as `local/echo`, or an alias of the gateway',
};

function object(properties: Record<string, object>, required: string[] = []): object {
  return { type: 'object', properties, required, additionalProperties: true };
}

const CONTENT = { anyOf: [TEXT, list(object({ type: TEXT, text: TEXT }, ['type']))] };

export const gatewaySchemas: Readonly<Record<string, object>> = {
  ChatMessage: object(
    {
      role: { type: 'string', description: '`system`, `user`, `assistant` or `tool`' },
      content: { anyOf: [TEXT, list(object({ type: TEXT }, ['type'])), { type: 'null' }] },
    },
    ['role'],
  ),
  ChatCompletionRequest: object(
    {
      model: MODEL,
      messages: list(ref('ChatMessage')),
      max_tokens: COUNT,
      max_completion_tokens: COUNT,
      temperature: { type: 'number' },
      stream: BOOLEAN,
      stream_options: object({ include_usage: BOOLEAN }),
      tools: list(object({ type: TEXT }, ['type'])),
    },
    ['model', 'messages'],
  ),
  ChatCompletion: object(
    {
      id: TEXT,
      object: TEXT,
      created: { type: 'integer' },
      model: TEXT,
      choices: list(
        object(
          {
            index: COUNT,
            message: ref('ChatMessage'),
            finish_reason: { type: ['string', 'null'] },
          },
          ['index', 'message'],
        ),
      ),
      usage: object({ prompt_tokens: COUNT, completion_tokens: COUNT, total_tokens: COUNT }),
    },
    ['id', 'model', 'choices'],
  ),
  ResponseRequest: object(
    {
      model: MODEL,
      input: { anyOf: [TEXT, list(object({}))] },
      instructions: { type: ['string', 'null'] },
      max_output_tokens: { type: ['integer', 'null'] },
      stream: BOOLEAN,
    },
    ['model'],
  ),
  Response: object(
    {
      id: TEXT,
      object: TEXT,
      model: TEXT,
      status: TEXT,
      output: list(object({ type: TEXT }, ['type'])),
      usage: { anyOf: [object({ input_tokens: COUNT, output_tokens: COUNT }), { type: 'null' }] },
    },
    ['id', 'model', 'output'],
  ),
  EmbeddingsRequest: object(
    { model: MODEL, input: { anyOf: [TEXT, list(TEXT), list(COUNT), list(list(COUNT))] } },
    ['model', 'input'],
  ),
  Embeddings: object(
    {
      object: TEXT,
      model: TEXT,
      data: list(
        object({ index: COUNT, embedding: { anyOf: [list({ type: 'number' }), TEXT] } }, [
          'index',
          'embedding',
        ]),
      ),
      usage: object({ prompt_tokens: COUNT, total_tokens: COUNT }),
    },
    ['data'],
  ),
  MessageRequest: object(
    {
      model: MODEL,
      max_tokens: COUNT,
      messages: list(object({ role: TEXT, content: CONTENT }, ['role', 'content'])),
      system: CONTENT,
      stream: BOOLEAN,
    },
    ['model', 'max_tokens', 'messages'],
  ),
  Message: object(
    {
      id: TEXT,
      type: TEXT,
      role: TEXT,
      model: TEXT,
      content: list(object({ type: TEXT, text: TEXT }, ['type'])),
      stop_reason: { type: ['string', 'null'] },
      usage: object({ input_tokens: COUNT, output_tokens: COUNT }),
    },
    ['id', 'model', 'content'],
  ),
  TokenCountRequest: object(
    {
      model: MODEL,
      messages: list(object({ role: TEXT, content: CONTENT }, ['role', 'content'])),
      system: CONTENT,
    },
    ['model', 'messages'],
  ),
  TokenCount: object({ input_tokens: COUNT }, ['input_tokens']),
  Model: object({ id: TEXT, object: TEXT, created: { type: 'integer' }, owned_by: TEXT }, ['id']),
  ModelList: object({ object: TEXT, data: list(ref('Model')) }, ['data']),
  RunRequest: object({ model: MODEL, input: object({}) }),
  RunResult: object({ success: BOOLEAN, errors: list({}), messages: list({}), result: {} }, [
    'success',
    'errors',
    'messages',
    'result',
  ]),
  UniversalRequest: list(
    object({ provider: TEXT, endpoint: TEXT, headers: object({}), query: {}, config: object({}) }, [
      'provider',
      'endpoint',
      'query',
    ]),
  ),
  UniversalResponse: { description: 'The response of the provider' },
  GatewayFailure: {
    description:
      'With the envelope of the management API, and with `error` as the API of the provider has it',
    ...object(
      {
        success: { type: 'boolean', enum: [false] },
        errors: list(object({ code: { type: 'integer' }, message: TEXT }, ['code', 'message'])),
        error: {
          anyOf: [
            object({ message: TEXT, type: TEXT, code: { type: ['string', 'null'] } }, ['message']),
            list(object({ code: { type: 'integer' }, message: TEXT }, ['code', 'message'])),
          ],
        },
      },
      [],
    ),
  },
};
