import { notFound } from '../../http/errors.ts';
import { defineRoute } from '../../iam/route.ts';
import type { GatewayAdminServices } from '../admin-services.ts';
import { lockGateway } from '../gateways/gateway-store.ts';
import { presentProviderConfig, providerConfigChange } from './provider-config-presenter.ts';
import {
  PROVIDER_CONFIG_RECORD,
  ProviderConfigParams,
  ProviderConfigSchema,
} from './provider-config-schemas.ts';
import { deleteProviderConfig, findProviderConfig } from './provider-config-store.ts';
import { keysAnnouncement } from '../snapshot-topics.ts';

export const deleteProviderConfigRoute = ({ changes }: GatewayAdminServices) =>
  defineRoute({
    method: 'DELETE',
    path: '/accounts/:account_id/ai-gateway/gateways/:gateway_id/provider_configs/:config_id',
    operationId: 'delete-provider-config',
    section: 'AI gateway',
    summary: 'Delete a provider key',
    description:
      'The deletion takes effect at once on this node and within one second on the others. No other key becomes the default.',
    access: 'ai-gateway.write',
    params: ProviderConfigParams,
    record: PROVIDER_CONFIG_RECORD,
    result: ProviderConfigSchema,
    async handler({ principal, params, request, checkRecord }) {
      const { account_id: accountId, gateway_id: gatewayId, config_id: id } = params;
      const place = { accountId, gatewayId, id };
      return changes.make({ principal, request }, async ({ tx, announce, audit }) => {
        const gateway = await lockGateway(tx, accountId, gatewayId);
        const config = gateway === undefined ? undefined : await findProviderConfig(tx, place);
        if (config === undefined) throw notFound(request.path);
        checkRecord(presentProviderConfig(config));
        await deleteProviderConfig(tx, place);
        announce(keysAnnouncement(accountId, gatewayId));
        audit(providerConfigChange(place, 'delete', 'Deleted a provider key'));
        return { result: presentProviderConfig(config) };
      });
    },
  });
