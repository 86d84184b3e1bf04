import { BaseUrl, withoutVersion } from './base-url.ts';
import type { ProviderSettings, UpstreamProvider } from './provider.ts';
import {
  chatToAnthropic,
  responsesToAnthropic,
} from '../translators/chat-to-anthropic/chat-to-anthropic.ts';
import { messagesEdits } from './messages-edits.ts';

const DEFAULT_BASE_URL = 'https://api.anthropic.com';

/** The version for requests without one. The next one, 2026-10-21, rejects temperature and top_p. */
export const API_VERSION = '2023-06-01';

/** Creates Anthropic, or another server with the Messages API at the operator's base URL. */
export function createAnthropicProvider(settings: ProviderSettings): UpstreamProvider {
  // Paths of clients contain the version, and the base URL of an operator may contain it, too.
  const base = new BaseUrl(withoutVersion(settings.baseUrl ?? DEFAULT_BASE_URL));
  const messages = base.at('v1/messages');
  const countTokens = base.at('v1/messages/count_tokens');
  return {
    kind: 'upstream',
    name: 'anthropic',
    isTrusted: true,
    apiKey: settings.apiKey,
    operations: {
      messages: { endpoint: () => messages },
      'messages/count_tokens': { endpoint: () => countTokens },
      'chat/completions': { endpoint: () => messages, translator: chatToAnthropic },
      responses: { endpoint: () => messages, translator: responsesToAnthropic },
    },
    nativeEndpoint: (path) => base.at(path),
    nativeDialect: 'anthropic',
    conversationEdits: messagesEdits,
    credentialHeaders: ['x-api-key', 'authorization'],
    authorize: (apiKey) => ['x-api-key', apiKey],
    defaultHeaders: { 'anthropic-version': API_VERSION },
  };
}
