import type { UpstreamProvider } from '../provider.ts';

const DEFAULT_BASE_URL = 'https://api.openai.com/v1';

/** OpenAI, or whatever speaks its API at the address that the operator names. */
export function createOpenAiProvider(settings: {
  baseUrl?: string;
  apiKey?: string;
}): UpstreamProvider {
  const url = new URL(settings.baseUrl ?? DEFAULT_BASE_URL);
  return {
    kind: 'upstream',
    name: 'openai',
    origin: url.origin,
    basePath: url.pathname.replace(/\/+$/, ''),
    apiKey: settings.apiKey,
    operationPath: (operation) => `/${operation}`,
    credentialHeaders: ['authorization'],
    authorization: (apiKey) => ['authorization', `Bearer ${apiKey}`],
  };
}
