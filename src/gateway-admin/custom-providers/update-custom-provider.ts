import { gatewayBodyFaults } from '../../iam/gateway-operations.ts';
import { apiError, notFound } from '../../http/errors.ts';
import { defineRoute } from '../../iam/route.ts';
import { gatewayAdminErrors } from '../gateway-admin-errors.ts';
import type { GatewayAdminServices } from '../admin-services.ts';
import { hasProviderConfigs } from '../provider-keys/provider-config-store.ts';
import { customProviderChange, presentCustomProvider } from './custom-provider-presenter.ts';
import {
  CUSTOM_PROVIDER_RECORD,
  CustomProviderParams,
  CustomProviderSchema,
  type UpdateCustomProviderInput,
  UpdateCustomProviderSchema,
} from './custom-provider-schemas.ts';
import {
  CUSTOM_PREFIX,
  type CustomProvider,
  lockCustomProvider,
  updateCustomProvider,
} from './custom-provider-store.ts';
import { parseBaseUrl } from './parse-base-url.ts';
import { parseKeyHeader } from './parse-key-header.ts';
import { parseLink } from './parse-link.ts';
import { customProviderAnnouncement } from '../snapshot-topics.ts';

export const updateCustomProviderRoute = (services: GatewayAdminServices) =>
  defineRoute({
    method: 'PATCH',
    path: '/accounts/:account_id/ai-gateway/custom-providers/:provider_id',
    operationId: 'update-custom-provider',
    section: 'AI gateway',
    summary: 'Update a custom provider',
    description:
      'Omitted fields keep their values. The slug cannot be changed. The base_url cannot be changed while gateways store keys for the provider, because a new address would receive these keys.',
    access: 'ai-gateway.write',
    params: CustomProviderParams,
    body: UpdateCustomProviderSchema,
    bodyFaults: gatewayBodyFaults,
    record: CUSTOM_PROVIDER_RECORD,
    result: CustomProviderSchema,
    errors: [gatewayAdminErrors.invalidBaseUrl, gatewayAdminErrors.providerHasKeys],
    async handler({ principal, params, body, request, checkRecord }) {
      const { clock, changes } = services;
      const { account_id: accountId, provider_id: id } = params;
      const baseUrl =
        body.base_url === undefined ? undefined : parseBaseUrl(body.base_url, services);
      return changes.make({ principal, request, body }, async ({ tx, announce, audit }) => {
        const stored = await lockCustomProvider(tx, accountId, { id });
        if (stored === undefined) throw notFound(request.path);
        checkRecord(presentCustomProvider(stored));
        if (
          baseUrl !== undefined &&
          addressOf(baseUrl) !== addressOf(stored.baseUrl) &&
          (await hasProviderConfigs(tx, accountId, CUSTOM_PREFIX + stored.slug))
        ) {
          throw apiError(gatewayAdminErrors.providerHasKeys, { pointer: '/base_url' });
        }
        const provider: CustomProvider = {
          ...changed(stored, body),
          baseUrl: baseUrl ?? stored.baseUrl,
          modifiedAtMs: clock.now(),
        };
        await updateCustomProvider(tx, provider);
        announce(customProviderAnnouncement(accountId, provider.slug));
        audit(customProviderChange(provider, 'update', 'Updated a custom provider'));
        return { result: presentCustomProvider(provider) };
      });
    },
  });

/** Returns the address that receives keys, which the query does not change. */
function addressOf(baseUrl: string): string {
  const [address = ''] = baseUrl.split('?', 1);
  return address;
}

function changed(
  stored: CustomProvider,
  { name, description, link, enable, beta, dialect, models, ...body }: UpdateCustomProviderInput,
): CustomProvider {
  return {
    ...stored,
    name: name ?? stored.name,
    // An empty text removes it.
    description: (description ?? stored.description) || undefined,
    dialect: dialect ?? stored.dialect,
    keyHeader: body.key_header === undefined ? stored.keyHeader : parseKeyHeader(body.key_header),
    models: models ?? stored.models,
    link: link === undefined ? stored.link : parseLink(link),
    isBeta: beta ?? stored.isBeta,
    isEnabled: enable ?? stored.isEnabled,
  };
}
