import type { Dispatcher } from 'undici';
import { createAnthropicProvider } from './anthropic.ts';
import { createAwsBedrockProvider } from './aws-bedrock/provider.ts';
import { createAzureOpenAiProvider } from './azure-openai.ts';
import { createCerebrasProvider } from './cerebras/provider.ts';
import { createCohereProvider } from './cohere/provider.ts';
import { createDeepSeekProvider } from './deepseek/provider.ts';
import { createFireworksProvider } from './fireworks/provider.ts';
import { createGoogleAiStudioProvider } from './google-ai-studio.ts';
import { createGoogleVertexAiProvider } from './google-vertex-ai/provider.ts';
import { createGroqProvider } from './groq/provider.ts';
import { createHuggingFaceProvider } from './huggingface/provider.ts';
import { createLocalProvider } from './local/provider.ts';
import { createMistralProvider } from './mistral/provider.ts';
import { createOllamaProvider } from './ollama/provider.ts';
import { createOpenAiProvider } from './openai/provider.ts';
import { createOpenRouterProvider } from './openrouter/provider.ts';
import { createPerplexityProvider } from './perplexity/provider.ts';
import type { ProviderSettings } from './provider-settings.ts';
import type { Provider } from './provider.ts';
import { createReplicateProvider } from './replicate/provider.ts';
import { createTogetherProvider } from './together/provider.ts';
import { createVllmProvider } from './vllm/provider.ts';
import { createWorkersAiProvider } from './workers-ai/provider.ts';
import { createXaiProvider } from './xai/provider.ts';

export type { ProviderSettings };

type CreateProvider = (settings: ProviderSettings, dispatcher: Dispatcher | undefined) => Provider;

const builtIn: readonly [name: string, create: CreateProvider][] = [
  ['local', createLocalProvider],
  ['openai', createOpenAiProvider],
  ['anthropic', createAnthropicProvider],
  ['google-ai-studio', createGoogleAiStudioProvider],
  ['google-vertex-ai', createGoogleVertexAiProvider],
  ['azure-openai', createAzureOpenAiProvider],
  ['aws-bedrock', createAwsBedrockProvider],
  ['mistral', createMistralProvider],
  ['groq', createGroqProvider],
  ['deepseek', createDeepSeekProvider],
  ['xai', createXaiProvider],
  ['cohere', createCohereProvider],
  ['openrouter', createOpenRouterProvider],
  ['perplexity', createPerplexityProvider],
  ['cerebras', createCerebrasProvider],
  ['together', createTogetherProvider],
  ['fireworks', createFireworksProvider],
  ['huggingface', createHuggingFaceProvider],
  ['replicate', createReplicateProvider],
  ['workers-ai', createWorkersAiProvider],
  ['ollama', createOllamaProvider],
  ['vllm', createVllmProvider],
];

/** What public clients call a provider: in paths, and `google` in models. */
const aliases: readonly [alias: string, name: string][] = [
  ['grok', 'xai'],
  ['perplexity-ai', 'perplexity'],
  ['google', 'google-ai-studio'],
];

/**
 * The built-in providers by name; some have a second one.
 * @param settings by either name; what is said of the first one counts more
 * @param dispatcher connects to token endpoints of providers; default: undici's own
 */
export function createProviders(
  settings: ReadonlyMap<string, ProviderSettings>,
  dispatcher?: Dispatcher,
): Map<string, Provider> {
  const providers = new Map<string, Provider>();
  for (const [name, create] of builtIn) {
    const alias = aliases.find(([, aliased]) => aliased === name)?.[0] ?? name;
    providers.set(name, create({ ...settings.get(alias), ...settings.get(name) }, dispatcher));
  }
  for (const [alias, name] of aliases) {
    const provider = providers.get(name);
    if (provider !== undefined) providers.set(alias, provider);
  }
  return providers;
}
