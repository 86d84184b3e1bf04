import { notFound } from '../../http/errors.ts';
import { forbidden } from '../../iam/access/authorize.ts';
import { holds } from '../../iam/principal.ts';
import { defineRoute } from '../../iam/route.ts';
import type { GatewayAdminServices } from '../admin-services.ts';
import { deleteConfigsOfProvider } from '../provider-keys/provider-config-store.ts';
import { customProviderChange, presentCustomProvider } from './custom-provider-presenter.ts';
import {
  CUSTOM_PROVIDER_RECORD,
  CustomProviderParams,
  CustomProviderSchema,
} from './custom-provider-schemas.ts';
import {
  CUSTOM_PREFIX,
  deleteCustomProvider,
  lockCustomProvider,
} from './custom-provider-store.ts';
import { keysAnnouncement, customProviderAnnouncement } from '../snapshot-topics.ts';

export const deleteCustomProviderRoute = ({ changes }: GatewayAdminServices) =>
  defineRoute({
    method: 'DELETE',
    path: '/accounts/:account_id/ai-gateway/custom-providers/:provider_id',
    operationId: 'delete-custom-provider',
    section: 'AI gateway',
    summary: 'Delete a custom provider',
    description: 'Also deletes all keys stored for the provider. The slug becomes available again.',
    access: 'ai-gateway.write',
    params: CustomProviderParams,
    record: CUSTOM_PROVIDER_RECORD,
    result: CustomProviderSchema,
    async handler({ principal, params, request, checkRecord }) {
      const { account_id: accountId, provider_id: id } = params;
      return changes.make({ principal, request }, async ({ tx, announce, audit }) => {
        const provider = await lockCustomProvider(tx, accountId, { id });
        if (provider === undefined) throw notFound(request.path);
        checkRecord(presentCustomProvider(provider));
        const name = CUSTOM_PREFIX + provider.slug;
        const gatewayIds = await deleteConfigsOfProvider(tx, accountId, name);
        // The permission may be denied for a single gateway.
        const denied = gatewayIds.some(
          (gatewayId) => !holds(principal, 'ai-gateway.write', { accountId, gatewayId }),
        );
        if (denied) throw forbidden('ai-gateway.write', principal);
        await deleteCustomProvider(tx, accountId, id);
        announce(customProviderAnnouncement(accountId, provider.slug));
        for (const gatewayId of gatewayIds) announce(keysAnnouncement(accountId, gatewayId));
        audit({
          ...customProviderChange(provider, 'delete', 'Deleted a custom provider'),
          request: { keys_deleted_from: gatewayIds },
        });
        return { result: presentCustomProvider(provider) };
      });
    },
  });
