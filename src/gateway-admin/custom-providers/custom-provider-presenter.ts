import { presentUrl, showMembers } from '../../iam/audit/audit-view.ts';
import type { Static } from 'typebox';
import { auditedChangeOf } from '../../iam/audit/audited-change.ts';
import { formatTime } from '../../lib/clock.ts';
import type { CustomProviderSchema } from './custom-provider-schemas.ts';
import type { CustomProvider } from './custom-provider-store.ts';

/** Presents a custom provider. */
export function presentCustomProvider(
  provider: CustomProvider,
): Static<typeof CustomProviderSchema> {
  return {
    id: provider.id,
    name: provider.name,
    slug: provider.slug,
    base_url: provider.baseUrl,
    dialect: provider.dialect,
    ...(provider.keyHeader === undefined ? {} : { key_header: provider.keyHeader }),
    models: [...provider.models],
    enable: provider.isEnabled,
    beta: provider.isBeta,
    ...(provider.description === undefined ? {} : { description: provider.description }),
    ...(provider.link === undefined ? {} : { link: provider.link }),
    created_at: formatTime(provider.createdAtMs),
    modified_at: formatTime(provider.modifiedAtMs),
  };
}

/** Describes a change of a custom provider for the audit log of its account. */
export const customProviderChange = auditedChangeOf(
  { type: 'ai_gateway_custom_provider', product: 'ai_gateway' },
  {
    ...showMembers('id', 'name', 'slug', 'enable', 'beta', 'description', 'link'),
    ...showMembers('dialect', 'key_header', 'models'),
    ...showMembers('created_at', 'modified_at', 'keys_deleted_from'),
    base_url: presentUrl,
  },
);
