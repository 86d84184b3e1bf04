import { createOpenAiCompatibleProvider } from '../openai-compatible.ts';
import type { ProviderSettings } from '../provider-settings.ts';
import type { UpstreamProvider } from '../provider.ts';

/** Together AI. */
export function createTogetherProvider(settings: ProviderSettings): UpstreamProvider {
  return createOpenAiCompatibleProvider(settings, {
    name: 'together',
    baseUrl: 'https://api.together.ai/v1',
    serves: ['chat/completions', 'responses', 'embeddings'],
  });
}
