import { createOpenAiCompatibleProvider } from '../openai-compatible.ts';
import type { ProviderSettings } from '../provider-settings.ts';
import type { UpstreamProvider } from '../provider.ts';

/** Cohere: an API of its own in two versions, and one that is compatible beside. */
export function createCohereProvider(settings: ProviderSettings): UpstreamProvider {
  return createOpenAiCompatibleProvider(settings, {
    name: 'cohere',
    baseUrl: 'https://api.cohere.com',
    serves: ['chat/completions', 'embeddings'],
    rejectsStreamOptions: true,
    operationPath: nativePath,
    nativePath,
  });
}

/** What names no version is meant as the first one, or has only one place where it could be. */
function nativePath(path: string): string {
  if (/^(?:v\d+|compatibility)\//.test(path)) return path;
  const isCompatible = /^(?:chat\/completions|embeddings)(?:\?|$)/.test(path);
  return `${isCompatible ? 'compatibility/v1' : 'v1'}/${path}`;
}
