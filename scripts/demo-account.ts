import { randomBytes } from 'node:crypto';
import { sessionAnnouncement } from '../src/iam/credentials.ts';
import { startSession } from '../src/iam/sessions/start-session.ts';
import { csrfTokenOf } from '../src/iam/sessions/session-cookie.ts';
import { digestSecret } from '../src/lib/secrets.ts';
import { gatewayBody } from '../test/gateway/gateway-bodies.ts';
import { createClient } from '../test/oauth/client-bodies.ts';
import { authorize, redeem } from '../test/support/authorizations.ts';
import type { ManualClock } from '../test/support/manual-clock.ts';
import {
  type SessionHeaders,
  addMember,
  createPerson,
  firstPerson,
} from '../test/support/people.ts';
import { type Json, type TestServer, allowPolicy } from '../test/support/server.ts';
import type { DemoGateway } from './demo-gateways.ts';

const GATEWAYS = '/ai-gateway/gateways';

/** How long before the pictures the account begins. */
export const AGE_MS = 60 * 86_400_000;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const LAPTOP =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';
const TELEPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1';
const WORKSTATION = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';

const COLLEAGUES = [
  { firstName: 'Grace', lastName: 'Hopper', roles: ['administrator'] },
  { firstName: 'Katherine', lastName: 'Johnson', roles: ['oauth-client-write', 'ai-gateway-run'] },
  { firstName: 'Radia', lastName: 'Perlman', roles: ['audit-logs-viewer'] },
];

interface DemoToken {
  name: string;
  slugs: readonly string[];
  days?: number;
  /** How long before the end it was used. */
  usedBeforeMs?: number;
}

const TOKENS: readonly DemoToken[] = [
  { name: 'Terraform', slugs: ['oauth-clients.write', 'tags.write'], usedBeforeMs: DAY_MS },
  {
    name: 'Deploy pipeline',
    slugs: ['oauth-clients.read', 'tags.read'],
    days: 75,
    usedBeforeMs: 12 * 60_000,
  },
  { name: 'Audit export', slugs: ['audit-logs.read'] },
  { name: 'Support assistant', slugs: ['ai-gateway.run'], days: 50, usedBeforeMs: HOUR_MS },
  { name: 'Contractor access', slugs: ['tags.read'], days: 33 },
];

/** The account, seen by Ada, who is signed in. */
export interface DemoAccount {
  session: SessionHeaders;
  /** The client in the midst of a rotation. */
  client: Json;
  tokenId: string;
  /** Whose logs are still to be filled. */
  gateways: DemoGateway[];
}

/** Fills the account as a team would have done in some weeks; the clock ends {@link AGE_MS} later. */
export async function fillAccount(server: TestServer, clock: ManualClock): Promise<DemoAccount> {
  const endMs = clock.now() + AGE_MS;
  const adaId = await nameFirstPerson(server);
  const call = (userId: string, userAgent = LAPTOP) => asPerson(server, clock, userId, userAgent);
  await call(adaId)('PUT', '', { name: 'Acme' });
  clock.advance(2 * HOUR_MS);
  const [graceId = adaId] = await addColleagues(server);
  clock.advance(DAY_MS);
  const client = await createClients(server, clock, call(graceId));
  const { tokenId, gatewayTokenId } = await createTokens(server, clock, call(adaId));
  const gateways = await createGateways(clock, call(adaId), gatewayTokenId);
  await tagResources(call(graceId), client);
  for (const userId of [adaId, graceId]) await useClient(server, clock, client, userId);
  clock.advance(endMs - 4 * DAY_MS - clock.now());
  await call(adaId, TELEPHONE)('GET', '/members');
  await call(graceId)('POST', `/oauth_clients/${client.client_id}/rotate_secret`);
  clock.advance(2 * DAY_MS);
  const invitation = { email: 'mary@acme.example', roles: await roleIds(server) };
  await call(graceId)('POST', '/members', invitation);
  clock.advance(DAY_MS);
  const settings = { abuse_contact_email: 'security@acme.example' };
  await call(adaId, WORKSTATION)('PUT', '', { name: 'Acme', settings });
  clock.advance(5 * HOUR_MS);
  await call(graceId)('PATCH', `/oauth_clients/${client.client_id}`, {
    client_uri: 'https://ledger.example',
  });
  await useClient(server, clock, client, graceId);
  clock.advance(endMs - 3 * HOUR_MS - clock.now());
  await createToken(server, clock, call(adaId), {
    name: 'Load test',
    slugs: ['ai-gateway.run'],
    days: 30,
  });
  await useTokens(server, clock);
  const session = await signIn(server, clock, adaId, LAPTOP);
  clock.advance(endMs - clock.now());
  return { session, client, tokenId, gateways };
}

