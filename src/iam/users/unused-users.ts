import { sql } from 'kysely';
import type { Transaction } from '../../storage/schema.ts';

// Where a person may stand who is more than an address.
const USES = ['members', 'passkeys', 'external_identities', 'api_tokens', 'oauth_grants'] as const;

/**
 * Forgets those of some people who were only ever invited: no account has them, they have nothing to
 * sign in with, and have let no OAuth client do anything. Otherwise anybody who may invite could fill
 * the server with addresses.
 */
export async function deleteUnusedUsers(
  tx: Transaction,
  userIds: readonly string[],
): Promise<void> {
  if (userIds.length === 0) return;
  // Who invites one of them at this moment waits here, and then finds nobody.
  await tx
    .updateTable('users')
    .set({ email: sql.ref('email') })
    .where('id', 'in', userIds)
    .execute();
  await tx
    .deleteFrom('users')
    .where('id', 'in', userIds)
    .where('password_hash', 'is', null)
    .where('email_verified_at', 'is', null)
    // Who was locked out must not come back as somebody new.
    .where('locked_at', 'is', null)
    .where((where) =>
      where.and(
        USES.map((table) =>
          where.not(
            where.exists(
              where
                .selectFrom(table)
                .select(`${table}.user_id`)
                .whereRef(`${table}.user_id`, '=', 'users.id'),
            ),
          ),
        ),
      ),
    )
    .execute();
}
