import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { useAccountOfPage } from '../../../api/accounts.ts';
import { type RuleSpend, type Spend, gatewaySpendQuery } from '../../../api/gateway-spend.ts';
import type { Gateway } from '../../../api/gateways.ts';
import { counted } from '../../../lib/counted.ts';
import { formatCount } from '../../../lib/figures.ts';
import { LinkButton } from '../../../ui/button.tsx';
import { Card } from '../../../ui/page.tsx';
import { LoadFailure } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import { BudgetMeter } from './budget-meter.tsx';
import { labels } from './labels.ts';
import {
  type SpendRule,
  budgetFields,
  hasSpendLimits,
  limitWords,
  scopeWords,
  windowWords,
} from './spend-words.ts';

const SETTINGS = '/accounts/$accountId/ai-gateway/gateways/$gatewayId/settings';

// Of one rule; the others come when they are asked for.
const BUDGETS_AT_ONCE = 3;

/** How near the spend limits of a gateway are. */
export function SpendCard({ gateway }: { gateway: Gateway }) {
  const { accountId, can } = useAccountOfPage();
  const params = { accountId, gatewayId: gateway.id };
  const mayWrite = can('ai-gateway.write');
  const rules = gateway.spend_limits?.rules ?? [];
  return (
    <Card
      title={labels.spendLimits}
      actions={
        rules.length > 0 && (
          <LinkButton isSmall to={SETTINGS} params={params}>
            {mayWrite ? labels.changeLimits : labels.viewSettings}
          </LinkButton>
        )
      }
    >
      {hasSpendLimits(gateway) ? (
        <SpendOfGateway accountId={accountId} gatewayId={gateway.id} rules={rules} />
      ) : (
        <p className="text-[0.9375rem] text-muted">
          {rules.length === 0 ? labels.thisGatewayHasNoSpend : labels.allSpendLimits}
          {mayWrite && rules.length === 0 && (
            <Link to={SETTINGS} params={params} className="underline">
              {labels.setALimit}
            </Link>
          )}
        </p>
      )}
    </Card>
  );
}

interface SpendOfGatewayProps {
  accountId: string;
  gatewayId: string;
  rules: readonly SpendRule[];
}

function SpendOfGateway({ accountId, gatewayId, rules }: SpendOfGatewayProps) {
  return <SpendOfRules rules={rules} result={useQuery(gatewaySpendQuery(accountId, gatewayId))} />;
}

interface SpendOfRulesProps {
  rules: readonly SpendRule[];
  result: Pick<UseQueryResult<Spend, unknown>, 'data' | 'error' | 'refetch'>;
}

/** The current spend of each enabled rule. */
export function SpendOfRules({ rules, result }: SpendOfRulesProps) {
  const { data, error, refetch } = result;
  if (data === undefined) {
    if (error !== null) {
      return <LoadFailure isUntitled error={error} onRetry={() => void refetch()} />;
    }
    return (
      <div role="status" className="space-y-3">
        <span className="sr-only">{labels.loading}</span>
        <div className="skeleton h-5 w-64 max-w-full" />
        <div className="skeleton h-2" />
      </div>
    );
  }
  const off = rules.filter(({ enabled }) => !enabled).length;
  return (
    <>
      <ul className="divide-y divide-line">
        {data.rules.map((spend) => {
          // One that was made since the gateway was read comes with it.
          const rule = rules.find(({ id }) => id === spend.id);
          return rule && <RuleItem key={spend.id} rule={rule} spend={spend} />;
        })}
      </ul>
      {off > 0 && (
        <p className="mt-3 border-t border-line pt-3 text-sm text-muted">
          {off === 1 ? labels.oneMoreRuleIsDisabled : labels.moreRulesAreDisabled(off)}
        </p>
      )}
    </>
  );
}

function RuleItem({ rule, spend }: { rule: SpendRule; spend: RuleSpend }) {
  const id = useId();
  const [isWhole, setIsWhole] = useState(false);
  const { limit, budgets, more_budgets: more } = spend;
  const shown = isWhole ? budgets : budgets.slice(0, BUDGETS_AT_ONCE);
  const hidden = budgets.length - shown.length;
  return (
    <li className="py-4 first:pt-0 last:pb-0">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-0.5">
        <h3 id={id} className="text-[0.9375rem] font-medium wrap-anywhere">
          {limitWords(spend)} <span className="font-normal text-muted">{scopeWords(rule)}</span>
        </h3>
        <p className="text-sm text-muted">
          <WindowEnd spend={spend} />
        </p>
      </div>
      {budgets.length === 0 ? (
        <p className="mt-2 text-sm text-muted">{labels.noSpendingInThisPeriod}</p>
      ) : (
        <ul aria-labelledby={id} className="mt-2.5 space-y-3">
          {shown.map((budget) => (
            <BudgetMeter
              key={JSON.stringify({ ...budget, spent: 0, resets_at: null })}
              budget={budget}
              limit={limit}
              name={budgetFields(budget).length > 0 ? undefined : limitWords(spend)}
            />
          ))}
        </ul>
      )}
      {hidden > 0 && (
        <button
          type="button"
          className="mt-3 min-h-6 text-sm text-muted underline hover:text-text"
          onClick={() => setIsWhole(true)}
        >
          {labels.showMore(formatCount(hidden))}
        </button>
      )}
      {hidden === 0 && more > 0 && (
        <p className="mt-3 text-sm text-muted">
          {labels.moreHaveSpentLessAnalytics(formatCount(more))}
        </p>
      )}
      {spend.unpriced_calls > 0 && (
        <p className="mt-3 text-sm text-muted">
          {labels.ofModelsWithoutAKnown(counted(spend.unpriced_calls, 'call'))}
        </p>
      )}
    </li>
  );
}

/** When a rule begins anew. */
function WindowEnd({ spend: { window, window_end: end } }: { spend: RuleSpend }) {
  if (end === null) return <>{labels.sumOfTheLast(windowWords(window))}</>;
  return (
    <>
      Resets <Time value={end} />
    </>
  );
}
