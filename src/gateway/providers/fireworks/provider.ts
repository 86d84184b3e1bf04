import { createOpenAiCompatibleProvider } from '../openai-compatible.ts';
import type { ProviderSettings } from '../provider-settings.ts';
import type { UpstreamProvider } from '../provider.ts';

/** Fireworks AI. */
export function createFireworksProvider(settings: ProviderSettings): UpstreamProvider {
  return createOpenAiCompatibleProvider(settings, {
    name: 'fireworks',
    baseUrl: 'https://api.fireworks.ai/inference/v1',
    serves: ['chat/completions', 'responses', 'embeddings', 'messages'],
  });
}
