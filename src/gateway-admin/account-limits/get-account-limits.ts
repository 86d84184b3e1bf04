import { AccountParams, defineRoute } from '../../iam/route.ts';
import type { GatewayAdminServices } from '../admin-services.ts';
import { ACCOUNT_LIMITS_RECORD, AccountLimitsSchema, findAccountLimits } from './account-limits.ts';

export const getAccountLimitsRoute = ({ database }: GatewayAdminServices) =>
  defineRoute({
    method: 'GET',
    path: '/accounts/:account_id/ai-gateway/spend-limits',
    operationId: 'get-account-spend-limits',
    section: 'AI gateway',
    summary: 'Get the spend limits of an account',
    description:
      'Limits that several gateways share: all gateways of the account, or those with certain resource tags.',
    access: 'ai-gateway.read',
    params: AccountParams,
    record: ACCOUNT_LIMITS_RECORD,
    result: AccountLimitsSchema,
    async handler({ params }) {
      return { result: await findAccountLimits(database.read, params.account_id) };
    },
  });
