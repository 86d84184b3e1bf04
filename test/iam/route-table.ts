import assert from 'node:assert/strict';
import { tokenAnnouncement } from '../../src/iam/credentials.ts';
import { type PermissionSlug, impliedPermissions, permissions } from '../../src/iam/permissions.ts';
import type { Role } from '../../src/iam/roles.ts';
import type { ManagementRoute } from '../../src/iam/route.ts';
import { createId } from '../../src/lib/ids.ts';
import { createSecret, digestSecret } from '../../src/lib/secrets.ts';
import type { TestDatabase } from '../support/databases.ts';
import { type Answer, type TestServer, bootServer } from '../support/server.ts';

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

export const GATEWAY = 'matrix-gateway';
const CALLS_PER_ADDRESS = 50;
export const everySlug = permissions.map(({ slug }) => slug);
export const accountSlugs = permissions
  .filter(({ scope }) => scope === 'account')
  .map(({ slug }) => slug);

/** The permission that a route demands; undefined for the few that demand none. */
export function permissionOf({ access }: ManagementRoute): PermissionSlug | undefined {
  if (typeof access === 'object') return 'self' in access ? access.self : access.anyAccount;
  return access === 'public' || access === 'session' || access === 'authenticated'
    ? undefined
    : access;
}

export const isSelf = ({ access }: ManagementRoute): boolean =>
  typeof access === 'object' && 'self' in access;

/** Everything but what would bring the permission along. */
export function allBut(slug: PermissionSlug): PermissionSlug[] {
  return everySlug.filter((other) => !impliedPermissions(other).includes(slug));
}

export function roleHolds(role: Role, slug: PermissionSlug): boolean {
  return role.permissions.flatMap(impliedPermissions).includes(slug);
}

export const bearer = (value: string) => ({ authorization: `Bearer ${value}` });

/** What may be expected of a call: a status, or that the caller is let in, whatever comes of it. */
export type Expectation = number | 'let in';

export interface RouteTable {
  server: TestServer;
  routes: readonly ManagementRoute[];
  /** Of an account that nobody here belongs to. */
  otherAccountId: string;
  /** Writes a token that the API would not make, or not any more; answers its value. */
  insertToken(
    accountId: string,
    slugs: readonly string[],
    columns?: Record<string, unknown>,
  ): Promise<string>;
  /** Calls every route that demands a credential and fails with all that is not as expected. */
  check(
    expected: (route: ManagementRoute) => Expectation,
    headersFor: (route: ManagementRoute) => Promise<Record<string, string>>,
    target?: { accountId?: string; gatewayId?: string },
    chosen?: (route: ManagementRoute) => boolean,
  ): Promise<void>;
}

/** Boots a server and makes the table of its routes. */
export async function createRouteTable(database: TestDatabase): Promise<RouteTable> {
  // Calls come from many addresses: one that tries a hundred wrong credentials is slowed down.
  const server = await bootServer(database, { settings: { TRUST_PROXY: '127.0.0.1' } });
  const { routes } = server.app;
  const otherAccountId = createId();
  let callCount = 0;
  await server.app.database.transaction(async (tx) => {
    await tx
      .insertInto('accounts')
      .values({ id: otherAccountId, name: 'other', created_at: Date.now() })
      .execute();
  });

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
    const address = Math.floor(callCount++ / CALLS_PER_ADDRESS);
    return server.call(route.method, path, {
      token: null,
      headers: { ...headers, 'x-forwarded-for': `10.0.${address >> 8}.${address & 255}` },
      ...(route.body === undefined ? {} : { body: {} }),
    });
  }

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

  async function check(
    expected: (route: ManagementRoute) => Expectation,
    headersFor: (route: ManagementRoute) => Promise<Record<string, string>>,
    target: { accountId?: string; gatewayId?: string } = {},
    chosen: (route: ManagementRoute) => boolean = () => true,
  ): Promise<void> {
    const wrong: string[] = [];
    let calls = 0;
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

  return { server, routes, otherAccountId, insertToken, check };
}
