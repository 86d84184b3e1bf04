import { type AliasedExpression, type SqlBool, expressionBuilder } from 'kysely';
import type { Schema } from '../../storage/schema.ts';

/**
 * For a query that has `users`: whether the person has a confirmed authenticator app or a passkey.
 * Uses the primary key of `totp_factors` and `passkeys_user`.
 */
export function secondFactorColumn(): AliasedExpression<SqlBool, 'has_second_factor'> {
  const select = expressionBuilder<Schema, 'users'>();
  const totp = select
    .selectFrom('totp_factors')
    .select('totp_factors.user_id')
    .whereRef('totp_factors.user_id', '=', 'users.id')
    .where('totp_factors.confirmed_at', 'is not', null);
  const passkey = select
    .selectFrom('passkeys')
    .select('passkeys.id')
    .whereRef('passkeys.user_id', '=', 'users.id');
  return select.or([select.exists(totp), select.exists(passkey)]).as('has_second_factor');
}
