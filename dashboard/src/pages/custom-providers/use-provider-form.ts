import { useEdit } from '../../ui/use-edit.ts';
import {
  type CustomProvider,
  createCustomProvider,
  readCustomProvider,
  refreshCustomProviders,
  updateCustomProvider,
} from '../../api/custom-providers.ts';
import { type ApiForm, useApiForm } from '../../ui/form.tsx';

/** A provider as it is filled in: the names are those of the API, so that its faults find their fields. */
export interface ProviderValues {
  name: string;
  slug: string;
  base_url: string;
  dialect: CustomProvider['dialect'];
  key_header: string;
  /** One per line. */
  models: string;
  description: string;
  link: string;
  beta: boolean;
  enable: boolean;
}

interface ProviderFormOptions {
  accountId: string;
  /** Undefined: a new one is added. */
  provider: CustomProvider | undefined;
  onSaved: (provider: CustomProvider) => void;
}

const NEW = {} as CustomProvider;

/** All members that the form shows, because it sends all of them. */
const EDITED = [
  'name',
  'base_url',
  'dialect',
  'key_header',
  'models',
  'description',
  'link',
  'beta',
  'enable',
] as const;

/** The form that adds a provider, or changes one. */
export function useProviderForm({
  accountId,
  provider,
  onSaved,
}: ProviderFormOptions): ApiForm<ProviderValues> {
  const edit = useEdit(provider ?? NEW, () => readCustomProvider(accountId, provider?.id ?? ''));
  return useApiForm<ProviderValues>({
    values: {
      name: provider?.name ?? '',
      slug: provider?.slug ?? '',
      base_url: provider?.base_url ?? '',
      dialect: provider?.dialect ?? 'openai',
      key_header: provider?.key_header ?? '',
      models: provider?.models.join('\n') ?? '',
      description: provider?.description ?? '',
      link: provider?.link ?? '',
      beta: provider?.beta ?? false,
      enable: provider?.enable ?? true,
    },
    save: async ({ slug, ...values }, idempotencyKey) => {
      const body = {
        ...values,
        name: values.name.trim(),
        base_url: values.base_url.trim(),
        key_header: values.key_header.trim(),
        models: modelsIn(values.models),
        link: values.link.trim(),
      };
      const saved = await (provider === undefined
        ? createCustomProvider(accountId, { ...body, slug: slug.trim() }, idempotencyKey)
        : edit.save(EDITED, (headers) =>
            updateCustomProvider(accountId, provider.id, body, headers),
          ));
      await refreshCustomProviders(accountId);
      onSaved(saved);
    },
  });
}

/** The names in a text with one per line, without repetitions. */
export function modelsIn(text: string): string[] {
  const names = text.split('\n').map((line) => line.trim());
  return [...new Set(names)].filter((name) => name !== '');
}

/** "Inference team (EU)" as a slug: "inference-team-eu". */
export function slugOf(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 63)
    .replaceAll(/^-+|-+$/g, '');
}
