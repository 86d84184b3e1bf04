import { randomUUID } from 'node:crypto';
import { type Static, Type } from 'typebox';
import { type ErrorEntry, errorEntry } from '../../http/errors.ts';
import { namedRecord } from '../../http/named-record.ts';
import { SchemaCheck } from '../../http/schema-check.ts';
import { gatewayManagementErrors } from '../gateway-errors.ts';
import type { SpendRule } from '../limits/spend-rules.ts';

// Every request is held against every rule.
export const MAX_RULES = 20;
const MAX_METADATA_KEYS = 5;
export const MAX_VALUES = 100;
const MAX_VALUE_LENGTH = 256;
const MAX_KEY_LENGTH = 64;
// Gateways are kept in memory, with all that their rules name.
const MAX_LIMITS_BYTES = 65_536;
// A leap year.
const MAX_WINDOW_SECONDS = 366 * 86_400;
// In billionths it is still a whole number that can be counted exactly.
const MAX_LIMIT_DOLLARS = 1_000_000;
const MIN_LIMIT_DOLLARS = 0.000_001;

const SelectorSchema = Type.Union([
  Type.Object(
    {
      mode: Type.Literal('filter'),
      values: Type.Array(Type.String({ minLength: 1, maxLength: MAX_VALUE_LENGTH }), {
        minItems: 1,
        maxItems: MAX_VALUES,
        description: 'Together they have the limit; everything else has none',
      }),
    },
    { additionalProperties: false },
  ),
  Type.Object(
    { mode: Type.Literal('partition', { description: 'Each value has the limit by itself' }) },
    { additionalProperties: false },
  ),
]);

const MetadataSchema = namedRecord(
  { maxLength: MAX_KEY_LENGTH, pattern: '^(?!__proto__$).+$' },
  SelectorSchema,
  { maxProperties: MAX_METADATA_KEYS, description: 'By the keys of cf-aig-metadata' },
);

/** The members of a rule as requests send it. */
export const ruleInputFields = {
  id: Type.Optional(
    Type.String({
      maxLength: 64,
      pattern: '^[A-Za-z0-9_-]{1,64}$',
      description: 'Made by the server when it is left out',
    }),
  ),
  enabled: Type.Optional(Type.Boolean({ default: true })),
  limit: Type.Number({
    minimum: MIN_LIMIT_DOLLARS,
    maximum: MAX_LIMIT_DOLLARS,
    description: 'US dollars',
  }),
  limitType: Type.Literal('cost'),
  window: Type.Integer({ minimum: 1, maximum: MAX_WINDOW_SECONDS, description: 'Seconds' }),
  technique: Type.Optional(Type.Enum(['fixed', 'sliding'], { default: 'fixed' })),
  unpriced: Type.Optional(
    Type.Enum(['refuse', 'estimate', 'allow'], {
      default: 'estimate',
      description:
        'Calls of models without a known price: refused, counted at the highest price of the provider, or let through and counted as free',
    }),
  ),
  model: Type.Optional(SelectorSchema),
  provider: Type.Optional(SelectorSchema),
  token: Type.Optional(SelectorSchema),
  user: Type.Optional(SelectorSchema),
  oauth_client: Type.Optional(SelectorSchema),
  metadata: Type.Optional(MetadataSchema),
};

/** What may be spent on a gateway, as requests say it. */
export const SpendLimitsInputSchema = Type.Object(
  {
    enabled: Type.Optional(Type.Boolean({ default: true })),
    rules: Type.Optional(
      Type.Array(Type.Object(ruleInputFields, { additionalProperties: false }), {
        maxItems: MAX_RULES,
      }),
    ),
  },
  { additionalProperties: false },
);

/** The members of a rule as responses show it. */
export const ruleFields = {
  ...ruleInputFields,
  id: Type.String(),
  enabled: Type.Boolean(),
  technique: Type.Enum(['fixed', 'sliding']),
  unpriced: Type.Enum(['refuse', 'estimate', 'allow']),
};

const RuleSchema = Type.Object(ruleFields);

