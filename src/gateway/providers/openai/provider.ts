import { createOpenAiCompatibleProvider, isCompletions } from '../openai-compatible.ts';
import type { ProviderSettings } from '../provider-settings.ts';
import type { UpstreamProvider } from '../provider.ts';

/** OpenAI, or whatever speaks its API at the address that the operator names. */
export function createOpenAiProvider(settings: ProviderSettings): UpstreamProvider {
  return createOpenAiCompatibleProvider(settings, {
    name: 'openai',
    baseUrl: 'https://api.openai.com/v1',
    serves: ['chat/completions', 'responses', 'embeddings'],
    supportsIncludeUsage: isCompletions,
  });
}
