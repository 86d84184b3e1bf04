import { createOpenAiCompatibleProvider } from '../openai-compatible.ts';
import type { ProviderSettings } from '../provider-settings.ts';
import type { UpstreamProvider } from '../provider.ts';

/** Mistral. Its own form of the Responses API goes by another name. */
export function createMistralProvider(settings: ProviderSettings): UpstreamProvider {
  return createOpenAiCompatibleProvider(settings, {
    name: 'mistral',
    baseUrl: 'https://api.mistral.ai/v1',
    serves: ['chat/completions', 'embeddings'],
  });
}
