import { createLocalProvider } from './local/provider.ts';
import { createOpenAiProvider } from './openai/provider.ts';
import type { Provider } from './provider.ts';

/** What the operator says of one provider. */
export interface ProviderSettings {
  baseUrl?: string;
  apiKey?: string;
}

/** The built-in providers by name. */
export function createProviders(
  settings: ReadonlyMap<string, ProviderSettings>,
): Map<string, Provider> {
  const providers = [createLocalProvider(), createOpenAiProvider(settings.get('openai') ?? {})];
  return new Map(providers.map((provider) => [provider.name, provider]));
}
