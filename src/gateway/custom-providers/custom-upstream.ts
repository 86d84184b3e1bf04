import { BaseUrl, withoutVersion } from '../providers/base-url.ts';
import { API_VERSION } from '../providers/anthropic.ts';
import {
  chatToAnthropic,
  responsesToAnthropic,
} from '../translators/chat-to-anthropic/chat-to-anthropic.ts';
import {
  chatToGemini,
  messagesToGemini,
  responsesToGemini,
} from '../translators/chat-to-gemini/chat-to-gemini.ts';
import { generationPath, modelInPath } from '../providers/google-ai-studio.ts';
import { supportOf } from '../providers/openai-compatible.ts';
import type { HeaderPairs, OperationCall, UpstreamProvider } from '../providers/provider.ts';
import type { CustomProvider } from './custom-provider-store.ts';

/** Begins the name of a custom provider in models and paths. */
export const CUSTOM_PREFIX = 'custom-';

/** The headers in which keys of the three APIs travel. */
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

/** The provider that requests reach for a stored custom provider. */
export function customUpstream(provider: CustomProvider): UpstreamProvider {
  const keyHeader = provider.keyHeader ?? KEY_HEADERS[provider.dialect];
  return {
    kind: 'upstream',
    name: CUSTOM_PREFIX + provider.slug,
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

function apiOf({ dialect, baseUrl }: CustomProvider): Api {
  switch (dialect) {
    case 'openai':
      return openAiApi(new BaseUrl(baseUrl));
    case 'anthropic':
      // Its clients put the version into their paths; users may have put it into the address.
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
