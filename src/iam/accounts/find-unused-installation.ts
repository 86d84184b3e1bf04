import type { Db } from '../../storage/schema.ts';
import { SYSTEM_ACTOR } from '../audit/audit-entry.ts';

/**
 * Finds the only user of an unused installation: no sign-in, no change and no use of an API token
 * since the first start.
 * @returns the email address; undefined if the installation is in use
 */
export async function findUnusedInstallation(db: Db): Promise<string | undefined> {
  const users = await db.selectFrom('users').select('email').limit(2).execute();
  const [user] = users;
  if (user === undefined || users.length > 1) return undefined;
  const usedToken = await db
    .selectFrom('api_tokens')
    .select('id')
    .where('last_used_at', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  if (usedToken !== undefined) return undefined;
  const action = await db
    .selectFrom('audit_logs')
    .select('id')
    .where('actor_type', '!=', SYSTEM_ACTOR.type)
    .limit(1)
    .executeTakeFirst();
  return action === undefined ? user.email : undefined;
}
