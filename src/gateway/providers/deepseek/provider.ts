import { withoutVersion } from '../base-url.ts';
import { createOpenAiCompatibleProvider, isCompletions } from '../openai-compatible.ts';
import type { ProviderSettings } from '../provider-settings.ts';
import type { UpstreamProvider } from '../provider.ts';

const BASE_URL = 'https://api.deepseek.com';

/** DeepSeek, which answers with and without `/v1`, and has an Anthropic API beside. */
export function createDeepSeekProvider(settings: ProviderSettings): UpstreamProvider {
  const baseUrl = withoutVersion(settings.baseUrl ?? BASE_URL);
  return createOpenAiCompatibleProvider(
    { ...settings, baseUrl },
    {
      name: 'deepseek',
      baseUrl: BASE_URL,
      serves: ['chat/completions', 'responses', 'messages'],
      supportsIncludeUsage: isCompletions,
      operationPath: (operation) =>
        operation === 'messages' ? 'anthropic/v1/messages' : operation,
    },
  );
}
