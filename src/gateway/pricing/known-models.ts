import { tableIds } from './price-table.ts';

/** A model that a provider is known to have. */
export interface KnownModel {
  /** As the provider names it. */
  id: string;
  name: string;
}

// Callers name these by a project, a place or a deployment of their own.
const withOwnNames = new Set(['google-vertex-ai', 'azure-openai']);

const GOOGLE_AI_STUDIO_MODEL = /^(?:gemini|gemma)-/;

/**
 * The models of a provider, as far as the table of public prices knows them; none of a provider that is
 * not in it. The table takes some megabytes, so it is loaded at its first use.
 * @param provider as models and paths name it
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

/** The table has names from elsewhere among those of some providers. */
function isOffered(provider: string, id: string): boolean {
  if (provider === 'google-ai-studio') return GOOGLE_AI_STUDIO_MODEL.test(id);
  return provider === 'openrouter' || !id.endsWith(':free');
}
