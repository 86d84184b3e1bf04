import { GatewayParams, gatewayBodyFaults } from '../../iam/gateway-operations.ts';
import { notFound } from '../../http/errors.ts';
import { defineRoute } from '../../iam/route.ts';
import type { GatewayAdminServices } from '../admin-services.ts';
import { presentGateway } from './gateway-presenter.ts';
import type { GatewayRecord } from './gateway-record.ts';
import { GATEWAY_RECORD, GatewaySchema, UpdateGatewaySchema } from './gateway-schemas.ts';
import { lockGateway, updateGateway } from './gateway-store.ts';
import { otelSealer, sealOtel } from './otel-secrets.ts';
import { parseGatewayInput } from './parse-gateway-input.ts';
import { gatewayAnnouncement } from '../snapshot-topics.ts';
import { gatewayChange } from './gateway-change.ts';

export const updateGatewayRoute = (services: GatewayAdminServices) =>
  defineRoute({
    method: 'PUT',
    path: '/accounts/:account_id/ai-gateway/gateways/:gateway_id',
    operationId: 'update-gateway',
    section: 'AI gateway',
    summary: 'Update a gateway',
    description:
      'Replaces all settings. Omitted settings are reset to their defaults: authentication on, limits and retries off. A masked secret in `otel` keeps its stored value if the host is the same. With cache_invalidate_on_update, the cache is cleared. Changes take effect at once on this node and within one second on the others.',
    access: 'ai-gateway.write',
    params: GatewayParams,
    body: UpdateGatewaySchema,
    bodyFaults: gatewayBodyFaults,
    record: GATEWAY_RECORD,
    result: GatewaySchema,
    async handler({ principal, params, body, request, checkRecord }) {
      const { clock, changes, masterKey } = services;
      const settings = parseGatewayInput(params.gateway_id, body, services);
      return changes.make({ principal, request, body }, async ({ tx, announce, audit }) => {
        const stored = await lockGateway(tx, params.account_id, params.gateway_id);
        if (stored === undefined) throw notFound(request.path);
        checkRecord(presentGateway(stored));
        const gateway: GatewayRecord = {
          ...stored,
          settings: {
            ...settings,
            otel: sealOtel(stored, body.otel, stored.settings.otel, otelSealer(masterKey)),
          },
          cacheGeneration: stored.cacheGeneration + (settings.cacheInvalidateOnUpdate ? 1 : 0),
          modifiedAtMs: clock.now(),
        };
        await updateGateway(tx, gateway);
        announce(gatewayAnnouncement(gateway.accountId, gateway.id));
        audit(gatewayChange(gateway, 'update', 'Updated a gateway'));
        return { result: presentGateway(gateway) };
      });
    },
  });
