import { permissions } from '../../../src/iam/permissions.ts';
import { SUPER_ADMINISTRATOR } from '../../../src/iam/roles.ts';
import { issueAccessToken } from '../../support/access-tokens.ts';
import { authorize } from '../../support/authorizations.ts';
import { createPerson, createUserToken, signInAs } from '../../support/people.ts';
import { createSecondAccount } from '../../support/second-account.ts';
import type { Json, TestServer } from '../../support/server.ts';
import type { Caller, Facts } from './world.ts';

const REDIRECT_URI = 'https://app.example.com/callback';

const everySlug = permissions.map(({ slug }) => slug);
const bearer = (value: string) => [['authorization', `Bearer ${value}`]] as const;

async function must(
  server: TestServer,
  method: string,
  path: string,
  body?: object,
): Promise<Json> {
  const answer = await server.call(method, path, body === undefined ? {} : { body });
  if (answer.json?.success !== true) throw new Error(`${method} ${path}: ${answer.text}`);
  return answer.json.result;
}

function times<T>(count: number, make: () => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, make));
}

/**
 * Puts into a fresh installation what odd requests need to get deep: people, credentials of each kind,
 * gateways, a client.
 * @param spares how many credentials of each kind there are
 */
export async function setUpInputWorld(server: TestServer, spares: number): Promise<Facts> {
  const { account, accountId } = server;
  const client = await must(server, 'POST', `${account}/oauth_clients`, {
    client_name: 'fuzz',
    response_types: ['code'],
    grant_types: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_method: 'client_secret_basic',
    redirect_uris: [REDIRECT_URI],
    scopes: ['tags.read', 'tags.write', 'email'],
  });
  const secret = `sk-${'kept-secret-'.repeat(3)}`;
  await makeGateways(server, secret);
  const other = await createSecondAccount(server);
  const callers = await makeCallers(server, client.client_id, other, spares);
  const { userId } = await createPerson(server, { accountId });
  const codes = await times(spares, () =>
    authorize(server, { userId, clientId: client.client_id }),
  );
  const groups = await must(server, 'GET', `${account}/tokens/permission_groups`);
  const roles = await must(server, 'GET', `${account}/roles`);
  const credentials = callers.flatMap((caller) => caller.credentials.flat());
  const secrets = credentials.map(([, value]) => value.replace(/^Bearer |^latchkey_session=/, ''));
  return {
    accountId,
    otherAccountId: other.accountId,
    callers,
    clientId: client.client_id,
    clientSecret: client.client_secret,
    redirectUri: REDIRECT_URI,
    codes,
    permissionGroups: groups.map(({ id }: Json) => id),
    roles: roles.map(({ id }: Json) => id),
    slugs: everySlug,
    secrets: [...secrets.filter((value) => value.startsWith('lk')), client.client_secret, secret],
  };
}

async function makeGateways(server: TestServer, secret: string): Promise<void> {
  const { account } = server;
  const settings = {
    cache_invalidate_on_update: true,
    collect_logs: true,
    rate_limiting_interval: null,
    rate_limiting_limit: null,
  };
  for (const [id, more] of [
    ['default', { cache_ttl: null }],
    ['open', { cache_ttl: 60, authentication: false }],
  ] as const) {
    await must(server, 'POST', `${account}/ai-gateway/gateways`, { id, ...settings, ...more });
  }
  const provider = { alias: 'default', default_config: true, provider_slug: 'openai', secret };
  await must(server, 'POST', `${account}/ai-gateway/gateways/default/provider_configs`, provider);
  for (let count = 0; count < 5; count++) {
    await server.call('POST', `${account}/ai/v1/chat/completions`, {
      body: { model: 'local/echo', messages: [{ role: 'user', content: 'a' }] },
    });
  }
  for (const id of ['thing-1', 'thing-2', 'thing-3']) {
    const tags = { env: 'prod', team: id };
    await must(server, 'PUT', `${account}/tags`, {
      resource_type: 'worker',
      resource_id: id,
      tags,
    });
  }
}

/** The first of them may do everything. */
async function makeCallers(
  server: TestServer,
  clientId: string,
  other: { account: string; token: string },
  spares: number,
): Promise<Caller[]> {
  const { accountId } = server;
  const tokens = async (slugs: string[], gatewayId?: string) =>
    (await times(spares, () => server.createToken(slugs, gatewayId))).map(({ value }) =>
      bearer(value),
    );
  const account = `/client/v4/accounts/${accountId}`;
  const people = await times(spares, () =>
    createPerson(server, { accountId, roles: [SUPER_ADMINISTRATOR] }),
  );
  const sessions = await Promise.all(people.map(({ userId }) => signInAs(server, userId)));
  const userTokens = await Promise.all(
    sessions.map((session) => createUserToken(server, session, everySlug)),
  );
  const accessTokens = await Promise.all(
    people.map(({ userId }) =>
      issueAccessToken(server, {
        userId,
        clientId,
        scopes: ['openid', 'email', 'tags.read', 'tags.write'],
      }),
    ),
  );
  const none = [[]];
  return [
    {
      name: 'full token',
      credentials: [...(await tokens(everySlug)), bearer(server.token)],
      probe: `${account}/tokens`,
    },
    {
      name: 'session',
      credentials: sessions.map((session) => Object.entries(session)),
      probe: account,
    },
    {
      name: 'session without CSRF token',
      credentials: sessions.map(({ cookie }) => [['cookie', cookie]]),
      probe: '/',
    },
    {
      name: 'token of a person',
      credentials: userTokens.map(({ value }) => bearer(value)),
      probe: account,
    },
    {
      name: 'OAuth access token',
      credentials: accessTokens.map(({ value }) => bearer(value)),
      probe: `${account}/tags/keys`,
    },
    {
      name: 'narrow token',
      credentials: await tokens(['tags.read', 'tags.write']),
      probe: `${account}/tags/keys`,
    },
    {
      name: 'token of one gateway',
      credentials: await tokens(['ai-gateway.run', 'ai-gateway.read'], 'default'),
      probe: '/',
    },
    {
      name: 'token of another account',
      credentials: [bearer(other.token)],
      probe: `/client/v4${other.account}/tokens`,
    },
    { name: 'nobody', credentials: none, probe: '/' },
    { name: 'unknown token', credentials: [bearer(`lkat_${'a'.repeat(46)}`)], probe: '/' },
  ];
}
