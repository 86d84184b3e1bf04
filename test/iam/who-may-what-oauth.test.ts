import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { PermissionSlug } from '../../src/iam/permissions.ts';
import { SUPER_ADMINISTRATOR, roles } from '../../src/iam/roles.ts';
import type { ManagementRoute } from '../../src/iam/route.ts';
import { createId } from '../../src/lib/ids.ts';
import { createSecret } from '../../src/lib/secrets.ts';
import { ACCESS_TOKEN_MS } from '../../src/oauth/lifetimes.ts';
import { createClient } from '../oauth/client-bodies.ts';
import { issueAccessToken } from '../support/access-tokens.ts';
import { onEachDatabase } from '../support/databases.ts';
import { addMember, createPerson, signInAs } from '../support/people.ts';
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

/** The third part of who-may-what.test.ts: OAuth clients that act for a person. */
onEachDatabase((database) => {
  let table: RouteTable;
  let server: TestServer;
  let clientId: string;
  before(async () => {
    table = await createRouteTable(database);
    ({ server } = table);
    ({ client_id: clientId } = await createClient(server, { scopes: everySlug }));
  });
  after(() => server.stop());

  /** What a client may do that holds what the route demands, or does not. */
  function forClient(route: ManagementRoute, isHeld: boolean): Expectation {
    if (route.access === 'session' || route.operationId.startsWith('verify-')) return 403;
    if (route.access === 'authenticated') return 'let in';
    // The person's own API tokens are out of reach.
    if (isSelf(route) && permissionOf(route)?.startsWith('api-tokens.') === true) return 403;
    return isHeld ? 'let in' : 403;
  }

  async function person(role: string = SUPER_ADMINISTRATOR): Promise<string> {
    const options = { accountId: server.accountId, roles: [role] };
    return (await createPerson(server, options)).userId;
  }

  const issue = async (userId: string, scopes: readonly string[], options = {}) =>
    issueAccessToken(server, { userId, clientId, scopes: [...scopes], ...options });

  const always = (value: string) => () => Promise.resolve(bearer(value));

  /** One token for each permission, each of another person: what one has decided last counts. */
  function tokensBySlug(scopesFor: (slug: PermissionSlug) => PermissionSlug[]) {
    const values = new Map<string, Promise<{ value: string }>>();
    return async (route: ManagementRoute) => {
      const slug = permissionOf(route) ?? 'tags.read';
      const token = values.get(slug) ?? person().then((userId) => issue(userId, scopesFor(slug)));
      values.set(slug, token);
      return bearer((await token).value);
    };
  }

  test('with exactly the scope: let in', () =>
    table.check(
      (route) => forClient(route, true),
      tokensBySlug((slug) => [slug]),
    ));

  test('with everything but the scope: 403', () =>
    table.check((route) => forClient(route, false), tokensBySlug(allBut)));

  describe('with every scope, what the role of the person holds', () => {
    // All of them are in who-may-what-people.test.ts.
    const some = [SUPER_ADMINISTRATOR, 'tag-admin', 'member'];
    for (const role of roles.filter(({ slug }) => some.includes(slug))) {
      test(role.name, async () => {
        const { value } = await issue(await person(role.slug), everySlug);
        await table.check((route) => {
          const slug = permissionOf(route);
          const isHeld = isSelf(route) || (slug !== undefined && roleHolds(role, slug));
          return forClient(route, isHeld);
        }, always(value));
      });
    }
  });

  test('another account was picked, or none: 403 on the paths of this one', async () => {
    const userId = await person();
    await addMember(server, userId, table.otherAccountId, [SUPER_ADMINISTRATOR]);
    const onAccount = (route: ManagementRoute) => route.path.includes(':account_id');
    for (const accountIds of [[table.otherAccountId], []]) {
      const { value } = await issue(userId, everySlug, { accountIds });
      await table.check(() => 403, always(value), {}, onAccount);
    }
    const { value } = await issue(userId, everySlug);
    for (const accountId of [table.otherAccountId, createId()]) {
      await table.check(() => 403, always(value), { accountId }, onAccount);
    }
  });

  describe('tokens that are none: 401', () => {
    test('unknown', () => table.check(() => 401, always(createSecret('lkoat_'))));
    test('a refresh token', () => table.check(() => 401, always(createSecret('lkort_'))));
    test('expired', async () => {
      const clock = { now: () => Date.now() - ACCESS_TOKEN_MS };
      const { value } = await issue(await person(), everySlug, { clock });
      await table.check(() => 401, always(value));
    });
    test('the person has taken it back', async () => {
      const userId = await person();
      const { value, grantId } = await issue(userId, everySlug);
      const headers = await signInAs(server, userId);
      const path = `/user/oauth_grants/${grantId}`;
      const { status } = await server.call('DELETE', path, { token: null, headers });
      assert.equal(status, 200);
      await table.check(() => 401, always(value));
    });
    test('a wrong last character', async () => {
      const { value } = await issue(await person(), everySlug);
      const changed = value.slice(0, -1) + (value.endsWith('0') ? '1' : '0');
      await table.check(() => 401, always(changed));
    });
    test('a private client, and a person who is no member of its account', async () => {
      const { userId } = await createPerson(server);
      await addMember(server, userId, table.otherAccountId, [SUPER_ADMINISTRATOR]);
      const { value } = await issue(userId, everySlug, { accountIds: [table.otherAccountId] });
      await table.check(() => 401, always(value));
    });
  });
});
