import { GatewayParams } from '../../iam/gateway-operations.ts';
import { notFound } from '../../http/errors.ts';
import { defineRoute } from '../../iam/route.ts';
import type { GatewayAdminServices } from '../admin-services.ts';
import { findGatewayRecord } from './gateway-store.ts';
import { SpendSchema, presentSpend } from './spend-presenter.ts';
import { rulesOf } from './spend-limits.ts';
import type { RuleSpend } from '../spend-rules.ts';

export const getGatewaySpendRoute = ({ database, data }: GatewayAdminServices) =>
  defineRoute({
    method: 'GET',
    path: '/accounts/:account_id/ai-gateway/gateways/:gateway_id/spend',
    operationId: 'get-gateway-spend',
    section: 'AI gateway',
    summary: 'Get the current spend of a gateway',
    description:
      'Returns the spend in the current window for each enabled rule of `spend_limits`. Units that other nodes have leased for further calls count as spent: at most a hundredth of the limit for each node.',
    access: 'ai-gateway.read',
    params: GatewayParams,
    result: SpendSchema,
    async handler({ params, request }) {
      const { account_id: accountId, gateway_id: gatewayId } = params;
      const gateway = await findGatewayRecord(database.read, accountId, gatewayId);
      if (gateway === undefined) throw notFound(request.path);
      const spends: RuleSpend[] = [];
      for (const rule of rulesOf(gateway.settings.spendLimits)) {
        // One after the other, because together they would use all connections to the database.
        spends.push(await data.spendOf(gateway, rule));
      }
      return { result: presentSpend(spends) };
    },
  });
