import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createId } from '../../src/lib/ids.ts';
import { onEachDatabase } from '../support/databases.ts';
import { type Json, type TestServer, allowPolicy, bootServer } from '../support/server.ts';
import {
  type Attribute,
  type Config,
  type ResourceType,
  TerraformResource,
} from './terraform-provider.ts';

type Kind = Attribute['kind'];

const attributes = (kind: Kind, ...names: string[]): Attribute[] =>
  names.map((name) => ({ name, kind }));

/** The attributes of `cloudflare_ai_gateway`, version 5. */
const GATEWAY: readonly Attribute[] = [
  ...attributes('required', 'id', 'cache_invalidate_on_update', 'cache_ttl', 'collect_logs'),
  ...attributes('required', 'rate_limiting_interval', 'rate_limiting_limit'),
  ...attributes('optional', 'logpush_public_key', 'rate_limiting_technique', 'retry_backoff'),
  ...attributes('optional', 'retry_delay', 'retry_max_attempts', 'dlp', 'guardrails', 'stripe'),
  ...attributes('computed_optional', 'authentication', 'log_management', 'logpush', 'store_id'),
  ...attributes('computed_optional', 'log_management_strategy', 'workers_ai_billing_mode', 'zdr'),
  ...attributes('computed_optional', 'otel'),
  ...attributes('computed', 'created_at', 'is_default', 'modified_at'),
];

/** Releases before 5.20 had no computed settings except two. */
const OLD_GATEWAY = GATEWAY.map((attribute): Attribute => {
  const isOptional = attribute.kind === 'computed_optional';
  const isComputed = attribute.name === 'otel' || attribute.name === 'workers_ai_billing_mode';
  return isOptional && isComputed ? { ...attribute, isForgotten: true } : attribute;
});

const idsOf = (list: Json): string[] => list.map(({ id }: Json) => id).toSorted();

/** `cloudflare_account_member`. The provider converts roles in both directions. */
const MEMBER: readonly Attribute[] = [
  ...attributes('required', 'email'),
  {
    name: 'roles',
    kind: 'optional',
    decode: idsOf,
    encodeUpdate: (ids) => (ids as string[]).map((id) => ({ id })),
  },
  ...attributes('computed_optional', 'status'),
  ...attributes('computed', 'id', 'user', 'policies'),
];

/** `cloudflare_account_token` and `cloudflare_api_token`. Ids and names inside policies are computed. */
const TOKEN: readonly Attribute[] = [
  ...attributes('required', 'name'),
  {
    name: 'policies',
    kind: 'required',
    decode: (policies: Json) =>
      policies.map(({ effect, permission_groups: groups, resources }: Json) => ({
        effect,
        permission_groups: idsOf(groups).map((id) => ({ id })),
        resources,
      })),
  },
  { name: 'expires_on', kind: 'optional', isTime: true },
  { name: 'not_before', kind: 'optional', isTime: true },
  ...attributes('optional', 'condition'),
  ...attributes('computed_optional', 'status'),
  ...attributes('computed', 'id', 'issued_on', 'last_used_on', 'modified_on'),
  { name: 'value', kind: 'computed', isShownOnce: true },
];

/** `cloudflare_oauth_client`. */
const OAUTH_CLIENT: readonly Attribute[] = [
  ...attributes('required', 'client_name', 'token_endpoint_auth_method', 'grant_types', 'scopes'),
  ...attributes('required', 'redirect_uris', 'response_types'),
  ...attributes('optional', 'client_uri', 'logo_uri', 'policy_uri', 'tos_uri'),
  ...attributes('optional', 'allowed_cors_origins', 'post_logout_redirect_uris'),
  ...attributes('computed_optional', 'visibility'),
  ...attributes('computed', 'client_id', 'created_at', 'has_rotated_secret', 'promoted_at'),
  ...attributes('computed', 'updated_at', 'client_uri_verification'),
  { name: 'client_secret', kind: 'computed', isShownOnce: true },
];

