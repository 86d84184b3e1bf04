import type { Dispatcher } from 'undici';
import { createAnthropicProvider } from './anthropic.ts';
import { createAwsBedrockProvider } from './aws-bedrock/aws-bedrock.ts';
import { createAzureOpenAiProvider } from './azure-openai.ts';
import { createGoogleAiStudioProvider } from './google-ai-studio.ts';
import { createGoogleVertexAiProvider } from './google-vertex-ai/google-vertex-ai.ts';
import { createLocalProvider } from './local.ts';
import { matchModel } from './native-path.ts';
import {
  type OpenAiCompatibleApi,
  createOpenAiCompatibleProvider,
  isChatCompletions,
  isCompletions,
} from './openai-compatible.ts';
import type { Provider, ProviderSettings } from './provider.ts';

type CreateProvider = (settings: ProviderSettings, dispatcher: Dispatcher | undefined) => Provider;

/** A provider with an API of its own. */
interface OwnApi {
  name: string;
  create: CreateProvider;
}

/** The built-in providers. */
const catalogue: readonly (OpenAiCompatibleApi | OwnApi)[] = [
  { name: 'local', create: createLocalProvider },
  {
    name: 'openai',
    baseUrl: 'https://api.openai.com/v1',
    serves: ['chat/completions', 'responses', 'embeddings'],
    supportsIncludeUsage: isCompletions,
  },
  { name: 'anthropic', create: createAnthropicProvider },
  { name: 'google-ai-studio', create: createGoogleAiStudioProvider },
  { name: 'google-vertex-ai', create: createGoogleVertexAiProvider },
  { name: 'azure-openai', create: createAzureOpenAiProvider },
  { name: 'aws-bedrock', create: createAwsBedrockProvider },
  {
    // Its own form of the Responses API has another name.
    name: 'mistral',
    baseUrl: 'https://api.mistral.ai/v1',
    serves: ['chat/completions', 'embeddings'],
  },
  {
    name: 'groq',
    baseUrl: 'https://api.groq.com/openai/v1',
    serves: ['chat/completions', 'responses'],
  },
  {
    // Responds with and without `/v1`, and has an Anthropic API next to it.
    name: 'deepseek',
    baseUrl: 'https://api.deepseek.com',
    isVersionInPath: true,
    serves: ['chat/completions', 'responses', 'messages'],
    supportsIncludeUsage: isCompletions,
    operationPath: (operation) => (operation === 'messages' ? 'anthropic/v1/messages' : operation),
  },
  {
    // Its Anthropic API is deprecated, so messages are translated.
    name: 'xai',
    baseUrl: 'https://api.x.ai/v1',
    serves: ['chat/completions', 'responses'],
    supportsIncludeUsage: isChatCompletions,
  },
  {
    // Its own API in two versions, and a compatible one.
    name: 'cohere',
    baseUrl: 'https://api.cohere.com',
    serves: ['chat/completions', 'embeddings'],
    rejectsStreamOptions: true,
    operationPath: coherePath,
    nativePath: coherePath,
  },
  {
    name: 'openrouter',
    baseUrl: 'https://openrouter.ai/api/v1',
    serves: ['chat/completions', 'responses', 'embeddings', 'messages'],
    supportsIncludeUsage: isChatCompletions,
  },
  {
    // Chat completions are at its root, all later paths below `/v1`.
    name: 'perplexity',
    baseUrl: 'https://api.perplexity.ai',
    isVersionInPath: true,
    serves: ['chat/completions', 'responses'],
    operationPath: perplexityPath,
    nativePath: perplexityPath,
  },
  {
    name: 'cerebras',
    baseUrl: 'https://api.cerebras.ai/v1',
    serves: ['chat/completions'],
    rejectsStreamOptions: true,
  },
  {
    name: 'together',
    baseUrl: 'https://api.together.ai/v1',
    serves: ['chat/completions', 'responses', 'embeddings'],
  },
  {
    name: 'fireworks',
    baseUrl: 'https://api.fireworks.ai/inference/v1',
    serves: ['chat/completions', 'responses', 'embeddings', 'messages'],
  },
  {
    // The router of the inference providers.
    name: 'huggingface',
    baseUrl: 'https://router.huggingface.co',
    isVersionInPath: true,
    serves: ['chat/completions', 'responses'],
    operationPath: huggingFacePath,
    nativePath: huggingFacePath,
    nativeModel: (path) => matchModel(/^(?:hf-inference\/)?models\/([^/?]+\/[^/?]+)/, path),
  },
  {
    // Only its own paths, `predictions` and `models/…`.
    name: 'replicate',
    baseUrl: 'https://api.replicate.com/v1',
    serves: [],
    nativeModel: (path) => matchModel(/^models\/([^/?]+\/[^/?]+)\/predictions$/, path),
  },
  {
    // The base URL contains the account, so the operator must set it.
    name: 'workers-ai',
    exampleUrl: 'https://api.cloudflare.com/client/v4/accounts/{account_id}/ai',
    isVersionInPath: true,
    serves: ['chat/completions', 'responses', 'embeddings'],
    operationPath: (operation) => `v1/${operation}`,
    nativePath: workersAiPath,
    nativeModel: (path) => matchModel(/^(?:run\/)?((?:@|%40)(?:[^/?]+\/){2}[^/?]+)/, path),
  },
  {
    // On the operator's network. Only the operator may decide that this server connects to it.
    name: 'ollama',
    exampleUrl: 'http://127.0.0.1:11434/v1',
    isVersionInPath: true,
    serves: ['chat/completions', 'responses', 'embeddings', 'messages'],
    supportsIncludeUsage: isCompletions,
    needsNoKey: true,
    operationPath: (operation) => `v1/${operation}`,
    // Its own API is next to the compatible one.
    nativePath: (path) => (/^(?:v1|api)\//.test(path) ? path : `v1/${path}`),
  },
  {
    // Also any other OpenAI-compatible server on the operator's network.
    name: 'vllm',
    exampleUrl: 'http://127.0.0.1:8000/v1',
    serves: ['chat/completions', 'responses', 'embeddings', 'messages', 'messages/count_tokens'],
    needsNoKey: true,
    supportsIncludeUsage: isCompletions,
  },
];

/** A path without a version belongs to the first version, or to the only API that has it. */
function coherePath(path: string): string {
  if (/^(?:v\d+|compatibility)\//.test(path)) return path;
  const isCompatible = /^(?:chat\/completions|embeddings)(?:\?|$)/.test(path);
  return `${isCompatible ? 'compatibility/v1' : 'v1'}/${path}`;
}

/** Clients have one base URL for both kinds of paths. */
function perplexityPath(path: string): string {
  if (path.startsWith('v1/chat/')) return path.slice('v1/'.length);
  return path.startsWith('responses') ? `v1/${path}` : path;
}

/** A path without a known prefix is a model, as it was below `api-inference.huggingface.co/models`. */
function huggingFacePath(path: string): string {
  if (/^(?:v1|hf-inference)\//.test(path)) return path;
  if (/^(?:chat\/completions|responses|models)(?:\?|$)/.test(path)) return `v1/${path}`;
  return `hf-inference/models/${path.replace(/^models\//, '')}`;
}

/** A path that is a model, whose name begins with `@`, runs it. */
function workersAiPath(path: string): string {
  if (/^(?:@|%40)/.test(path)) return `run/${path}`;
  return /^(?:chat\/completions|responses|embeddings)(?:\?|$)/.test(path) ? `v1/${path}` : path;
}

/** Second names of providers, in paths and models. */
const aliases: readonly [alias: string, name: string][] = [
  ['grok', 'xai'],
  ['perplexity-ai', 'perplexity'],
  ['google', 'google-ai-studio'],
];

/**
 * Creates the built-in providers.
 * @param settings by name or alias; those of the name take precedence
 * @param dispatcher connects to token endpoints of providers; default: undici's own
 * @returns the providers by name and alias
 */
export function createProviders(
  settings: ReadonlyMap<string, ProviderSettings>,
  dispatcher?: Dispatcher,
): Map<string, Provider> {
  const providers = new Map<string, Provider>();
  for (const api of catalogue) {
    const { name } = api;
    const alias = aliases.find(([, aliased]) => aliased === name)?.[0] ?? name;
    const own = { ...settings.get(alias), ...settings.get(name) };
    const provider =
      'create' in api ? api.create(own, dispatcher) : createOpenAiCompatibleProvider(own, api);
    providers.set(name, provider);
  }
  for (const [alias, name] of aliases) {
    const provider = providers.get(name);
    if (provider !== undefined) providers.set(alias, provider);
  }
  return providers;
}
