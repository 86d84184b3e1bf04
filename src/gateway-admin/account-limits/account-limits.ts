import { type Static, Type } from 'typebox';
import { namedRecord } from '../../http/named-record.ts';
import { describeRecord } from '../../http/record.ts';
import { SchemaCheck } from '../../http/schema-check.ts';
import { auditedChangeOf } from '../../iam/audit/audited-change.ts';
import { showMembers } from '../../iam/audit/audit-view.ts';
import type { Announcement } from '../../storage/invalidation.ts';
import type { Db, Transaction } from '../../storage/schema.ts';
import {
  MAX_RULES,
  MAX_VALUES,
  parseStoredLimits,
  ruleFields,
  ruleInputFields,
  rulesOf,
} from '../gateways/spend-limits.ts';
import type { SpendRule } from '../spend-rules.ts';

/** Topic of changed account limits; the key is the account. */
export const ACCOUNT_LIMITS_TOPIC = 'spend limits of account';

const MAX_TAG_KEYS = 5;
// Lengths of tags count code points, of which one may be two UTF-16 units.
const MAX_TAG_KEY_LENGTH = 512;
const MAX_TAG_VALUE_LENGTH = 2_048;

const GatewayTagsSchema = namedRecord(
  { maxLength: MAX_TAG_KEY_LENGTH, pattern: '^(?!__proto__$).+$' },
  Type.Object(
    {
      mode: Type.Literal('filter'),
      values: Type.Array(Type.String({ maxLength: MAX_TAG_VALUE_LENGTH }), {
        minItems: 1,
        maxItems: MAX_VALUES,
      }),
    },
    { additionalProperties: false },
  ),
  {
    maxProperties: MAX_TAG_KEYS,
    description:
      'Values by key of resource tags: the rule applies to gateways that have, for each key, one of the values. Default: all gateways of the account',
  },
);

const accountRuleInput = {
  ...ruleInputFields,
  gateway_tags: Type.Optional(GatewayTagsSchema),
};

/** The spend limits of an account as requests send them. */
export const AccountLimitsInputSchema = Type.Object(
  {
    enabled: Type.Optional(Type.Boolean({ default: true })),
    rules: Type.Optional(
      Type.Array(Type.Object(accountRuleInput, { additionalProperties: false }), {
        maxItems: MAX_RULES,
      }),
    ),
  },
  { additionalProperties: false },
);

const AccountRuleSchema = Type.Object({
  ...ruleFields,
  gateway_tags: accountRuleInput.gateway_tags,
});

/** The spend limits of an account as responses show them. */
export const AccountLimitsSchema = Type.Object({
  enabled: Type.Boolean(),
  rules: Type.Array(AccountRuleSchema),
});

/** The spend limits of an account for GET and PUT. */
export const ACCOUNT_LIMITS_RECORD = describeRecord(
  AccountLimitsSchema,
  AccountLimitsInputSchema,
  [],
);

export type AccountLimits = Static<typeof AccountLimitsSchema>;

const ruleCheck = SchemaCheck.of(AccountRuleSchema);
const NO_LIMITS: AccountLimits = { enabled: true, rules: [] };

const change = auditedChangeOf(
  { type: 'ai_gateway_spend_limits', product: 'ai_gateway' },
  showMembers('enabled', 'rules'),
);

/** Describes a change of the limits of an account, for its audit log. */
export function accountLimitsChange(accountId: string) {
  const description = 'Replaced the spend limits of the account';
  return change({ accountId, id: accountId }, 'update', description);
}

/** Announces a change of the limits of an account. */
export function accountLimitsAnnouncement(accountId: string): Announcement {
  return { topic: ACCOUNT_LIMITS_TOPIC, key: accountId };
}

/** Reads the limits of an account. Uses the primary key. */
export async function findAccountLimits(db: Db, accountId: string): Promise<AccountLimits> {
  const row = await db
    .selectFrom('accounts')
    .select('spend_limits')
    .where('id', '=', accountId)
    .executeTakeFirst();
  return parseStoredLimits(row?.spend_limits ?? null, ruleCheck) ?? NO_LIMITS;
}

/** Replaces the limits of an account. */
export async function storeAccountLimits(
  tx: Transaction,
  accountId: string,
  limits: AccountLimits,
): Promise<void> {
  await tx
    .updateTable('accounts')
    .set({ spend_limits: JSON.stringify(limits) })
    .where('id', '=', accountId)
    .execute();
}

/** Returns the enabled rules. */
export function accountRulesOf(limits: AccountLimits): SpendRule[] {
  return rulesOf(limits).map((rule) => ({ ...rule, isOfAccount: true }));
}

/** Returns the enabled rules for a gateway with these tags. */
export function rulesForTags(
  limits: AccountLimits,
  tags: Readonly<Record<string, string>>,
): SpendRule[] {
  const rules = limits.rules.filter(({ gateway_tags: selectors = {} }) =>
    Object.entries(selectors).every(
      ([key, { values }]) => Object.hasOwn(tags, key) && values.includes(tags[key] as string),
    ),
  );
  return accountRulesOf({ ...limits, rules });
}
