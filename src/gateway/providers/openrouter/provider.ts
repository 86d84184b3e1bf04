import { createOpenAiCompatibleProvider, isChatCompletions } from '../openai-compatible.ts';
import type { ProviderSettings } from '../provider-settings.ts';
import type { UpstreamProvider } from '../provider.ts';

/** OpenRouter. */
export function createOpenRouterProvider(settings: ProviderSettings): UpstreamProvider {
  return createOpenAiCompatibleProvider(settings, {
    name: 'openrouter',
    baseUrl: 'https://openrouter.ai/api/v1',
    serves: ['chat/completions', 'responses', 'embeddings', 'messages'],
    supportsIncludeUsage: isChatCompletions,
  });
}
