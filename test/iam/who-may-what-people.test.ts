import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Role, SUPER_ADMINISTRATOR, roles } from '../../src/iam/roles.ts';
import type { ManagementRoute } from '../../src/iam/route.ts';
import { createId } from '../../src/lib/ids.ts';
import { createSecret } from '../../src/lib/secrets.ts';
import { onEachDatabase } from '../support/databases.ts';
import {
  type SessionHeaders,
  addMember,
  createPerson,
  createUserToken,
  signInAs,
} from '../support/people.ts';
import type { TestServer } from '../support/server.ts';
import {
  type Expectation,
  type RouteTable,
  allBut,
  bearer,
  createRouteTable,
  everySlug,
  isSelf,
  permissionOf,
  roleHolds,
} from './route-table.ts';

const SOME_ROLES = [SUPER_ADMINISTRATOR, 'tag-admin', 'audit-logs-viewer'];

/** The other half of who-may-what.test.ts: people, their sessions and their tokens. */
onEachDatabase((database) => {
  let table: RouteTable;
  let server: TestServer;
  before(async () => {
    table = await createRouteTable(database);
    ({ server } = table);
  });
  after(() => server.stop());

  describe('people', () => {
    /** What a person with one role may do: worked out from the role's row of the table. */
    function forPerson(route: ManagementRoute, role: Role | undefined): Expectation {
      if (route.access === 'session') return 'let in';
      if (route.operationId.startsWith('verify-')) return 403;
      if (route.access === 'authenticated' || isSelf(route)) return 'let in';
      const slug = permissionOf(route);
      return role !== undefined && slug !== undefined && roleHolds(role, slug) ? 'let in' : 403;
    }

    /** A session for all routes; another one once a route has changed what is the person's own. */
    function sessionsOf(userId: string): (route: ManagementRoute) => Promise<SessionHeaders> {
      let session: Promise<SessionHeaders> | undefined;
      return ({ method, path }) => {
        session ??= signInAs(server, userId);
        const current = session;
        // It may have ended this session, or all others.
        if (method !== 'GET' && path.startsWith('/user')) session = undefined;
        return current;
      };
    }

    // What a role holds is the same whichever database names it.
    const tried = roles.filter(({ slug }) => database === 'sqlite' || SOME_ROLES.includes(slug));
    for (const role of tried) {
      test(`the role ${role.name}`, async () => {
        const { userId } = await createPerson(server, {
          accountId: server.accountId,
          roles: [role.slug],
        });
        await table.check((route) => forPerson(route, role), sessionsOf(userId));
        // Both come to the same judgement: what differs between databases, the session has shown.
        if (database === 'postgres' && role.slug !== SUPER_ADMINISTRATOR) return;
        // The person's token for everything holds what the role holds, and no more.
        const session = await signInAs(server, userId);
        const { value } = await createUserToken(server, session, everySlug);
        await table.check(
          (route) => {
            if (route.access === 'session') return 403;
            return route.operationId === 'verify-user-token' ? 'let in' : forPerson(route, role);
          },
          () => Promise.resolve(bearer(value)),
        );
      });
    }

    test('two roles hold what either holds', async () => {
      const chosen = roles.filter(({ slug }) => ['tag-admin', 'audit-logs-viewer'].includes(slug));
      const { userId } = await createPerson(server, {
        accountId: server.accountId,
        roles: chosen.map(({ slug }) => slug),
      });
      await table.check((route) => {
        const answers = chosen.map((role) => forPerson(route, role));
        return answers.includes('let in') ? 'let in' : 403;
      }, sessionsOf(userId));
    });

    test('no member: 403, whether there is an account or not', async () => {
      const { userId } = await createPerson(server);
      await table.check((route) => forPerson(route, undefined), sessionsOf(userId));
      const onAccount = (route: ManagementRoute) => route.path.includes(':account_id');
      await table.check(() => 403, sessionsOf(userId), { accountId: createId() }, onAccount);
    });

    test('a member of another account only: 403', async () => {
      const { userId } = await createPerson(server);
      await addMember(server, userId, table.otherAccountId, [SUPER_ADMINISTRATOR]);
      const onAccount = (route: ManagementRoute) => route.path.includes(':account_id');
      await table.check(() => 403, sessionsOf(userId), {}, onAccount);
    });

    test('who is only invited: 403', async () => {
      const { userId, memberId = '' } = await createPerson(server, {
        accountId: server.accountId,
        roles: [SUPER_ADMINISTRATOR],
      });
      await server.app.database.transaction(async (tx) => {
        await tx
          .updateTable('members')
          .set({ status: 'pending' })
          .where('id', '=', memberId)
          .execute();
      });
      await table.check((route) => forPerson(route, undefined), sessionsOf(userId));
    });

    test('a session without its CSRF header, or with another one: 403', async () => {
      const { userId } = await createPerson(server, {
        accountId: server.accountId,
        roles: [SUPER_ADMINISTRATOR],
      });
      const other = await signInAs(server, userId);
      const { cookie } = await signInAs(server, userId);
      for (const headers of [
        { cookie },
        { cookie, 'x-csrf-token': '' },
        { cookie, 'x-csrf-token': other['x-csrf-token'] },
      ]) {
        await table.check(
          () => 403,
          () => Promise.resolve(headers),
        );
      }
    });

    test('a session that has ended: 401', async () => {
      const { userId } = await createPerson(server, {
        accountId: server.accountId,
        roles: [SUPER_ADMINISTRATOR],
      });
      const now = Date.now();
      const session = await signInAs(server, userId, { now: () => now - 31 * 86_400_000 });
      await table.check(
        () => 401,
        () => Promise.resolve(session),
      );
    });
  });

  test("the gateway's own path lets in who holds Run, and nobody else", async () => {
    const run = async (headers: Record<string, string>): Promise<number> => {
      const { status } = await server.call('POST', `${server.account}/ai/v1/chat/completions`, {
        token: null,
        headers,
        body: { model: 'local/echo', messages: [{ role: 'user', content: 'x' }] },
      });
      return status;
    };
    assert.equal(await run({}), 401);
    assert.equal(await run(bearer(createSecret('lkat_'))), 401);
    assert.equal(
      await run(bearer((await server.createToken(allBut('ai-gateway.run'))).value)),
      401,
    );
    assert.equal(await run(bearer((await server.createToken(['ai-gateway.run'])).value)), 200);
    for (const role of roles) {
      const { userId } = await createPerson(server, {
        accountId: server.accountId,
        roles: [role.slug],
      });
      const session = await signInAs(server, userId);
      const { value } = await createUserToken(server, session, ['ai-gateway.run']);
      const expected = roleHolds(role, 'ai-gateway.run') ? 200 : 401;
      assert.equal(await run(bearer(value)), expected);
      assert.equal(await run(session), expected);
      // Any page of anybody can make a browser send its cookie.
      assert.equal(await run({ cookie: session.cookie }), 401);
    }
  });
});
