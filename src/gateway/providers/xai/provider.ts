import { createOpenAiCompatibleProvider, isChatCompletions } from '../openai-compatible.ts';
import type { ProviderSettings } from '../provider-settings.ts';
import type { UpstreamProvider } from '../provider.ts';

/** xAI. Its Anthropic API is given up, so that messages are translated. */
export function createXaiProvider(settings: ProviderSettings): UpstreamProvider {
  return createOpenAiCompatibleProvider(settings, {
    name: 'xai',
    baseUrl: 'https://api.x.ai/v1',
    serves: ['chat/completions', 'responses'],
    supportsIncludeUsage: isChatCompletions,
  });
}
