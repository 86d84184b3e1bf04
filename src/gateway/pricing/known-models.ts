import { tableIds } from './price-table.ts';

/** A known model of a provider. */
export interface KnownModel {
  /** The name at the provider. */
  id: string;
  name: string;
}

// Their models contain a project, a location or a deployment of the client.
const withOwnNames = new Set(['google-vertex-ai', 'azure-openai']);

const GOOGLE_AI_STUDIO_MODEL = /^(?:gemini|gemma)-/;

/**
 * Returns the models of a provider in the table of public prices. The table takes some megabytes, so it is loaded at its
 * first use.
 * @param provider name in models and paths
 */
export async function knownModels(provider: string): Promise<KnownModel[]> {
  if (provider === 'local') return [{ id: 'echo', name: 'echo' }];
  const tableId = Object.hasOwn(tableIds, provider) ? tableIds[provider] : undefined;
  if (tableId === undefined || withOwnNames.has(provider)) return [];
  const { findProvider } = await import('@pydantic/genai-prices');
  const models = findProvider({ providerId: tableId })?.models ?? [];
  return models
    .filter(({ id, deprecated }) => deprecated !== true && isOffered(provider, id))
    .map(({ id, name }) => ({ id, name: name ?? id }));
}

/** Removes names of other providers, which the table lists under some providers. */
function isOffered(provider: string, id: string): boolean {
  if (provider === 'google-ai-studio') return GOOGLE_AI_STUDIO_MODEL.test(id);
  return provider === 'openrouter' || !id.endsWith(':free');
}