onEachDatabase((database) => {
  let server: TestServer;
  before(async () => {
    server = await bootServer(database);
  });
  after(() => server.stop());

  /** Creates a resource, applies each configuration after the other, imports and destroys it. */
  async function assertLifeCycle(type: ResourceType, ...configs: Config[]): Promise<void> {
    const resource = new TerraformResource(server, type);
    const [first = {}, ...others] = configs;
    let state = await resource.create(first);
    for (const [index, config] of configs.entries()) {
      const step = `configuration ${index + 1}`;
      if (index > 0) {
        assert.notDeepEqual(resource.changes(config, state), [], step);
        state = await resource.update(config, state);
      }
      assert.deepEqual(resource.changes(config, state), [], `${step}: applied`);
      const refreshed = await resource.read(state);
      assert.ok(refreshed);
      assert.deepEqual(resource.changes(config, refreshed), [], `${step}: refreshed`);
      // An apply without changes in the configuration, for example after a failed one.
      state = await resource.update(config, refreshed);
      assert.deepEqual(resource.changes(config, state), [], `${step}: applied again`);
      const imported = await resource.import(String(state[type.id]));
      assert.deepEqual(resource.changes(config, imported), [], `${step}: imported`);
    }
    assert.equal(others.length, configs.length - 1);
    await resource.destroy(state);
    assert.equal(await resource.read(state), undefined);
  }

  describe('cloudflare_ai_gateway', () => {
    const basic = (id: string) => ({
      id,
      cache_invalidate_on_update: true,
      cache_ttl: 0,
      collect_logs: true,
      rate_limiting_interval: 0,
      rate_limiting_limit: 0,
    });

    for (const [release, declared] of [
      ['current', GATEWAY],
      ['older', OLD_GATEWAY],
    ] as const) {
      test(`a life cycle with the ${release} schema`, async () => {
        const config = basic(`g-${createId()}`);
        const type = { path: `${server.account}/ai-gateway/gateways`, id: 'id' } as const;
        await assertLifeCycle(
          { ...type, update: 'PUT', attributes: declared },
          config,
          { ...config, cache_ttl: 60, rate_limiting_interval: 60, rate_limiting_limit: 5 },
          {
            ...config,
            authentication: true,
            log_management: 20_000,
            log_management_strategy: 'DELETE_OLDEST',
            logpush: false,
            rate_limiting_technique: 'sliding',
            retry_max_attempts: 3,
            retry_delay: 500,
            retry_backoff: 'linear',
            workers_ai_billing_mode: 'postpaid',
            zdr: false,
          },
          // Removed optional settings become an explicit null.
          { ...config, collect_logs: false },
        );
      });
    }
  });

  test('cloudflare_account_member', async () => {
    const { json } = await server.call('GET', `${server.account}/roles`);
    const role = (wanted: string): string =>
      json.result.find(({ name }: Json) => name === wanted).id;
    const email = `${createId()}@example.com`;
    await assertLifeCycle(
      { path: `${server.account}/members`, id: 'id', update: 'PUT', attributes: MEMBER },
      { email, roles: [role('Tag Admin')] },
      { email, roles: [role('Tag Admin'), role('AI Gateway Admin')].toSorted() },
      { email, roles: [role('AI Gateway Admin')] },
    );
  });

  test('cloudflare_account_token', async () => {
    const policy = (effect: string, ...slugs: string[]) => {
      const { permission_groups: groups, ...rest } = allowPolicy(server.accountId, slugs);
      return {
        effect,
        permission_groups: idsOf(groups as Json).map((id) => ({ id })),
        resources: rest.resources,
      };
    };
    const policies = [policy('allow', 'tags.read', 'ai-gateway.run'), policy('deny', 'tags.write')];
    await assertLifeCycle(
      { path: `${server.account}/tokens`, id: 'id', update: 'PUT', attributes: TOKEN },
      { name: 'test', policies },
      {
        name: 'limited',
        policies,
        not_before: '2020-01-02T03:04:05Z',
        expires_on: '2999-01-02T03:04:05Z',
        condition: { request_ip: { in: ['127.0.0.0/8', '::1/128'], not_in: ['198.51.100.1/32'] } },
      },
      { name: 'disabled', policies: policies.slice(0, 1), status: 'disabled' },
      { name: 'enabled', policies: policies.toReversed(), status: 'active' },
    );
  });

  test('cloudflare_oauth_client', async () => {
    const config = {
      client_name: 'test',
      grant_types: ['authorization_code'],
      redirect_uris: ['https://app.example/cb'],
      response_types: ['code'],
      // The server adds `openid`, so a configuration contains it.
      scopes: ['tags.read', 'openid'],
      token_endpoint_auth_method: 'none',
    };
    const type = {
      path: `${server.account}/oauth_clients`,
      id: 'client_id',
      update: 'PATCH',
      attributes: OAUTH_CLIENT,
    } as const;
    await assertLifeCycle(
      type,
      config,
      {
        ...config,
        client_uri: 'https://app.example',
        policy_uri: 'https://app.example/policy',
        tos_uri: 'https://app.example/terms',
        allowed_cors_origins: ['https://app.example'],
        post_logout_redirect_uris: ['https://app.example/out'],
      },
      { ...config, client_name: 'renamed', redirect_uris: ['https://app.example/other'] },
    );
    await assertLifeCycle(type, {
      ...config,
      token_endpoint_auth_method: 'client_secret_basic',
      grant_types: ['authorization_code', 'refresh_token'],
      scopes: ['tags.read', 'offline_access', 'tags.write', 'openid'],
    });
  });
});
