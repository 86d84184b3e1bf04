import { GatewayParams } from '../../iam/gateway-operations.ts';
import { notFound } from '../../http/errors.ts';
import { defineRoute } from '../../iam/route.ts';
import type { GatewayAdminServices } from '../admin-services.ts';
import { presentGateway } from './gateway-presenter.ts';
import { GATEWAY_RECORD, GatewaySchema } from './gateway-schemas.ts';
import { findGatewayRecord } from './gateway-store.ts';

export const getGatewayRoute = ({ database }: GatewayAdminServices) =>
  defineRoute({
    method: 'GET',
    path: '/accounts/:account_id/ai-gateway/gateways/:gateway_id',
    operationId: 'get-gateway',
    section: 'AI gateway',
    summary: 'Get a gateway',
    access: 'ai-gateway.read',
    params: GatewayParams,
    record: GATEWAY_RECORD,
    result: GatewaySchema,
    async handler({ params, request }) {
      const gateway = await findGatewayRecord(database.read, params.account_id, params.gateway_id);
      if (gateway === undefined) throw notFound(request.path);
      return { result: presentGateway(gateway) };
    },
  });
