import { createOpenAiCompatibleProvider, isCompletions } from '../openai-compatible.ts';
import type { ProviderSettings } from '../provider-settings.ts';
import type { Provider } from '../provider.ts';
import { unconfigured } from '../unconfigured.ts';

const NAME = 'vllm';
const EXAMPLE = 'http://127.0.0.1:8000/v1';

/** vLLM, or any OpenAI-compatible server on the operator's network. */
export function createVllmProvider(settings: ProviderSettings): Provider {
  const { baseUrl } = settings;
  if (baseUrl === undefined) return unconfigured(NAME, EXAMPLE);
  return createOpenAiCompatibleProvider(settings, {
    name: NAME,
    baseUrl,
    serves: ['chat/completions', 'responses', 'embeddings', 'messages', 'messages/count_tokens'],
    needsNoKey: true,
    supportsIncludeUsage: isCompletions,
  });
}
