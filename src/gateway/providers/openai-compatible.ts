import { messagesToChat } from '../translators/messages-to-chat/messages-to-chat.ts';
import { responsesToChat } from '../translators/responses-to-messages/responses-to-messages.ts';
import { BaseUrl } from './base-url.ts';
import { openAiConversationEdits } from './conversation-edits.ts';
import { plainPath } from './native-path.ts';
import type { ProviderSettings } from './provider-settings.ts';
import {
  type Endpoint,
  type Operation,
  type OperationSupport,
  type UpstreamProvider,
  operations,
} from './provider.ts';

/** What one provider's API has of the OpenAI API. */
export interface OpenAiCompatibleApi {
  name: string;
  /** Where it is unless the operator says otherwise. */
  baseUrl: string;
  /** What it serves by itself; `messages…` means the Anthropic API. */
  serves: readonly Operation[];
  /** Where an operation lies below the base address; left out: by its own name. */
  operationPath?: (operation: Operation) => string;
  supportsIncludeUsage?: UpstreamProvider['supportsIncludeUsage'];
  rejectsStreamOptions?: true;
  needsNoKey?: true;
  /** Where a path as clients send it lies below the base address; left out: there. */
  nativePath?: (pathAndQuery: string) => string;
  nativeModel?: UpstreamProvider['nativeModel'];
}

/**
 * A provider that speaks the OpenAI API. `messages` is served too: by its own Anthropic API where it
 * has one, else translated to its chat completions.
 */
export function createOpenAiCompatibleProvider(
  settings: ProviderSettings,
  api: OpenAiCompatibleApi,
): UpstreamProvider {
  const base = new BaseUrl(settings.baseUrl ?? api.baseUrl);
  const { serves, operationPath, nativePath, nativeModel, supportsIncludeUsage } = api;
  return {
    kind: 'upstream',
    name: api.name,
    isTrusted: true,
    apiKey: settings.apiKey,
    operations: supportOf(serves, (operation) => {
      const endpoint = base.at(operationPath?.(operation) ?? operation);
      return { endpoint: () => endpoint };
    }),
    conversationEdits: openAiConversationEdits(api.name),
    nativeEndpoint: (path) => base.atUnversioned(nativePath?.(path) ?? path),
    modelsEndpoint: base.atUnversioned(nativePath?.('models') ?? 'models'),
    // Clients of the Anthropic API bring their key in the second one.
    credentialHeaders: serves.includes('messages')
      ? ['authorization', 'x-api-key']
      : ['authorization'],
    authorize: (apiKey) => ['authorization', `Bearer ${apiKey}`],
    ...(nativeModel && { nativeModel }),
    ...(supportsIncludeUsage && { supportsIncludeUsage }),
    ...(api.needsNoKey && { needsNoKey: true }),
    ...(api.rejectsStreamOptions && { rejectsStreamOptions: true }),
  };
}

const COMPLETIONS = /\/completions$/;
const CHAT_COMPLETIONS = /\/chat\/completions$/;

/** Whether an address is that of chat completions of the OpenAI API. */
export function isChatCompletions({ path }: Endpoint): boolean {
  return CHAT_COMPLETIONS.test(plainPath(path));
}

/** Whether it is that, or the older one of completions of a prompt. */
export function isCompletions({ path }: Endpoint): boolean {
  return COMPLETIONS.test(plainPath(path));
}

/** The operations of an OpenAI-compatible API; `messages` and `responses` are translated where it does not have them. */
export function supportOf(
  serves: readonly Operation[],
  describe: (operation: Operation) => OperationSupport,
): Partial<Record<Operation, OperationSupport>> {
  const support: Partial<Record<Operation, OperationSupport>> = {};
  for (const operation of operations) {
    if (serves.includes(operation)) support[operation] = describe(operation);
  }
  const chat = support['chat/completions'];
  if (chat === undefined) return support;
  support.messages ??= { ...chat, translation: messagesToChat };
  support.responses ??= { ...chat, translation: responsesToChat };
  return support;
}
