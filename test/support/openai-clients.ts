import OpenAI, { type ClientOptions } from 'openai';
import type { TestServer } from './server.ts';

/** A way by which an OpenAI client reaches the provider `openai`. */
export interface OpenAiWay {
  name: string;
  /** What stands before the names of models. */
  prefix: string;
  /** The client's own credential is the provider's, and goes there. */
  bringsKey: boolean;
  /** The unmodified `openai` package, set up as its users do. */
  client: (server: TestServer, options?: ClientOptions) => OpenAI;
}

const onHost = (server: TestServer, end: string, options: ClientOptions): OpenAI =>
  new OpenAI({
    apiKey: 'sk-mine',
    baseURL: `${server.origin}/v1/${server.accountId}/default/${end}`,
    defaultHeaders: { 'cf-aig-authorization': `Bearer ${server.token}` },
    maxRetries: 0,
    ...options,
  });

export const openAiWays: readonly OpenAiWay[] = [
  {
    name: 'the REST API',
    prefix: 'openai/',
    bringsKey: false,
    client: (server, options) =>
      new OpenAI({
        apiKey: server.token,
        baseURL: `${server.baseUrl}${server.account}/ai/v1`,
        maxRetries: 0,
        ...options,
      }),
  },
  {
    name: 'the gateway host, compat',
    prefix: 'openai/',
    bringsKey: true,
    client: (server, options = {}) => onHost(server, 'compat', options),
  },
  {
    name: 'the gateway host, provider-native',
    prefix: '',
    bringsKey: true,
    client: (server, options = {}) => onHost(server, 'openai', options),
  },
];
