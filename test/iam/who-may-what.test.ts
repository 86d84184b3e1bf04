import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { tokenAnnouncement } from '../../src/iam/credentials.ts';
import { type PermissionSlug, impliedPermissions, permissions } from '../../src/iam/permissions.ts';
import { type Role, SUPER_ADMINISTRATOR, roles } from '../../src/iam/roles.ts';
import type { ManagementRoute } from '../../src/iam/route.ts';
import { createId } from '../../src/lib/ids.ts';
import { createSecret, digestSecret } from '../../src/lib/secrets.ts';
import { onEachDatabase } from '../support/databases.ts';
import {
  type SessionHeaders,
  addMember,
  createPerson,
  createUserToken,
  signInAs,
} from '../support/people.ts';
import { type Answer, type TestServer, allowPolicy, bootServer } from '../support/server.ts';

/**
 * Every route × every kind of credential, with the expected status worked out from the declarations of
 * the routes and the catalogue. Nothing here names a route that demands a permission: a new one is
 * in the table as soon as it is declared.
 */

/** The only operations that need no credential. Whoever adds one must add it here, and say why. */
const PUBLIC = new Set([
  // Ways to sign in, and back in.
  'create-session',
  'show-second-factor',
  'create-passkey-authentication-options',
  'sign-in-with-passkey',
  'create-password-reset',
  'update-password-reset',
]);

/** Those that need some valid credential and no permission. */
const AUTHENTICATED = new Set(['verify-account-token', 'verify-user-token', 'list-oauth-scopes']);

/** Whose handlers refuse callers that the declared permission lets in. Tested with the operation. */
const STRICTER: ReadonlySet<string> = new Set([
  // Only a Super Administrator, and it would be the end of the table.
  'delete-account',
  // Only a person can be the first member.
  'create-account',
]);

/** What may come back from a route that let the caller in: anything but a refusal of the caller. */
function isLetIn({ status, code }: Answer): boolean {
  return status !== 401 && !(status === 403 && code === 10_000);
}

const GATEWAY = 'matrix-gateway';
const everySlug = permissions.map(({ slug }) => slug);
const accountSlugs = permissions.filter(({ scope }) => scope === 'account').map(({ slug }) => slug);

/** The permission that a route demands; undefined for the few that demand none. */
function permissionOf({ access }: ManagementRoute): PermissionSlug | undefined {
  if (typeof access === 'object') return 'self' in access ? access.self : access.anyAccount;
  return access === 'public' || access === 'session' || access === 'authenticated'
    ? undefined
    : access;
}

const isSelf = ({ access }: ManagementRoute): boolean =>
  typeof access === 'object' && 'self' in access;

/** Everything but what would bring the permission along. */
function allBut(slug: PermissionSlug): PermissionSlug[] {
  return everySlug.filter((other) => !impliedPermissions(other).includes(slug));
}

function roleHolds(role: Role, slug: PermissionSlug): boolean {
  return role.permissions.flatMap(impliedPermissions).includes(slug);
}

