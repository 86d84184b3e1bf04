import { gatewayBodyFaults } from '../../iam/gateway-operations.ts';
import { apiError } from '../../http/errors.ts';
import { forbidden } from '../../iam/access/authorize.ts';
import { holds } from '../../iam/principal.ts';
import { AccountParams, defineRoute } from '../../iam/route.ts';
import { gatewayAdminErrors } from '../gateway-admin-errors.ts';
import type { GatewayAdminServices } from '../admin-services.ts';
import { presentGateway } from './gateway-presenter.ts';
import { GATEWAY_RECORD, CreateGatewaySchema, GatewaySchema } from './gateway-schemas.ts';
import { newGatewayRecord } from './gateway-record.ts';
import { insertGateway, lockAndCountGateways } from './gateway-store.ts';
import { otelSealer, sealOtel } from './otel-secrets.ts';
import { parseGatewayInput } from './parse-gateway-input.ts';
import { gatewayAnnouncement } from '../snapshot-topics.ts';
import { gatewayChange } from './gateway-change.ts';

// Far more than users create by hand; stops scripts that run away.
const MAX_GATEWAYS = 1_000;

export const createGatewayRoute = (services: GatewayAdminServices) =>
  defineRoute({
    method: 'POST',
    path: '/accounts/:account_id/ai-gateway/gateways',
    operationId: 'create-gateway',
    section: 'AI gateway',
    summary: 'Create a gateway',
    access: 'ai-gateway.write',
    params: AccountParams,
    body: CreateGatewaySchema,
    bodyFaults: gatewayBodyFaults,
    record: GATEWAY_RECORD,
    result: GatewaySchema,
    errors: [gatewayAdminErrors.gatewayExists, gatewayAdminErrors.tooManyGateways],
    async handler({ principal, params, body, request }) {
      const { clock, changes, masterKey } = services;
      // The permission may be denied for this gateway, which the path does not contain.
      const target = { accountId: params.account_id, gatewayId: body.id };
      if (!holds(principal, 'ai-gateway.write', target)) throw forbidden('ai-gateway.write');
      const parsed = parseGatewayInput(body.id, body, services);
      const place = { accountId: params.account_id, id: body.id };
      const settings = { ...parsed, otel: sealOtel(place, body.otel, null, otelSealer(masterKey)) };
      const gateway = newGatewayRecord(params.account_id, body.id, clock.now(), settings);
      return changes.make({ principal, request, body }, async ({ tx, announce, audit }) => {
        if ((await lockAndCountGateways(tx, params.account_id)) >= MAX_GATEWAYS) {
          throw apiError(gatewayAdminErrors.tooManyGateways);
        }
        if (!(await insertGateway(tx, gateway))) {
          throw apiError(gatewayAdminErrors.gatewayExists, { pointer: '/id' });
        }
        announce(gatewayAnnouncement(gateway.accountId, gateway.id));
        audit(gatewayChange(gateway, 'create', 'Created a gateway'));
        return { result: presentGateway(gateway) };
      });
    },
  });
