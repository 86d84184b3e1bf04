import type { Clock } from '../../lib/clock.ts';
import { createId } from '../../lib/ids.ts';
import { digestSecret } from '../../lib/secrets.ts';
import type { Database } from '../../storage/database.ts';
import type { Transaction } from '../../storage/schema.ts';
import { insertToken } from '../api-tokens/token-store.ts';
import { SYSTEM_ACTOR, appendAudit } from '../audit/audit-entry.ts';
import { tokenAnnouncement } from '../credentials.ts';
import { insertMember } from '../members/member-store.ts';
import { permissions } from '../permissions.ts';
import { SUPER_ADMINISTRATOR } from '../roles.ts';
import { insertUser } from '../users/user-store.ts';
import { insertAccount } from './account-store.ts';

export interface FirstAccount {
  accountId: string;
  accountName: string;
  email: string;
  passwordHash: string;
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
  await database.transaction(async (tx, announce) => {
    const nowMs = clock.now();
    const { accountId } = first;
    await insertAccount(tx, {
      id: accountId,
      name: first.accountName,
      createdAtMs: nowMs,
      enforceTwoFactor: false,
      abuseContactEmail: undefined,
    });
    await insertSuperAdministrator(tx, first, nowMs);
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
        createdBy: { email: undefined, clientId: undefined },
      },
      digest,
    );
    announce(tokenAnnouncement(digest));
    await appendAudit(
      tx,
      {
        chain: { accountId },
        action: { type: 'create', result: 'success', description: 'Set up the server' },
        actor: SYSTEM_ACTOR,
        resource: { type: 'account', id: accountId, product: 'accounts' },
      },
      nowMs,
    );
  });
}

async function insertSuperAdministrator(
  tx: Transaction,
  { accountId, email, passwordHash }: FirstAccount,
  nowMs: number,
): Promise<void> {
  const userId = createId();
  const isAdded = await insertUser(tx, {
    id: userId,
    email,
    firstName: undefined,
    lastName: undefined,
    passwordHash,
    createdAtMs: nowMs,
    // Whoever runs the server answers for it.
    emailVerifiedAtMs: nowMs,
  });
  if (!isAdded) throw new Error('a user with this email address already exists');
  await insertMember(tx, {
    accountId,
    id: createId(),
    userId,
    status: 'accepted',
    createdAtMs: nowMs,
    roles: [SUPER_ADMINISTRATOR],
    invitation: undefined,
  });
}
