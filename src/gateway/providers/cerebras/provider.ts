import { createOpenAiCompatibleProvider } from '../openai-compatible.ts';
import type { ProviderSettings } from '../provider-settings.ts';
import type { UpstreamProvider } from '../provider.ts';

/** Cerebras. */
export function createCerebrasProvider(settings: ProviderSettings): UpstreamProvider {
  return createOpenAiCompatibleProvider(settings, {
    name: 'cerebras',
    baseUrl: 'https://api.cerebras.ai/v1',
    serves: ['chat/completions'],
    rejectsStreamOptions: true,
  });
}
