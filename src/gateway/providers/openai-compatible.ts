import { messagesToChat } from '../translators/messages-to-chat/messages-to-chat.ts';
import { responsesToChat } from '../translators/responses-to-messages/responses-to-messages.ts';
import { BaseUrl, withoutVersion } from './base-url.ts';
import { openAiConversationEdits } from './conversation-edits.ts';
import { plainPath } from './native-path.ts';
import {
  type Endpoint,
  type Operation,
  type OperationSupport,
  type Provider,
  type ProviderSettings,
  type UnconfiguredProvider,
  type UpstreamProvider,
  operations,
} from './provider.ts';

/** The differences between the API of a provider and the OpenAI API. */
export interface OpenAiCompatibleApi {
  name: string;
  /** The default base URL. Without one, the operator must set it. */
  baseUrl?: string;
  /** An example for the error of a missing base URL. */
  exampleUrl?: string;
  /** The API has paths besides those of the version at the end of its base URL. */
  isVersionInPath?: true;
  /** Operations of the provider itself; `messages…` is the Anthropic API. */
  serves: readonly Operation[];
  /** Returns the path of an operation below the base URL. Default: the name of the operation. */
  operationPath?: (operation: Operation) => string;
  supportsIncludeUsage?: UpstreamProvider['supportsIncludeUsage'];
  rejectsStreamOptions?: true;
  needsNoKey?: true;
  /** Converts a path of a request to one below the base URL. Default: unchanged. */
  nativePath?: (pathAndQuery: string) => string;
  nativeModel?: UpstreamProvider['nativeModel'];
}

/**
 * Creates a provider with the OpenAI API. It also serves `messages` and `responses`: with its own API, or translated to
 * chat completions.
 * @returns an unconfigured provider if its base URL is missing
 */
export function createOpenAiCompatibleProvider(
  settings: ProviderSettings,
  api: OpenAiCompatibleApi,
): Provider {
  const url = settings.baseUrl ?? api.baseUrl;
  if (url === undefined) return unconfigured(api);
  const base = new BaseUrl(api.isVersionInPath ? withoutVersion(url) : url);
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
    // Clients of the Anthropic API send their key in the second one.
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

function unconfigured({ name, exampleUrl = '' }: OpenAiCompatibleApi): UnconfiguredProvider {
  const setting = `LATCHKEY_PROVIDER_${name.toUpperCase().replaceAll('-', '_')}_BASE_URL`;
  return {
    kind: 'unconfigured',
    name,
    reason: `the address of ${name} is not configured: the operator sets ${setting}, for example ${exampleUrl}`,
  };
}

const COMPLETIONS = /\/completions$/;
const CHAT_COMPLETIONS = /\/chat\/completions$/;

/** Returns true for the address of chat completions. */
export function isChatCompletions({ path }: Endpoint): boolean {
  return CHAT_COMPLETIONS.test(plainPath(path));
}

/** Returns true for the address of chat completions, or of the older text completions. */
export function isCompletions({ path }: Endpoint): boolean {
  return COMPLETIONS.test(plainPath(path));
}

/** Returns the operations of an API with chat completions. Translates `messages` and `responses` if the API lacks them. */
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
  support.messages ??= { ...chat, translator: messagesToChat };
  support.responses ??= { ...chat, translator: responsesToChat };
  return support;
}
