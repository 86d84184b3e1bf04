import { countsApart } from './authenticate.ts';
import type { Exchange } from './exchange.ts';
import type { GatewayServices } from './gateway-services.ts';
import type { SpendSubject } from './limits/spend-budget.ts';
import { customCostOf } from './prices/cost.ts';
import type { Step } from './step.ts';
import type { Usage } from './usage/usage.ts';
import { type LogEntry, callerIds } from './logs/capture/log-entry.ts';

const NO_METADATA = {};

/** What the spend limits go by. */
export function spendSubjectOf({ admission }: Exchange, { route, options }: Step): SpendSubject {
  return {
    provider: route.provider.name,
    model: route.model,
    tokenId: callerIds(admission.caller).tokenId,
    metadata: options.metadata ?? NO_METADATA,
    isApart: countsApart(admission),
  };
}

/**
 * A step is over: reckons what it cost, charges that to the spend limits and logs the row.
 * @param failure status to log instead of the answer's own, when it did not end well
 */
export function settle(
  services: GatewayServices,
  exchange: Exchange,
  step: Step,
  entry: LogEntry,
  usage: Usage,
  failure?: number,
): void {
  const nowMs = services.clock.now();
  const { gateway } = exchange.admission;
  const { route, options } = step;
  const finish = (listed: number | null): void => {
    const own = options.customCost && customCostOf(options.customCost, usage);
    // A caller that names its own price must not spend more than others.
    const charged = Math.max(listed ?? 0, own ?? 0);
    if (charged > 0 && gateway.spendRules.length > 0) {
      services.limits.charge(gateway, spendSubjectOf(exchange, step), charged);
    }
    entry.end(usage, own === undefined ? listed : own, nowMs, failure);
  };
  if (usage.tokensIn === null && usage.tokensOut === null) return finish(null);
  const cost = services.prices.costOf(route.provider.name, route.model, usage, nowMs);
  if (!(cost instanceof Promise)) return finish(cost);
  cost.then(finish, (error: unknown) => {
    exchange.log.error({ err: error }, 'the cost of a request could not be reckoned');
    finish(null);
  });
}
