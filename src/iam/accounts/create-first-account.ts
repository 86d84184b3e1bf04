import type { Clock } from '../../lib/clock.ts';
import { createId } from '../../lib/ids.ts';
import { digestSecret } from '../../lib/secrets.ts';
import type { Database } from '../../storage/database.ts';
import type { Transaction } from '../../storage/schema.ts';
import { insertToken } from '../api-tokens/token-store.ts';
import { SYSTEM_ACTOR, appendAudit } from '../audit/audit-entry.ts';
import { tokenAnnouncement } from '../credentials.ts';
import { permissions } from '../permissions.ts';
import { SUPER_ADMINISTRATOR } from '../roles.ts';
import { hashPassword } from '../users/password.ts';
import { foldEmail } from '../users/user-store.ts';

export interface FirstAccount {
  accountId: string;
  accountName: string;
  email: string;
  password: string;
  token: string;
}

/** Whether the installation has been set up. */
export async function hasAccounts(database: Database): Promise<boolean> {
  const row = await database.read.selectFrom('accounts').select('id').limit(1).executeTakeFirst();
  return row !== undefined;
}

/** Creates an account, its Super Administrator and an API token with every permission, all or nothing. */
export async function createFirstAccount(
  database: Database,
  clock: Clock,
  first: FirstAccount,
): Promise<void> {
  const passwordHash = await hashPassword(first.password);
  await database.transaction(async (tx, announce) => {
    const nowMs = clock.now();
    const { accountId } = first;
    await tx
      .insertInto('accounts')
      .values({ id: accountId, name: first.accountName, created_at: nowMs })
      .execute();
    await insertSuperAdministrator(tx, first, passwordHash, nowMs);
    const digest = digestSecret(first.token);
    await insertToken(
      tx,
      {
        id: createId(),
        owner: { accountId },
        name: 'First token',
        status: 'active',
        policies: [
          {
            id: createId(),
            effect: 'allow',
            permissions: permissions.map((permission) => permission.slug),
            resources: [{ accountId }],
          },
        ],
        requestIp: undefined,
        notBeforeMs: undefined,
        expiresAtMs: undefined,
        issuedAtMs: nowMs,
        modifiedAtMs: nowMs,
        lastUsedAtMs: undefined,
      },
      digest,
    );
    announce(tokenAnnouncement(digest));
    await appendAudit(
      tx,
      {
        chain: { accountId },
        action: { type: 'create', result: 'success', description: 'Set up the installation' },
        actor: SYSTEM_ACTOR,
        resource: { type: 'account', id: accountId, product: 'accounts' },
      },
      nowMs,
    );
  });
}

async function insertSuperAdministrator(
  tx: Transaction,
  first: FirstAccount,
  passwordHash: string,
  nowMs: number,
): Promise<void> {
  const userId = createId();
  const memberId = createId();
  await tx
    .insertInto('users')
    .values({
      id: userId,
      email: first.email,
      email_folded: foldEmail(first.email),
      first_name: null,
      last_name: null,
      password_hash: passwordHash,
      created_at: nowMs,
      // Whoever runs the server answers for it.
      email_verified_at: nowMs,
    })
    .execute();
  await tx
    .insertInto('members')
    .values({
      account_id: first.accountId,
      id: memberId,
      user_id: userId,
      status: 'accepted',
      created_at: nowMs,
    })
    .execute();
  await tx
    .insertInto('member_roles')
    .values({ account_id: first.accountId, member_id: memberId, role: SUPER_ADMINISTRATOR })
    .execute();
}
