import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { PermissionSlug } from '../../src/iam/permissions.ts';
import type { ManagementRoute } from '../../src/iam/route.ts';
import { createId } from '../../src/lib/ids.ts';
import { createSecret } from '../../src/lib/secrets.ts';
import { onEachDatabase } from '../support/databases.ts';
import { type TestServer, allowPolicy } from '../support/server.ts';
import {
  type Expectation,
  GATEWAY,
  type RouteTable,
  accountSlugs,
  allBut,
  bearer,
  createRouteTable,
  everySlug,
  isSelf,
  permissionOf,
} from './route-table.ts';

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
const AUTHENTICATED = new Set([
  'list-accounts',
  'list-oauth-scopes',
  'verify-account-token',
  'verify-user-token',
]);

onEachDatabase((database) => {
  let table: RouteTable;
  let server: TestServer;
  let routes: readonly ManagementRoute[];
  before(async () => {
    table = await createRouteTable(database);
    ({ server, routes } = table);
  });
  after(() => server.stop());

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

    test('no credential: 401', () => table.check(() => 401, all({})));
    test('a malformed header: 400', () => table.check(() => 400, all({ authorization: 'Bearer' })));
    test('another scheme: 400', () => table.check(() => 400, all({ authorization: 'Basic eDp5' })));
    test('an unknown token: 401', () => table.check(() => 401, all(bearer(createSecret('lkat_')))));
    test('an unknown token of a person: 401', () =>
      table.check(() => 401, all(bearer(createSecret('lkut_')))));
    test('a wrong last character: 401', () => {
      const changed = server.token.slice(0, -1) + (server.token.endsWith('0') ? '1' : '0');
      return table.check(() => 401, all(bearer(changed)));
    });
    test('an unknown session: 401', () =>
      table.check(() => 401, all({ cookie: `latchkey_session=${createSecret('lkss_')}` })));
    test('expired: 401', async () => {
      const value = await table.insertToken(server.accountId, everySlug, {
        expires_at: Date.now() - 1,
      });
      await table.check(() => 401, all(bearer(value)));
    });
    test('too early: 401', async () => {
      const value = await table.insertToken(server.accountId, everySlug, {
        not_before: Date.now() + 3_600_000,
      });
      await table.check(() => 401, all(bearer(value)));
    });
    test('disabled: 401', async () => {
      const value = await table.insertToken(server.accountId, everySlug, { status: 'disabled' });
      await table.check(() => 401, all(bearer(value)));
    });
    test('revoked: 401', async () => {
      const { id, value } = await server.createToken(everySlug);
      await server.call('DELETE', `${server.account}/tokens/${id}`);
      await table.check(() => 401, all(bearer(value)));
    });
    test('the value before it was rolled: 401', async () => {
      const { id, value } = await server.createToken(everySlug);
      await server.call('PUT', `${server.account}/tokens/${id}/value`, { body: {} });
      await table.check(() => 401, all(bearer(value)));
    });
  });

  describe('tokens of the account', () => {
    /** A token's own account, as the table has it. */
    function forToken(route: ManagementRoute, isHeld: boolean): Expectation {
      if (route.access === 'session' || isSelf(route)) return 403;
      // Public tools recognize a token of an account by that.
      if (route.operationId === 'verify-user-token') return 401;
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
      table.check(
        (route) => forToken(route, true),
        tokensBySlug(async (slug) => (await server.createToken([slug])).value),
      ));

    test('with everything but the permission: 403', () =>
      table.check(
        (route) => forToken(route, false),
        tokensBySlug(async (slug) => (await server.createToken(allBut(slug))).value),
      ));

    test('with a policy that denies it beside one that allows everything: 403', () =>
      table.check(
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
      await table.check(
        (route) => forToken(route, hasGateway(route)),
        () => Promise.resolve(bearer(value)),
      );
      await table.check(
        () => 403,
        () => Promise.resolve(bearer(value)),
        { gatewayId: 'another-gateway' },
        hasGateway,
      );
    });

    test('from an address that its condition refuses: 403', async () => {
      const value = await table.insertToken(server.accountId, everySlug, {
        condition: JSON.stringify({ not_in: ['10.0.0.0/8'] }),
      });
      await table.check(
        () => 403,
        () => Promise.resolve(bearer(value)),
      );
    });

    test("on another account's path: 403, whether there is one or not", async () => {
      const onAccount = (route: ManagementRoute) => route.path.includes(':account_id');
      const theirs = await table.insertToken(table.otherAccountId, everySlug);
      const headers = () => Promise.resolve(bearer(theirs));
      await table.check(() => 403, headers, {}, onAccount);
      const ours = () => Promise.resolve(bearer(server.token));
      for (const accountId of [table.otherAccountId, createId()]) {
        await table.check(() => 403, ours, { accountId }, onAccount);
      }
    });
  });
});
