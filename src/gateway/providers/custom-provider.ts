import { BaseUrl, withoutVersion } from './base-url.ts';
import { API_VERSION } from './anthropic.ts';
import {
  chatToAnthropic,
  responsesToAnthropic,
} from '../translators/chat-to-anthropic/chat-to-anthropic.ts';
import {
  chatToGemini,
  messagesToGemini,
  responsesToGemini,
} from '../translators/chat-to-gemini/chat-to-gemini.ts';
import { generationPath, modelInPath } from './google-ai-studio.ts';
import { supportOf } from './openai-compatible.ts';
import type { HeaderPairs, OperationCall, UpstreamProvider } from './provider.ts';

/** A provider that an account defines. */
export interface CustomApi {
  baseUrl: string;
  /** The API of the provider. */
  dialect: 'openai' | 'anthropic' | 'gemini';
  /** In lower case; undefined: the default of the API. */
  keyHeader: string | undefined;
  /** The models that the account lists. */
  models: readonly string[];
}

/** The key headers of the APIs. */
const KEY_HEADERS = { openai: 'authorization', anthropic: 'x-api-key', gemini: 'x-goog-api-key' };

type Api = Pick<
  UpstreamProvider,
  | 'operations'
  | 'nativeEndpoint'
  | 'nativeModel'
  | 'nativeDialect'
  | 'defaultHeaders'
  | 'modelsEndpoint'
>;

/**
 * Creates a custom provider.
 * @param name in models and paths
 */
export function createCustomProvider(name: string, provider: CustomApi): UpstreamProvider {
  const keyHeader = provider.keyHeader ?? KEY_HEADERS[provider.dialect];
  return {
    kind: 'upstream',
    name,
    isTrusted: false,
    apiKey: undefined,
    needsNoKey: true,
    ...apiOf(provider),
    credentialHeaders: [
      ...new Set(['authorization', 'x-api-key', 'api-key', 'x-goog-api-key', keyHeader]),
    ],
    authorize: (apiKey): HeaderPairs => [
      keyHeader,
      keyHeader === 'authorization' ? `Bearer ${apiKey}` : apiKey,
    ],
    ...(provider.models.length === 0 ? {} : { models: provider.models }),
  };
}

function apiOf({ dialect, baseUrl }: CustomApi): Api {
  switch (dialect) {
    case 'openai':
      return openAiApi(new BaseUrl(baseUrl));
    case 'anthropic':
      // Paths of clients contain the version, and the base URL of a user may contain it, too.
      return messagesApi(new BaseUrl(withoutVersion(baseUrl)));
    case 'gemini':
      return geminiApi(new BaseUrl(withoutVersion(baseUrl)));
  }
}

function openAiApi(base: BaseUrl): Api {
  return {
    operations: supportOf(['chat/completions', 'responses', 'embeddings'], (operation) => {
      const endpoint = base.at(operation);
      return { endpoint: () => endpoint };
    }),
    nativeEndpoint: (path) => base.at(path),
    modelsEndpoint: base.at('models'),
  };
}

function messagesApi(base: BaseUrl): Api {
  const messages = base.at('v1/messages');
  const countTokens = base.at('v1/messages/count_tokens');
  return {
    operations: {
      messages: { endpoint: () => messages },
      'messages/count_tokens': { endpoint: () => countTokens },
      'chat/completions': { endpoint: () => messages, translator: chatToAnthropic },
      responses: { endpoint: () => messages, translator: responsesToAnthropic },
    },
    nativeEndpoint: (path) => base.at(path),
    nativeDialect: 'anthropic',
    modelsEndpoint: base.at('v1/models'),
    defaultHeaders: { 'anthropic-version': API_VERSION },
  };
}

function geminiApi(base: BaseUrl): Api {
  const endpoint = (call: OperationCall) => base.at(`v1beta/${generationPath(call)}`);
  return {
    operations: {
      'chat/completions': { endpoint, translator: chatToGemini },
      messages: { endpoint, translator: messagesToGemini },
      responses: { endpoint, translator: responsesToGemini },
    },
    nativeEndpoint: (path) => base.at(path),
    nativeModel: modelInPath,
    modelsEndpoint: base.at('v1beta/models'),
  };
}