/** The same as it is stored, and as answers show it: with everything that requests may leave out. */
export const SpendLimitsSchema = Type.Object({
  enabled: Type.Boolean(),
  rules: Type.Array(RuleSchema),
});

export type SpendLimits = Static<typeof SpendLimitsSchema>;

const ruleCheck = SchemaCheck.of(RuleSchema);

type SpendLimitsInput = Static<typeof SpendLimitsInputSchema>;

/** The limits of a request, with the default of each member that it leaves out. */
export function completeSpendLimits<R extends NonNullable<SpendLimitsInput['rules']>[number]>(
  input: Omit<SpendLimitsInput, 'rules'> & { rules?: R[] },
) {
  return {
    enabled: input.enabled ?? true,
    rules: (input.rules ?? []).map((rule) => ({
      ...rule,
      id: rule.id ?? randomUUID(),
      enabled: rule.enabled ?? true,
      technique: rule.technique ?? 'fixed',
      unpriced: rule.unpriced ?? 'estimate',
    })),
  };
}

/**
 * Finds the faults that the schema cannot express. Costs are counted under the id of a rule: two rules
 * with the same id would count together.
 * @param pointer of the limits in the body, as a JSON pointer
 */
export function findSpendLimitFaults(
  input: SpendLimitsInput,
  pointer = '/spend_limits',
): ErrorEntry[] {
  if (Buffer.byteLength(JSON.stringify(input)) > MAX_LIMITS_BYTES) {
    return [fault(`the spend limits must have at most ${MAX_LIMITS_BYTES} bytes`, pointer)];
  }
  const seen = new Set<string>();
  return (input.rules ?? []).flatMap((rule, index) => {
    const isRepeated = rule.id !== undefined && seen.has(rule.id);
    if (rule.id !== undefined) seen.add(rule.id);
    if (!isRepeated) return [];
    return fault(`two rules have the id ${rule.id}`, `${pointer}/rules/${index}/id`);
  });
}

function fault(reason: string, pointer: string): ErrorEntry {
  const { invalidField } = gatewayManagementErrors;
  return errorEntry(invalidField, { message: `${invalidField.message}: ${reason}`, pointer });
}

/** Reads stored limits of a gateway; see {@link parseStoredLimits}. */
export function parseSpendLimits(text: string | null): SpendLimits | null {
  return parseStoredLimits(text, ruleCheck);
}

/** Reads stored limits. It leaves out rules that this version does not understand, such as those of a newer node. */
export function parseStoredLimits<R>(
  text: string | null,
  check: { matches(rule: unknown): rule is R },
): { enabled: boolean; rules: R[] } | null {
  if (text === null) return null;
  const stored: unknown = JSON.parse(text);
  if (typeof stored !== 'object' || stored === null || !('rules' in stored)) return null;
  const rules: unknown[] = Array.isArray(stored.rules) ? stored.rules : [];
  return {
    enabled: 'enabled' in stored && stored.enabled === true,
    rules: rules.map(withUnpriced).filter((rule) => check.matches(rule)),
  };
}

/** Rules of earlier versions do not say what becomes of calls without a known price. */
function withUnpriced(rule: unknown): unknown {
  return typeof rule === 'object' && rule !== null ? { unpriced: 'estimate', ...rule } : rule;
}

/** The rules that are switched on, as the request path works with them. */
export function rulesOf(limits: SpendLimits | null): SpendRule[] {
  if (limits === null || !limits.enabled) return [];
  return limits.rules
    .filter((rule) => rule.enabled)
    .map((rule) => ({
      id: rule.id,
      limit: rule.limit,
      windowSeconds: rule.window,
      technique: rule.technique,
      unpriced: rule.unpriced,
      ...(rule.model === undefined ? {} : { model: rule.model }),
      ...(rule.provider === undefined ? {} : { provider: rule.provider }),
      ...(rule.token === undefined ? {} : { token: rule.token }),
      ...(rule.user === undefined ? {} : { user: rule.user }),
      ...(rule.oauth_client === undefined ? {} : { oauthClient: rule.oauth_client }),
      metadata: rule.metadata ?? {},
    }));
}
