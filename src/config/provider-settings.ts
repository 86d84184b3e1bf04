import { PREFIX, type Setting, type SettingDoc, parseValue } from './setting.ts';
import { address, headerKey } from './setting-parsers.ts';

/** What operators say of one model provider. */
export interface ProviderSettings {
  /** Used as written, private addresses included. */
  baseUrl?: string;
  /** Sent to the provider for authenticated callers who bring no key of their own. */
  apiKey?: string;
}

const PROVIDER_NAME = /^LATCHKEY_PROVIDER_([A-Z][A-Z0-9_]*?)_(BASE_URL|API_KEY)$/;

const API_KEY: Setting<string> = {
  meaning: 'Key for requests of authenticated clients that do not send their own provider key',
  default: undefined,
  secret: true,
  parse: headerKey,
};

const BASE_URL: Setting<string> = {
  meaning:
    'URL of the API of a model provider, such as PROVIDER_OPENAI_BASE_URL; used exactly as written',
  default: undefined,
  parse: address,
};

export const providerSettingDocs: readonly SettingDoc[] = [
  { name: `${PREFIX}PROVIDER_<NAME>_BASE_URL`, default: '', meaning: BASE_URL.meaning },
  { name: `${PREFIX}PROVIDER_<NAME>_API_KEY`, default: '', meaning: API_KEY.meaning },
];

export function isProviderSetting(name: string): boolean {
  return PROVIDER_NAME.test(name);
}

/** The settings of model providers by the provider's name: lower case, `-` for `_`. */
export function readProviders(values: ReadonlyMap<string, string>): Map<string, ProviderSettings> {
  const providers = new Map<string, ProviderSettings>();
  for (const [name, value] of values) {
    const match = PROVIDER_NAME.exec(name);
    if (match === null || value === '') continue;
    const [, key = '', field] = match;
    const provider = key.toLowerCase().replaceAll('_', '-');
    const known = providers.get(provider) ?? {};
    if (field === 'API_KEY') known.apiKey = parseValue(name, value, API_KEY);
    else {
      // Some people put the key into the query.
      const spec = value.includes('?') ? { ...BASE_URL, secret: true as const } : BASE_URL;
      known.baseUrl = parseValue(name, value, spec);
    }
    providers.set(provider, known);
  }
  return providers;
}
