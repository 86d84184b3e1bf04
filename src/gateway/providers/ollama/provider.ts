import { withoutVersion } from '../base-url.ts';
import { createOpenAiCompatibleProvider, isCompletions } from '../openai-compatible.ts';
import type { ProviderSettings } from '../provider-settings.ts';
import type { Provider } from '../provider.ts';
import { unconfigured } from '../unconfigured.ts';

const NAME = 'ollama';
const EXAMPLE = 'http://127.0.0.1:11434/v1';

/**
 * Ollama on the operator's network. It is reached only when the operator names it: nobody else may
 * decide that this server talks to machines beside it.
 */
export function createOllamaProvider(settings: ProviderSettings): Provider {
  if (settings.baseUrl === undefined) return unconfigured(NAME, EXAMPLE);
  const baseUrl = withoutVersion(settings.baseUrl);
  return createOpenAiCompatibleProvider(
    { ...settings, baseUrl },
    {
      name: NAME,
      baseUrl,
      serves: ['chat/completions', 'responses', 'embeddings', 'messages'],
      supportsIncludeUsage: isCompletions,
      needsNoKey: true,
      operationPath: (operation) => `v1/${operation}`,
      // Its native API is available next to the compatible one.
      nativePath: (path) => (/^(?:v1|api)\//.test(path) ? path : `v1/${path}`),
    },
  );
}
