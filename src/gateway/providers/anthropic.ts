import { BaseUrl, withoutVersion } from './base-url.ts';
import type { ProviderSettings, UpstreamProvider } from './provider.ts';
import {
  chatToAnthropic,
  responsesToAnthropic,
} from '../translators/chat-to-anthropic/chat-to-anthropic.ts';
import { messagesEdits } from './messages-edits.ts';

const DEFAULT_BASE_URL = 'https://api.anthropic.com';

/** For requests that name no version. The next one, 2026-10-21, refuses temperature and top_p. */
export const API_VERSION = '2023-06-01';

/** Anthropic, or whatever speaks its Messages API at the address that the operator names. */
export function createAnthropicProvider(settings: ProviderSettings): UpstreamProvider {
  // Its clients put the version into their paths; operators may have put it into the address.
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
