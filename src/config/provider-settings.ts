import { PREFIX, type Setting, type SettingDoc, parseValue } from './setting.ts';
import { address, headerKey } from './setting-parsers.ts';
import type { SettingValue } from './setting-values.ts';

/** Settings of one model provider. */
export interface ProviderSettings {
  /** Used as written, private addresses included. */
  baseUrl?: string;
  /** Key for authenticated clients without their own provider key. */
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
  {
    name: `${PREFIX}PROVIDER_<NAME>_BASE_URL`,
    default: '',
    meaning: BASE_URL.meaning,
    isSecret: false,
  },
  {
    name: `${PREFIX}PROVIDER_<NAME>_API_KEY`,
    default: '',
    meaning: API_KEY.meaning,
    isSecret: true,
  },
];

/** Checks if a name is a setting of a model provider, known or not. */
export function isProviderSetting(name: string): boolean {
  return PROVIDER_NAME.test(name);
}

/** Checks if a setting contains the key of a model provider. */
export function isProviderKey(name: string): boolean {
  return PROVIDER_NAME.exec(name)?.[2] === 'API_KEY';
}

/** The settings of model providers by the provider's name: lower case, `-` for `_`. */
export function readProviders(
  values: ReadonlyMap<string, SettingValue>,
): Map<string, ProviderSettings> {
  const providers = new Map<string, ProviderSettings>();
  for (const [name, { text, source }] of values) {
    const match = PROVIDER_NAME.exec(name);
    if (match === null) continue;
    const [, key = '', field] = match;
    const provider = key.toLowerCase().replaceAll('_', '-');
    const known = providers.get(provider) ?? {};
    if (field === 'API_KEY') known.apiKey = parseValue(source, text, API_KEY);
    else {
      // Some people put the key into the query.
      const spec = text.includes('?') ? { ...BASE_URL, secret: true as const } : BASE_URL;
      known.baseUrl = parseValue(source, text, spec);
    }
    providers.set(provider, known);
  }
  return providers;
}
