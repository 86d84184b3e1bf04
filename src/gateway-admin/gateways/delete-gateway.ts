import { GatewayParams } from '../../iam/gateway-operations.ts';
import { notFound } from '../../http/errors.ts';
import { removeGatewayFromTokens } from '../../iam/api-tokens/remove-gateway-from-tokens.ts';
import { defineRoute } from '../../iam/route.ts';
import type { GatewayAdminServices } from '../admin-services.ts';
import { noteDeletedGateway } from './deleted-gateway-store.ts';
import { presentGateway } from './gateway-presenter.ts';
import { GATEWAY_RECORD, GatewaySchema } from './gateway-schemas.ts';
import { deleteGateway, lockGateway } from './gateway-store.ts';
import { gatewayAnnouncement, keysAnnouncement } from '../snapshot-topics.ts';
import { gatewayChange } from './gateway-change.ts';

export const deleteGatewayRoute = ({ changes, clock, tagging, data }: GatewayAdminServices) =>
  defineRoute({
    method: 'DELETE',
    path: '/accounts/:account_id/ai-gateway/gateways/:gateway_id',
    operationId: 'delete-gateway',
    section: 'AI gateway',
    summary: 'Delete a gateway',
    description:
      'Also deletes its provider keys, tags and logs. The id becomes available again. The next use of the gateway `default` creates it again. Policies of API tokens of the account and of its members no longer allow it. A token that allows only this gateway is deleted.',
    access: 'ai-gateway.write',
    params: GatewayParams,
    record: GATEWAY_RECORD,
    result: GatewaySchema,
    async handler({ principal, params, request, checkRecord }) {
      const { account_id: accountId, gateway_id: gatewayId } = params;
      return changes.make({ principal, request }, async (tools) => {
        const { tx, announce, audit } = tools;
        const gateway = await lockGateway(tx, accountId, gatewayId);
        if (gateway === undefined) throw notFound(request.path);
        checkRecord(presentGateway(gateway));
        await deleteGateway(tx, accountId, gatewayId);
        await data.deleteDeferredCalls(tx, accountId, gatewayId);
        await noteDeletedGateway(tx, { accountId, id: gatewayId, deletedAtMs: clock.now() });
        const resource = { accountId, type: 'ai_gateway', id: gatewayId } as const;
        await tagging.deleted(tx, resource, request.id);
        const deleted = { accountId, gatewayId, requestId: request.id, nowMs: clock.now() };
        await removeGatewayFromTokens(tools, tagging, deleted);
        announce(gatewayAnnouncement(accountId, gatewayId));
        announce(keysAnnouncement(accountId, gatewayId));
        audit(gatewayChange(gateway, 'delete', 'Deleted a gateway'));
        return { result: presentGateway(gateway) };
      });
    },
  });