onEachDatabase((database) => {
  let server: TestServer;
  let routes: readonly ManagementRoute[];
  let otherAccountId: string;
  let checks = 0;
  before(async () => {
    // Each check comes from an address of its own: one that tries many wrong credentials is slowed down.
    server = await bootServer(database, { settings: { TRUST_PROXY: '127.0.0.1' } });
    ({ routes } = server.app);
    otherAccountId = createId();
    await server.app.database.transaction(async (tx) => {
      await tx
        .insertInto('accounts')
        .values({ id: otherAccountId, name: 'other', created_at: Date.now() })
        .execute();
    });
  });
  after(() => server.stop());

  /** One call of a route with names that nothing has, so that being let in changes as little as can be. */
  function call(
    route: ManagementRoute,
    headers: Record<string, string>,
    accountId = server.accountId,
    gatewayId = GATEWAY,
  ): Promise<Answer> {
    const path = route.path.replaceAll(/:(\w+)/g, (_match, name: string) => {
      if (name === 'account_id') return accountId;
      return name === 'gateway_id' ? gatewayId : createId();
    });
    return server.call(route.method, path, {
      token: null,
      headers: { ...headers, 'x-forwarded-for': `10.0.${checks >> 8}.${checks & 255}` },
      ...(route.body === undefined ? {} : { body: {} }),
    });
  }

  const bearer = (value: string) => ({ authorization: `Bearer ${value}` });

  /** Writes a token that the API would not make, or not any more. */
  async function insertToken(
    accountId: string,
    slugs: readonly string[],
    columns: Record<string, unknown> = {},
  ): Promise<string> {
    const value = createSecret('lkat_');
    const digest = digestSecret(value);
    await server.app.database.transaction(async (tx, announce) => {
      await tx
        .insertInto('api_tokens')
        .values({
          id: createId(),
          account_id: accountId,
          user_id: null,
          name: 'matrix',
          digest,
          status: 'active',
          policies: JSON.stringify([
            { id: '1', effect: 'allow', permissions: slugs, resources: [{ accountId }] },
          ]),
          condition: null,
          not_before: null,
          expires_at: null,
          issued_at: 0,
          modified_at: 0,
          last_used_at: null,
          ...columns,
        })
        .execute();
      announce(tokenAnnouncement(digest));
    });
    return value;
  }

  /** Calls every route that demands a credential and collects what is not as expected. */
  async function check(
    expected: (route: ManagementRoute) => number | 'let in',
    headersFor: (route: ManagementRoute) => Promise<Record<string, string>>,
    target: { accountId?: string; gatewayId?: string } = {},
    chosen: (route: ManagementRoute) => boolean = () => true,
  ): Promise<void> {
    const wrong: string[] = [];
    let calls = 0;
    checks++;
    for (const route of routes) {
      if (route.access === 'public' || !chosen(route)) continue;
      const want = expected(route);
      // What would be let in is the affair of the operation's own tests.
      if (want === 'let in' && STRICTER.has(route.operationId)) continue;
      const answer = await call(route, await headersFor(route), target.accountId, target.gatewayId);
      calls++;
      const isRight = want === 'let in' ? isLetIn(answer) : answer.status === want;
      if (!isRight) wrong.push(`${route.operationId}: ${answer.status}, not ${want}`);
    }
    assert.deepEqual(wrong, []);
    assert.ok(calls > 0);
  }

  describe('the lists of exceptions', () => {
    const named = (matches: (route: ManagementRoute) => boolean) =>
      new Set(routes.filter(matches).map(({ operationId }) => operationId));

    test('public operations', () => {
      assert.deepEqual(
        named(({ access }) => access === 'public'),
        PUBLIC,
      );
    });
    test('operations for any valid credential', () => {
      assert.deepEqual(
        named(({ access }) => access === 'authenticated'),
        AUTHENTICATED,
      );
    });
    test('operations of a session concern the person alone', () => {
      for (const route of routes.filter(({ access }) => access === 'session')) {
        assert.match(route.path, /^\/(user|memberships)(\/|$)/, route.operationId);
      }
    });
    test('an operation on an account demands a permission of an account', () => {
      for (const route of routes.filter(({ path }) => path.includes(':account_id'))) {
        if (route.access === 'authenticated') continue;
        assert.ok(accountSlugs.includes(route.access as PermissionSlug), route.operationId);
      }
    });
    test('whoever only reads needs no more than a read permission, whoever changes more than that', () => {
      for (const route of routes) {
        const slug = permissionOf(route);
        if (slug === undefined) continue;
        assert.equal(slug.endsWith('.read'), route.method === 'GET', route.operationId);
      }
    });
    test('every permission of the catalogue that an operation can need is in the table', () => {
      const needed = new Set(routes.map(permissionOf));
      const unused = accountSlugs.filter((slug) => !needed.has(slug));
      // Run is needed by the gateway's own paths; webhooks are still to come.
      for (const slug of unused) assert.match(slug, /^(ai-gateway\.run|webhooks\.|ai-gateway\.)/);
    });
  });

  describe('credentials that are none', () => {
    const all = (headers: Record<string, string>) => () => Promise.resolve(headers);

    test('no credential: 401', () => check(() => 401, all({})));
    test('a malformed header: 400', () => check(() => 400, all({ authorization: 'Bearer' })));
    test('another scheme: 400', () => check(() => 400, all({ authorization: 'Basic eDp5' })));
    test('an unknown token: 401', () => check(() => 401, all(bearer(createSecret('lkat_')))));
    test('an unknown token of a person: 401', () =>
      check(() => 401, all(bearer(createSecret('lkut_')))));
    test('a wrong last character: 401', () => {
      const changed = server.token.slice(0, -1) + (server.token.endsWith('0') ? '1' : '0');
      return check(() => 401, all(bearer(changed)));
    });
    test('an unknown session: 401', () =>
      check(() => 401, all({ cookie: `latchkey_session=${createSecret('lkss_')}` })));
    test('expired: 401', async () => {
      const value = await insertToken(server.accountId, everySlug, { expires_at: Date.now() - 1 });
      await check(() => 401, all(bearer(value)));
    });
    test('too early: 401', async () => {
      const value = await insertToken(server.accountId, everySlug, {
        not_before: Date.now() + 3_600_000,
      });
      await check(() => 401, all(bearer(value)));
    });
    test('disabled: 401', async () => {
      const value = await insertToken(server.accountId, everySlug, { status: 'disabled' });
      await check(() => 401, all(bearer(value)));
    });
    test('revoked: 401', async () => {
      const { id, value } = await server.createToken(everySlug);
      await server.call('DELETE', `${server.account}/tokens/${id}`);
      await check(() => 401, all(bearer(value)));
    });
    test('the value before it was rolled: 401', async () => {
      const { id, value } = await server.createToken(everySlug);
      await server.call('PUT', `${server.account}/tokens/${id}/value`, { body: {} });
      await check(() => 401, all(bearer(value)));
    });
  });

  describe('tokens of the account', () => {
    /** A token's own account, as the table has it. */
    function forToken(route: ManagementRoute, isHeld: boolean): number | 'let in' {
      if (route.access === 'session' || isSelf(route)) return 403;
      if (route.operationId === 'verify-user-token') return 403;
      return permissionOf(route) === undefined || isHeld ? 'let in' : 403;
    }

    /** One token for each permission that a route demands. */
    function tokensBySlug(make: (slug: PermissionSlug) => Promise<string>) {
      const values = new Map<string, Promise<string>>();
      return async (route: ManagementRoute) => {
        const slug = permissionOf(route) ?? 'tags.read';
        const value = values.get(slug) ?? make(slug);
        values.set(slug, value);
        return bearer(await value);
      };
    }

    test('with exactly the permission: let in', () =>
      check(
        (route) => forToken(route, true),
        tokensBySlug(async (slug) => (await server.createToken([slug])).value),
      ));

    test('with everything but the permission: 403', () =>
      check(
        (route) => forToken(route, false),
        tokensBySlug(async (slug) => (await server.createToken(allBut(slug))).value),
      ));

    test('with a policy that denies it beside one that allows everything: 403', () =>
      check(
        (route) => forToken(route, false),
        tokensBySlug(async (slug) => {
          const { json } = await server.call('POST', `${server.account}/tokens`, {
            body: {
              name: 'deny',
              policies: [
                allowPolicy(server.accountId, everySlug),
                { ...allowPolicy(server.accountId, [slug]), effect: 'deny' },
              ],
            },
          });
          return json.result.value as string;
        }),
      ));

    test('for one gateway: let in there and nowhere else', async () => {
      const { value } = await server.createToken(accountSlugs, GATEWAY);
      const hasGateway = (route: ManagementRoute) => route.path.includes(':gateway_id');
      await check(
        (route) => forToken(route, hasGateway(route)),
        () => Promise.resolve(bearer(value)),
      );
      await check(
        () => 403,
        () => Promise.resolve(bearer(value)),
        { gatewayId: 'another-gateway' },
        hasGateway,
      );
    });

    test('from an address that its condition refuses: 403', async () => {
      const value = await insertToken(server.accountId, everySlug, {
        condition: JSON.stringify({ not_in: ['10.0.0.0/8'] }),
      });
      await check(
        () => 403,
        () => Promise.resolve(bearer(value)),
      );
    });

    test("on another account's path: 403, whether there is one or not", async () => {
      const onAccount = (route: ManagementRoute) => route.path.includes(':account_id');
      const theirs = await insertToken(otherAccountId, everySlug);
      const headers = () => Promise.resolve(bearer(theirs));
      await check(() => 403, headers, {}, onAccount);
      const ours = () => Promise.resolve(bearer(server.token));
      for (const accountId of [otherAccountId, createId()]) {
        await check(() => 403, ours, { accountId }, onAccount);
      }
    });
  });

  describe('people', () => {
    /** What a person with one role may do: worked out from the role's row of the table. */
    function forPerson(route: ManagementRoute, role: Role | undefined): number | 'let in' {
      if (route.access === 'session') return 'let in';
      if (route.operationId.startsWith('verify-')) return 403;
      if (route.access === 'authenticated' || isSelf(route)) return 'let in';
      const slug = permissionOf(route);
      return role !== undefined && slug !== undefined && roleHolds(role, slug) ? 'let in' : 403;
    }

    /** A session of its own for each route: some of them end it. */
    function sessionsOf(userId: string): () => Promise<SessionHeaders> {
      return () => signInAs(server, userId);
    }

    for (const role of roles) {
      test(`the role ${role.name}`, async () => {
        const { userId } = await createPerson(server, {
          accountId: server.accountId,
          roles: [role.slug],
        });
        await check((route) => forPerson(route, role), sessionsOf(userId));
        // The person's token for everything holds what the role holds, and no more.
        const session = await signInAs(server, userId);
        const { value } = await createUserToken(server, session, everySlug);
        await check(
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
      await check((route) => {
        const answers = chosen.map((role) => forPerson(route, role));
        return answers.includes('let in') ? 'let in' : 403;
      }, sessionsOf(userId));
    });

    test('no member: 403, whether there is an account or not', async () => {
      const { userId } = await createPerson(server);
      await check((route) => forPerson(route, undefined), sessionsOf(userId));
      const onAccount = (route: ManagementRoute) => route.path.includes(':account_id');
      await check(() => 403, sessionsOf(userId), { accountId: createId() }, onAccount);
    });

    test('a member of another account only: 403', async () => {
      const { userId } = await createPerson(server);
      await addMember(server, userId, otherAccountId, [SUPER_ADMINISTRATOR]);
      const onAccount = (route: ManagementRoute) => route.path.includes(':account_id');
      await check(() => 403, sessionsOf(userId), {}, onAccount);
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
      await check((route) => forPerson(route, undefined), sessionsOf(userId));
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
        await check(
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
      await check(
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
      assert.equal(await run(bearer(value)), roleHolds(role, 'ai-gateway.run') ? 200 : 401);
      // A browser's cookie is no credential here.
      assert.equal(await run(session), 401);
    }
  });
});
