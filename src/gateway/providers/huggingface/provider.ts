import { withoutVersion } from '../base-url.ts';
import { modelBehind } from '../native-path.ts';
import { createOpenAiCompatibleProvider } from '../openai-compatible.ts';
import type { ProviderSettings } from '../provider-settings.ts';
import type { UpstreamProvider } from '../provider.ts';

const BASE_URL = 'https://router.huggingface.co';

/** The router of Hugging Face's inference providers. */
export function createHuggingFaceProvider(settings: ProviderSettings): UpstreamProvider {
  const baseUrl = withoutVersion(settings.baseUrl ?? BASE_URL);
  return createOpenAiCompatibleProvider(
    { ...settings, baseUrl },
    {
      name: 'huggingface',
      baseUrl: BASE_URL,
      serves: ['chat/completions', 'responses'],
      operationPath: nativePath,
      nativePath,
      nativeModel: (path) => modelBehind(/^(?:hf-inference\/)?models\/([^/?]+\/[^/?]+)/, path),
    },
  );
}

/** A bare path is a model, as it was below `api-inference.huggingface.co/models`. */
function nativePath(path: string): string {
  if (/^(?:v1|hf-inference)\//.test(path)) return path;
  if (/^(?:chat\/completions|responses|models)(?:\?|$)/.test(path)) return `v1/${path}`;
  return `hf-inference/models/${path.replace(/^models\//, '')}`;
}
