import { type Static, Type } from 'typebox';
import { formatTime } from '../../lib/clock.ts';
import { NANO_USD_PER_USD } from '../../lib/money.ts';
import { type RuleSpend, type SpentBudget, METADATA_PREFIX } from '../spend-rules.ts';

const Moment = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], description });

const BudgetSchema = Type.Object({
  caller: Type.Optional(
    Type.Literal('unauthenticated', {
      description: 'The budget that all unauthenticated clients share',
    }),
  ),
  model: Type.Optional(Type.String()),
  provider: Type.Optional(Type.String()),
  token: Type.Optional(
    Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'Id of the API token or the OAuth client; null: calls without one',
    }),
  ),
  user: Type.Optional(
    Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'Id of the user on whose behalf the call was made; null: calls without a user',
    }),
  ),
  oauth_client: Type.Optional(
    Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'Id of the OAuth client; null: calls without one',
    }),
  ),
  metadata: Type.Optional(Type.Record(Type.String(), Type.String())),
  spent: Type.Number({ description: 'US dollars; can exceed the limit' }),
  resets_at: Moment('Time at which budget is available again; null: available now'),
});

/** The current spend of a gateway. */
export const SpendSchema = Type.Object({
  rules: Type.Array(
    Type.Object({
      id: Type.String(),
      limit: Type.Number({ description: 'US dollars' }),
      window: Type.Integer({ description: 'Seconds' }),
      technique: Type.Enum(['fixed', 'sliding']),
      window_start: Type.String(),
      window_end: Moment('Null for a sliding window, which ends now'),
      budgets: Type.Array(BudgetSchema, {
        description:
          'One budget, or one for each value of the partition: at most 20, the largest first. Values are cut at 256 characters, and credentials in them are removed',
      }),
      unpriced: Type.Enum(['refuse', 'estimate', 'allow']),
      unpriced_calls: Type.Integer({
        description:
          'Calls of models without a known price in this window, which the rule allows because `unpriced` is `allow`',
      }),
      more_budgets: Type.Integer({
        description: 'Number of further budgets with spend; exact up to a few thousand',
      }),
    }),
    { description: 'Enabled rules in their order' },
  ),
});

/** Presents the spend of each rule. */
export function presentSpend(spends: readonly RuleSpend[]): Static<typeof SpendSchema> {
  return {
    rules: spends.map(({ rule, windowStartMs, windowEndMs, budgets, ...counts }) => ({
      id: rule.id,
      limit: rule.limit,
      window: rule.windowSeconds,
      technique: rule.technique,
      window_start: formatTime(windowStartMs),
      window_end: windowEndMs === undefined ? null : formatTime(windowEndMs),
      budgets: budgets.map(presentBudget),
      unpriced: rule.unpriced,
      unpriced_calls: counts.unpricedCalls,
      more_budgets: counts.moreBudgets,
    })),
  };
}

function presentBudget({ part, nanoUsd, resetsAtMs }: SpentBudget): Static<typeof BudgetSchema> {
  const fields = new Map(part);
  const model = fields.get('model');
  const provider = fields.get('provider');
  const token = fields.get('token');
  const user = fields.get('user');
  const oauthClient = fields.get('oauth_client');
  const metadata = part
    .filter(([field]) => field.startsWith(METADATA_PREFIX))
    .map(([field, value]) => [field.slice(METADATA_PREFIX.length), value] as const);
  return {
    ...(fields.has('caller') ? { caller: 'unauthenticated' as const } : {}),
    ...(model === undefined ? {} : { model }),
    ...(provider === undefined ? {} : { provider }),
    ...(token === undefined ? {} : { token: token === '' ? null : token }),
    ...(user === undefined ? {} : { user: user === '' ? null : user }),
    ...(oauthClient === undefined ? {} : { oauth_client: oauthClient === '' ? null : oauthClient }),
    ...(metadata.length === 0 ? {} : { metadata: Object.fromEntries(metadata) }),
    spent: nanoUsd / NANO_USD_PER_USD,
    resets_at: resetsAtMs === undefined ? null : formatTime(resetsAtMs),
  };
}
