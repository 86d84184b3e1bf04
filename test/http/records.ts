import assert from 'node:assert/strict';
import { insertPasskey } from '../../src/iam/passkeys/passkey-store.ts';
import { createId } from '../../src/lib/ids.ts';
import { gatewayBody } from '../gateway/gateway-bodies.ts';
import { createPerson, signInAs } from '../support/people.ts';
import { type Json, type TestServer, allowPolicy } from '../support/server.ts';

/** A record that the API can read and change. */
export interface TestRecord {
  /** Paths of the OpenAPI document, below the base path. */
  template: string;
  /** PUT or PATCH. */
  method: 'PUT' | 'PATCH';
  path: string;
  headers: Record<string, string>;
  /** Null sends a session instead of the token. */
  token?: null;
  /** Members of a request, besides those of GET, for a change. */
  change: object;
  /** DELETE destroys more than the record, or the record cannot be deleted. */
  isKept?: true;
}

type Creator = (server: TestServer) => Promise<TestRecord>;

/** Creates a record of each kind. The keys are the paths of the OpenAPI document. */
export const CREATORS: Readonly<Record<string, Creator>> = {
  '/accounts/{account_id}': (server) =>
    Promise.resolve({ ...record(server.account, 'PUT', { name: 'Changed' }), isKept: true }),
  '/accounts/{account_id}/members/{member_id}': async (server) => {
    const { memberId } = await createPerson(server, { accountId: server.accountId });
    const roles = await server.call('GET', `${server.account}/roles`);
    const role = roles.json.result.find(({ name }: Json) => name === 'Tag Admin');
    return record(`${server.account}/members/${memberId}`, 'PUT', { roles: [role] });
  },
  '/user': async (server) => asPerson(server, '/user', 'PATCH', { first_name: 'Ada' }),
  '/memberships/{membership_id}': async (server) => {
    const { memberId, headers } = await signedIn(server);
    // The only other status, `rejected`, ends the membership.
    return { ...record(`/memberships/${memberId}`, 'PUT', {}), headers, token: null };
  },
  '/user/invites/{invite_id}': async (server) => {
    const { email, userId } = await createPerson(server, {});
    const headers = { ...(await signInAs(server, userId)) };
    const roles = await server.call('GET', `${server.account}/roles`);
    const role = roles.json.result.find(({ name }: Json) => name === 'Tag Admin');
    const body = { email, roles: [role.id] };
    const { json } = await server.call('POST', `${server.account}/members`, { body });
    const path = `/user/invites/${json.result.id}`;
    return { ...record(path, 'PATCH', {}), headers, token: null, isKept: true };
  },
  '/accounts/{account_id}/tokens/{token_id}': async (server) => {
    const policies = [
      { ...allowPolicy(server.accountId, ['tags.read', 'ai-gateway.run']), effect: 'allow' },
      {
        effect: 'deny',
        permission_groups: allowPolicy(server.accountId, ['tags.read']).permission_groups,
        resources: { [`com.cloudflare.api.account.${server.accountId}`]: '*' },
      },
    ];
    const condition = { request_ip: { in: ['127.0.0.0/8', '::1'], not_in: ['10.0.0.1'] } };
    const times = { not_before: '2020-01-02T03:04:05Z', expires_on: '2999-01-02T03:04:05Z' };
    const body = { name: 'test', policies, condition, ...times };
    return created(server, `${server.account}/tokens`, body, 'PUT', { name: 'Changed' });
  },
  '/user/tokens/{token_id}': async (server) => {
    const { headers } = await signedIn(server);
    const body = { name: 'test', policies: [allowPolicy(server.accountId, ['tags.read'])] };
    return created(server, '/user/tokens', body, 'PUT', { name: 'Changed' }, headers);
  },
  '/accounts/{account_id}/oauth_clients/{client_id}': (server) =>
    created(
      server,
      `${server.account}/oauth_clients`,
      {
        client_name: 'test',
        redirect_uris: ['https://app.example/cb'],
        response_types: ['code'],
        grant_types: ['authorization_code', 'refresh_token'],
        token_endpoint_auth_method: 'client_secret_basic',
        scopes: ['tags.read', 'profile'],
        optional_scopes: ['profile'],
        policy_uri: 'https://app.example/policy',
        client_uri: 'https://app.example',
        post_logout_redirect_uris: ['https://app.example/out'],
        allowed_cors_origins: ['https://app.example'],
        id_token_signed_response_alg: 'RS256',
      },
      'PATCH',
      { client_name: 'Changed' },
    ),
  '/accounts/{account_id}/ai-gateway/gateways/{gateway_id}': (server) =>
    created(
      server,
      `${server.account}/ai-gateway/gateways`,
      gatewayBody(`g-${createId()}`, {
        cache_ttl: 60,
        rate_limiting_interval: 60,
        rate_limiting_limit: 5,
        rate_limiting_technique: 'sliding',
        model_aliases: { small: 'local/echo' },
        spend_limits: {
          rules: [{ id: 'a', limit: 5, window: 3_600, limitType: 'cost' }],
        },
        otel: [
          {
            url: 'https://otel.example/v1/traces',
            headers: { 'x-key': 'secret-1' },
            authorization: 'Bearer secret-2',
          },
        ],
      }),
      'PUT',
      { collect_logs: false },
    ),
  '/accounts/{account_id}/ai-gateway/spend-limits': (server) => {
    const path = `${server.account}/ai-gateway/spend-limits`;
    return Promise.resolve({ ...record(path, 'PUT', { enabled: false }), isKept: true });
  },
  '/accounts/{account_id}/ai-gateway/gateways/{gateway_id}/provider_configs/{config_id}': async (
    server,
  ) => {
    const gateways = `${server.account}/ai-gateway/gateways`;
    const id = `g-${createId()}`;
    await server.call('POST', gateways, { body: gatewayBody(id) });
    const body = {
      alias: 'main',
      default_config: true,
      provider_slug: 'openai',
      secret: 'sk-12345678',
      rate_limit: 5,
      rate_limit_period: 60,
    };
    const keys = `${gateways}/${id}/provider_configs`;
    return created(server, keys, body, 'PATCH', { alias: 'changed' });
  },
  '/accounts/{account_id}/ai-gateway/custom-providers/{provider_id}': (server) =>
    created(
      server,
      `${server.account}/ai-gateway/custom-providers`,
      {
        name: 'test',
        slug: `s-${createId()}`,
        base_url: 'https://api.example/v1?api-version=1',
        dialect: 'anthropic',
        key_header: 'api-key',
        models: ['m'],
        description: 'Test',
        link: 'https://docs.example/',
        beta: true,
        enable: false,
      },
      'PATCH',
      { name: 'Changed' },
    ),
  '/accounts/{account_id}/ai-gateway/gateways/{gateway_id}/logs/{log_id}': async (server) => {
    const body = { model: 'local/echo', messages: [{ role: 'user', content: 'hello' }] };
    const { headers } = await server.call('POST', `${server.account}/ai/v1/chat/completions`, {
      body,
    });
    const path = `${server.account}/ai-gateway/gateways/default/logs/${headers.get('cf-aig-log-id')}`;
    for (let attempt = 0; attempt < 100; attempt++) {
      if ((await server.call('GET', path)).status === 200) break;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return { ...record(path, 'PATCH', { feedback: 1 }), isKept: true };
  },
};

function record(path: string, method: 'PUT' | 'PATCH', change: object): TestRecord {
  return { template: '', path, method, change, headers: {} };
}

async function created(
  server: TestServer,
  path: string,
  body: object,
  method: 'PUT' | 'PATCH',
  change: object,
  headers?: Record<string, string>,
): Promise<TestRecord> {
  const session = headers === undefined ? {} : { headers, token: null };
  const answer = await server.call('POST', path, { body, ...session });
  assert.equal(answer.status, 200, answer.text);
  const id: string = answer.json.result.id ?? answer.json.result.client_id;
  const made = { ...record(`${path}/${id}`, method, change), ...session };
  const read = await server.call('GET', made.path, session);
  assert.equal(answer.headers.get('etag'), read.headers.get('etag'), path);
  return made;
}

async function signedIn(server: TestServer) {
  const roles = ['super-administrator'];
  const person = await createPerson(server, { accountId: server.accountId, roles });
  return { ...person, headers: { ...(await signInAs(server, person.userId)) } };
}

async function asPerson(
  server: TestServer,
  path: string,
  method: 'PUT' | 'PATCH',
  change: object,
): Promise<TestRecord> {
  const { headers } = await signedIn(server);
  return { ...record(path, method, change), headers, token: null, isKept: true };
}

/** A passkey, which has no GET of its own. */
export async function createPasskey(server: TestServer): Promise<TestRecord> {
  const { userId, headers } = await signedIn(server);
  const id = createId();
  await server.app.database.transaction(async (tx) => {
    await insertPasskey(tx, {
      id,
      credentialId: createId(),
      userId,
      name: 'phone',
      publicKey: '{}',
      signCount: 0,
      transports: [],
      createdAtMs: Date.now(),
      lastUsedAtMs: undefined,
    });
  });
  return {
    ...record(`/user/passkeys/${id}`, 'PATCH', { name: 'Changed' }),
    headers,
    token: null,
  };
}
