import { sessionAnnouncement } from '../../src/iam/credentials.ts';
import type { PermissionSlug } from '../../src/iam/permissions.ts';
import { permissions } from '../../src/iam/permissions.ts';
import { SUPER_ADMINISTRATOR } from '../../src/iam/roles.ts';
import { csrfTokenOf } from '../../src/iam/sessions/session-cookie.ts';
import { startSession } from '../../src/iam/sessions/start-session.ts';
import { PasswordHasher } from '../../src/iam/users/password.ts';
import { userAnnouncement } from '../../src/iam/users/user-directory.ts';
import { insertUser } from '../../src/iam/users/user-store.ts';
import { type Clock, systemClock } from '../../src/lib/clock.ts';
import { createId } from '../../src/lib/ids.ts';
import { digestSecret } from '../../src/lib/secrets.ts';
import { LOW_HASHING_COST, type TestServer } from './server.ts';

export interface PersonOptions {
  /** Default: one that nobody else has. */
  email?: string;
  /** Makes the person an accepted member of the account. */
  accountId?: string;
  /** Slugs, see src/iam/roles.ts. Default: `member`. */
  roles?: string[];
  /** Default: none, so that only {@link signInAs} signs the person in. */
  password?: string;
  firstName?: string;
  lastName?: string;
  /** Default: yes. */
  isEmailVerified?: boolean;
}

export interface Person {
  userId: string;
  email: string;
  /** Undefined for who is no member. */
  memberId: string | undefined;
}

/** Headers of a request by somebody who is signed in; goes with `token: null`. */
export type SessionHeaders = { cookie: string; 'x-csrf-token': string };

const hasher = new PasswordHasher(LOW_HASHING_COST);

/** As the servers of the tests hash it. */
export function hashPassword(password: string): Promise<string> {
  return hasher.hash(password, { ip: '127.0.0.1', isKnown: true });
}

/** Writes a person, and what makes them a member, straight into the database. */
export async function createPerson(
  server: TestServer,
  options: PersonOptions = {},
): Promise<Person> {
  const userId = createId();
  const email = options.email ?? `${userId}@example.com`;
  const passwordHash =
    options.password === undefined ? undefined : await hashPassword(options.password);
  const nowMs = Date.now();
  await server.app.database.transaction(async (tx, announce) => {
    await insertUser(tx, {
      id: userId,
      email,
      firstName: options.firstName,
      lastName: options.lastName,
      passwordHash,
      createdAtMs: nowMs,
      emailVerifiedAtMs: options.isEmailVerified === false ? undefined : nowMs,
    });
    announce(userAnnouncement(userId));
  });
  const { accountId } = options;
  const memberId =
    accountId === undefined ? undefined : await addMember(server, userId, accountId, options.roles);
  return { userId, email, memberId };
}

/** Makes a person an accepted member of an account; answers the id of the membership. */
export async function addMember(
  server: TestServer,
  userId: string,
  accountId: string,
  roles: readonly string[] = ['member'],
): Promise<string> {
  const memberId = createId();
  await server.app.database.transaction(async (tx, announce) => {
    await tx
      .insertInto('members')
      .values({
        account_id: accountId,
        id: memberId,
        user_id: userId,
        status: 'accepted',
        created_at: Date.now(),
      })
      .execute();
    for (const role of roles) {
      await tx
        .insertInto('member_roles')
        .values({ account_id: accountId, member_id: memberId, role })
        .execute();
    }
    announce(userAnnouncement(userId));
  });
  return memberId;
}

/** The person that the first start has made: Super Administrator of the first account. */
export async function firstPerson(server: TestServer): Promise<Person> {
  const row = await server.app.database.read
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .innerJoin('member_roles', 'member_roles.member_id', 'members.id')
    .where('members.account_id', '=', server.accountId)
    .where('members.status', '=', 'accepted')
    .where('member_roles.role', '=', SUPER_ADMINISTRATOR)
    .orderBy('users.created_at')
    .select(['members.id', 'members.user_id', 'users.email'])
    .executeTakeFirstOrThrow();
  return { userId: row.user_id, email: row.email, memberId: row.id };
}

/**
 * Starts a session of a person, with every factor shown.
 * @param clock that of the server
 */
export async function signInAs(
  server: TestServer,
  userId: string,
  clock: Clock = systemClock,
): Promise<SessionHeaders> {
  const request = {
    id: 'test',
    method: 'POST',
    path: '/',
    query: '',
    ip: '127.0.0.1',
    headers: {},
  };
  const secret = await server.app.database.transaction(async (tx, announce) => {
    const started = await startSession(
      tx,
      { clock },
      {
        userId,
        methods: ['password'],
        request,
        isComplete: true,
      },
    );
    announce(sessionAnnouncement(digestSecret(started)));
    return started;
  });
  return { cookie: `latchkey_session=${secret}`, 'x-csrf-token': csrfTokenOf(secret) };
}

/** A token of a person who is signed in: these permissions in all accounts and on the person's own. */
export async function createUserToken(
  server: TestServer,
  session: SessionHeaders,
  slugs: readonly PermissionSlug[],
): Promise<{ id: string; value: string }> {
  const groups = permissions.filter(({ slug }) => slugs.includes(slug));
  const { json, text } = await server.call('POST', '/user/tokens', {
    token: null,
    headers: session,
    body: {
      name: 'test',
      policies: [
        {
          effect: 'allow',
          permission_groups: groups.map(({ id }) => ({ id })),
          resources: { 'com.latchkey.api.account.*': '*' },
        },
      ],
    },
  });
  if (json?.success !== true) throw new Error(text);
  return json.result as { id: string; value: string };
}
