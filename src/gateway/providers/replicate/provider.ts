import { modelBehind } from '../native-path.ts';
import { createOpenAiCompatibleProvider } from '../openai-compatible.ts';
import type { ProviderSettings } from '../provider-settings.ts';
import type { UpstreamProvider } from '../provider.ts';

/** Replicate: only its own paths, `predictions` and `models/…`. */
export function createReplicateProvider(settings: ProviderSettings): UpstreamProvider {
  return createOpenAiCompatibleProvider(settings, {
    name: 'replicate',
    baseUrl: 'https://api.replicate.com/v1',
    serves: [],
    nativeModel: (path) => modelBehind(/^models\/([^/?]+\/[^/?]+)\/predictions$/, path),
  });
}