type Call = (method: string, path: string, body?: unknown) => Promise<Json>;

/** Calls the API as a person does who signs in for it, about the account; what fails ends the script. */
function asPerson(server: TestServer, clock: ManualClock, userId: string, userAgent: string): Call {
  return async (method, path, body) => {
    const session = await signIn(server, clock, userId, userAgent);
    const headers = { ...session, 'user-agent': userAgent };
    const options = { token: null, headers, ...(body !== undefined && { body }) };
    const { json, text } = await server.call(method, server.account + path, options);
    if (json?.success !== true) throw new Error(`${method} ${path}: ${text}`);
    return json.result;
  };
}

async function nameFirstPerson(server: TestServer): Promise<string> {
  const { userId } = await firstPerson(server);
  await server.app.database.transaction(async (tx) => {
    await tx
      .updateTable('users')
      .set({ email: 'ada@acme.example', first_name: 'Ada', last_name: 'Lovelace' })
      .where('id', '=', userId)
      .execute();
  });
  return userId;
}

async function signIn(
  server: TestServer,
  clock: ManualClock,
  userId: string,
  userAgent: string,
): Promise<SessionHeaders> {
  const headers = { 'user-agent': userAgent };
  const ip = '203.0.113.24';
  const request = { id: 'demo', method: 'POST', path: '/', query: '', ip, headers };
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

async function addColleagues(server: TestServer): Promise<string[]> {
  const ids = [];
  for (const { firstName, lastName, roles } of COLLEAGUES) {
    const email = `${firstName.toLowerCase()}@acme.example`;
    const { userId } = await createPerson(server, { email, firstName, lastName });
    await addMember(server, userId, server.accountId, roles);
    ids.push(userId);
  }
  return ids;
}

async function roleIds(server: TestServer): Promise<string[]> {
  const { json } = await server.call('GET', `${server.account}/roles`);
  return json.result
    .filter(({ name }: Json) => name === 'Audit Logs Viewer')
    .map(({ id }: Json) => id);
}

/** @returns the one that is looked at */
async function createClients(server: TestServer, clock: ManualClock, call: Call): Promise<Json> {
  const scopes = ['openid', 'tags.read', 'tags.write', 'ai-gateway.run'];
  const common = {
    response_types: ['code'],
    grant_types: ['authorization_code', 'refresh_token'],
    redirect_uris: ['https://app.example.com/callback'],
    scopes,
  };
  await call('POST', '/oauth_clients', {
    ...common,
    client_name: 'Acme CLI',
    token_endpoint_auth_method: 'none',
    redirect_uris: ['http://127.0.0.1/callback'],
  });
  clock.advance(9 * DAY_MS);
  await call('POST', '/oauth_clients', {
    ...common,
    client_name: 'Field notes',
    token_endpoint_auth_method: 'none',
  });
  clock.advance(5 * DAY_MS);
  // Its secret is needed, which a helper of the tests keeps out of the logs.
  return createClient(server, {
    ...common,
    client_name: 'Ledger Sync',
    optional_scopes: ['tags.write'],
  });
}

/** @returns the ids of the one that is looked at, and of the one that calls models */
async function createTokens(
  server: TestServer,
  clock: ManualClock,
  call: Call,
): Promise<{ tokenId: string; gatewayTokenId: string }> {
  const ids = new Map<string, string>();
  for (const token of TOKENS) {
    clock.advance(DAY_MS + 3 * HOUR_MS);
    ids.set(token.name, await createToken(server, clock, call, token));
  }
  return {
    tokenId: ids.get('Terraform') ?? '',
    gatewayTokenId: ids.get('Support assistant') ?? '',
  };
}

/** What is kept of a month, and what may be spent. */
const BUDGETS = [
  { limit: 400, window: 30 * 86_400 },
  { limit: 25, window: 86_400, model: { mode: 'partition' } },
];

async function createGateways(
  clock: ManualClock,
  call: Call,
  tokenId: string,
): Promise<DemoGateway[]> {
  const gateways: DemoGateway[] = [];
  for (const [id, share, more] of [
    ['support', 6, { cache_ttl: 3_600, spend_limits: { rules: BUDGETS.map(toRule) } }],
    ['search', 3, { rate_limiting_limit: 600, rate_limiting_interval: 60 }],
    ['experiments', 1, {}],
  ] as const) {
    clock.advance(HOUR_MS);
    const isOpen = id === 'experiments';
    await call('POST', GATEWAYS, { ...gatewayBody(id, more), authentication: !isOpen });
    const createdAtMs = clock.now();
    const own = isOpen
      ? [null]
      : [(await call('POST', `${GATEWAYS}/${id}/tokens`, { name: `${id} service` })).id];
    gateways.push({ id, createdAtMs, share, tokenIds: isOpen ? own : [tokenId, ...own] });
  }
  return gateways;
}

const toRule = (budget: object) => ({ ...budget, limitType: 'cost' });

async function tagResources(call: Call, client: Json): Promise<void> {
  const services = ['billing', 'checkout', 'search', 'support'];
  const kinds = ['worker', 'kv_namespace', 'r2_bucket', 'queue', 'd1_database'];
  const operations = services.flatMap((service, place) =>
    kinds.map((type, index) => ({
      op: 'put',
      resource_type: type,
      resource_id: `${service}-${type.replaceAll('_', '-')}`,
      tags: {
        service,
        env: index === 1 ? 'staging' : 'production',
        team: place < 2 ? 'payments' : 'care',
        ...(index === 0 && { owner: 'grace@acme.example' }),
      },
    })),
  );
  await call('POST', '/tags/bulk', { operations });
  for (const [type, id, tags] of [
    ['ai_gateway', 'support', { team: 'care', env: 'production', 'cost-center': 'cc-204' }],
    ['ai_gateway', 'search', { team: 'payments', env: 'production' }],
    ['oauth_client', client.client_id, { team: 'payments', env: 'production' }],
  ] as const) {
    await call('PUT', '/tags', { resource_type: type, resource_id: id, tags });
  }
}

async function createToken(
  server: TestServer,
  clock: ManualClock,
  call: Call,
  { name, slugs, days }: DemoToken,
): Promise<string> {
  const expiresMs = days === undefined ? undefined : clock.now() + days * DAY_MS;
  const { id } = await call('POST', '/tokens', {
    name,
    policies: [allowPolicy(server.accountId, [...slugs])],
    ...(expiresMs !== undefined && {
      expires_on: `${new Date(expiresMs).toISOString().slice(0, -5)}Z`,
    }),
  });
  return id;
}

async function useTokens(server: TestServer, clock: ManualClock): Promise<void> {
  await server.app.database.transaction(async (tx) => {
    for (const { name, usedBeforeMs } of TOKENS) {
      if (usedBeforeMs === undefined) continue;
      await tx
        .updateTable('api_tokens')
        .set({ last_used_at: clock.now() + 3 * HOUR_MS - usedBeforeMs })
        .where('name', '=', name)
        .execute();
    }
  });
}

async function useClient(
  server: TestServer,
  clock: ManualClock,
  client: Json,
  userId: string,
): Promise<void> {
  const code = await authorize(server, { userId, clientId: client.client_id, clock });
  await redeem(server, client, code);
  clock.advance(randomBytes(1)[0] ?? 0);
}
