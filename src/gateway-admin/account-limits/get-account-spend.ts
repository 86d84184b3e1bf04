import { AccountParams, defineRoute } from '../../iam/route.ts';
import type { GatewayAdminServices } from '../admin-services.ts';
import { SpendSchema, presentSpend } from '../gateways/spend-presenter.ts';
import { accountRulesOf, findAccountLimits } from './account-limits.ts';
import type { RuleSpend } from '../spend-rules.ts';

export const getAccountSpendRoute = ({ database, data }: GatewayAdminServices) =>
  defineRoute({
    method: 'GET',
    path: '/accounts/:account_id/ai-gateway/spend',
    operationId: 'get-account-spend',
    section: 'AI gateway',
    summary: 'Get the current spend under the limits of an account',
    description:
      'For each rule of the account that is enabled, the spend in its current window. Units that other nodes have leased for further calls count as spent: at most a hundredth of the limit for each node.',
    access: 'ai-gateway.read',
    params: AccountParams,
    result: SpendSchema,
    async handler({ params }) {
      const { account_id: accountId } = params;
      const spends: RuleSpend[] = [];
      for (const rule of accountRulesOf(await findAccountLimits(database.read, accountId))) {
        // One after the other, because together they would use all connections to the database.
        spends.push(await data.spendOf({ accountId, id: '' }, rule));
      }
      return { result: presentSpend(spends) };
    },
  });
