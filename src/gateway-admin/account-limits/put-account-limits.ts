import { gatewayBodyFaults, gatewayFieldErrors } from '../../iam/gateway-operations.ts';
import { ApiError } from '../../http/errors.ts';
import { AccountParams, defineRoute } from '../../iam/route.ts';
import { lockAccount } from '../../iam/accounts/account-store.ts';
import type { GatewayAdminServices } from '../admin-services.ts';
import { completeSpendLimits, findSpendLimitFaults } from '../gateways/spend-limits.ts';
import {
  ACCOUNT_LIMITS_RECORD,
  AccountLimitsInputSchema,
  AccountLimitsSchema,
  accountLimitsAnnouncement,
  accountLimitsChange,
  findAccountLimits,
  storeAccountLimits,
} from './account-limits.ts';

export const putAccountLimitsRoute = ({ changes }: GatewayAdminServices) =>
  defineRoute({
    method: 'PUT',
    path: '/accounts/:account_id/ai-gateway/spend-limits',
    operationId: 'put-account-spend-limits',
    section: 'AI gateway',
    summary: 'Replace the spend limits of an account',
    description:
      'Gateways share the budget of each rule. A rule with `gateway_tags` applies to the gateways that have these resource tags now. Changes of limits and of tags take effect at once on this node and within one second on every other.',
    access: 'ai-gateway.write',
    params: AccountParams,
    body: AccountLimitsInputSchema,
    bodyFaults: gatewayBodyFaults,
    record: ACCOUNT_LIMITS_RECORD,
    result: AccountLimitsSchema,
    async handler({ principal, params, body, request, checkRecord }) {
      const { account_id: accountId } = params;
      const faults = findSpendLimitFaults(body, '');
      if (faults.length > 0) {
        throw new ApiError(gatewayFieldErrors.invalidField.status, faults);
      }
      const limits = completeSpendLimits(body);
      return changes.make({ principal, request, body }, async ({ tx, announce, audit }) => {
        await lockAccount(tx, accountId);
        checkRecord(await findAccountLimits(tx, accountId));
        await storeAccountLimits(tx, accountId, limits);
        announce(accountLimitsAnnouncement(accountId));
        audit(accountLimitsChange(accountId));
        return { result: limits };
      });
    },
  });
