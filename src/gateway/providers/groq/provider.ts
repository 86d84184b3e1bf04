import { createOpenAiCompatibleProvider } from '../openai-compatible.ts';
import type { ProviderSettings } from '../provider-settings.ts';
import type { UpstreamProvider } from '../provider.ts';

/** Groq. */
export function createGroqProvider(settings: ProviderSettings): UpstreamProvider {
  return createOpenAiCompatibleProvider(settings, {
    name: 'groq',
    baseUrl: 'https://api.groq.com/openai/v1',
    serves: ['chat/completions', 'responses'],
  });
}
