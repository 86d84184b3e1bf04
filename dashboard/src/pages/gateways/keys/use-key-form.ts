import { useEdit } from '../../../ui/use-edit.ts';
import {
  type KeysPlace,
  type ProviderConfig,
  createProviderConfig,
  refreshProviderConfigs,
  readProviderConfig,
  updateProviderConfig,
} from '../../../api/provider-configs.ts';
import { type ApiForm, useApiForm } from '../../../ui/form.tsx';
import { toast } from '../../../ui/toast.tsx';
import { labels } from './labels.ts';

/** A key as it is filled in: the names are those of the API, so that its faults find their fields. */
export interface KeyValues {
  provider_slug: string;
  origin: string;
  alias: string;
  secret: string;
  default_config: boolean;
  rate_limit: string;
  rate_limit_period: string;
}

interface KeyFormOptions {
  place: KeysPlace;
  /** Undefined: a new one is added. */
  config: ProviderConfig | undefined;
  /** Of a new one; empty: still to be chosen. */
  providerSlug: string;
  onSaved: () => void;
}

const MINUTE = '60';

const NEW = {} as ProviderConfig;
const EDITED = ['alias', 'default_config', 'rate_limit', 'rate_limit_period'] as const;

/** The form that stores a key, or changes one. */
export function useKeyForm({
  place,
  config,
  providerSlug,
  onSaved,
}: KeyFormOptions): ApiForm<KeyValues> {
  const edit = useEdit(config ?? NEW, () => readProviderConfig(place, config?.id ?? ''));
  return useApiForm<KeyValues>({
    values: {
      provider_slug: config?.provider_slug ?? providerSlug,
      origin: '',
      alias: config?.alias ?? 'main',
      secret: '',
      default_config: config?.default_config ?? true,
      rate_limit: String(config?.rate_limit ?? ''),
      rate_limit_period: String(config?.rate_limit_period ?? MINUTE),
    },
    save: async (values, idempotencyKey) => {
      await (config === undefined
        ? createProviderConfig(place, newKeyOf(values), idempotencyKey)
        : edit.save(EDITED, (headers) =>
            updateProviderConfig(place, config.id, changeOf(values), headers),
          ));
      await refreshProviderConfigs(place);
      toast(config === undefined ? labels.storedTheKey : labels.savedTheKey);
      onSaved();
    },
  });
}

function newKeyOf(values: KeyValues) {
  const origin = values.origin.trim().replace(/\/+$/, '');
  return {
    provider_slug: values.provider_slug,
    ...(origin !== '' && { origin }),
    secret: values.secret.trim(),
    ...changeOf({ ...values, secret: '' }),
  };
}

/** A key that is not typed anew stays. */
function changeOf(values: KeyValues) {
  const secret = values.secret.trim();
  const limit = values.rate_limit.trim();
  return {
    alias: values.alias.trim(),
    default_config: values.default_config,
    ...(secret !== '' && { secret }),
    rate_limit: limit === '' ? null : Number(limit),
    rate_limit_period: limit === '' ? null : Number(values.rate_limit_period),
  };
}
