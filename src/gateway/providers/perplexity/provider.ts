import { withoutVersion } from '../base-url.ts';
import { createOpenAiCompatibleProvider } from '../openai-compatible.ts';
import type { ProviderSettings } from '../provider-settings.ts';
import type { UpstreamProvider } from '../provider.ts';

const BASE_URL = 'https://api.perplexity.ai';

/** Perplexity: chat completions stand at its root, all that came later below `/v1`. */
export function createPerplexityProvider(settings: ProviderSettings): UpstreamProvider {
  const baseUrl = withoutVersion(settings.baseUrl ?? BASE_URL);
  return createOpenAiCompatibleProvider(
    { ...settings, baseUrl },
    {
      name: 'perplexity',
      baseUrl: BASE_URL,
      serves: ['chat/completions', 'responses'],
      operationPath: nativePath,
      nativePath,
    },
  );
}

/** Clients that keep one base address for both kinds of path are wrong about one of them. */
function nativePath(path: string): string {
  if (path.startsWith('v1/chat/')) return path.slice('v1/'.length);
  return path.startsWith('responses') ? `v1/${path}` : path;
}
