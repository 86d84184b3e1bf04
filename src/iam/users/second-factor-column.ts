import { type AliasedExpression, type SqlBool, expressionBuilder } from 'kysely';
import type { Db, Schema } from '../../storage/schema.ts';

/** What a person may show after the first proof. */
export type SecondFactor = 'totp' | 'passkey' | 'recovery_code';

const select = expressionBuilder<Schema, 'users'>();

// An app that is only being set up is no factor yet.
const hasTotp = select.exists(
  select
    .selectFrom('totp_factors')
    .select('totp_factors.user_id')
    .whereRef('totp_factors.user_id', '=', 'users.id')
    .where('totp_factors.confirmed_at', 'is not', null),
);
const hasPasskey = select.exists(
  select.selectFrom('passkeys').select('passkeys.id').whereRef('passkeys.user_id', '=', 'users.id'),
);
const hasRecoveryCode = select.exists(
  select
    .selectFrom('recovery_codes')
    .select('recovery_codes.digest')
    .whereRef('recovery_codes.user_id', '=', 'users.id'),
);

/**
 * For a query that has `users`: whether the person has a confirmed authenticator app or a passkey.
 * Uses the primary key of `totp_factors` and `passkeys_user`.
 */
export function secondFactorColumn(): AliasedExpression<SqlBool, 'has_second_factor'> {
  return select.or([hasTotp, hasPasskey]).as('has_second_factor');
}

/** The second factors of a person; empty for who has none, also when codes are left of a former one. */
export async function listSecondFactors(db: Db, userId: string): Promise<SecondFactor[]> {
  const user = await db
    .selectFrom('users')
    .select(secondFactorColumn())
    .select([
      hasTotp.as('has_totp'),
      hasPasskey.as('has_passkey'),
      hasRecoveryCode.as('has_recovery_code'),
    ])
    .where('users.id', '=', userId)
    .executeTakeFirst();
  if (user === undefined || !user.has_second_factor) return [];
  const held: [SqlBool, SecondFactor][] = [
    [user.has_totp, 'totp'],
    [user.has_passkey, 'passkey'],
    [user.has_recovery_code, 'recovery_code'],
  ];
  return held.filter(([isHeld]) => isHeld).map(([, factor]) => factor);
}
