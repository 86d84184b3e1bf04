import { createId } from '../../../src/lib/ids.ts';
import { clientBody } from '../../oauth/client-bodies.ts';
import { gatewayBody, gatewayUpdate } from '../../gateway/gateway-bodies.ts';
import { allowPolicy } from '../../support/server.ts';
import type { Json } from '../../support/server.ts';
import type { ThingKind } from './thing-writer.ts';

/** Of the names that its writer gives. Other writers have clients, tokens and gateways too. */
const PREFIX = 'thing-';

const named = (n: number): string => `${PREFIX}${n}`;

function marksOf(
  items: readonly Json[],
  read: (item: Json) => { id: string; mark: string },
): Map<string, string> {
  return new Map(
    items.map((item) => {
      const { id, mark } = read(item);
      return [id, mark];
    }),
  );
}

const clients: ThingKind = {
  name: 'OAuth clients',
  room: 30,
  mark: named,
  create: (mark) => ({
    method: 'POST',
    path: '/oauth_clients',
    body: clientBody({ client_name: mark }),
  }),
  change: (id, mark) => ({
    method: 'PATCH',
    path: `/oauth_clients/${id}`,
    body: { client_name: mark },
  }),
  remove: (id) => ({ method: 'DELETE', path: `/oauth_clients/${id}` }),
  idOf: ({ client_id: id }) => id,
  async list(load) {
    const all: Json[] = await load.result('GET', '/oauth_clients');
    const own = all.filter(({ client_name: name }) => name.startsWith(PREFIX));
    return marksOf(own, ({ client_id: id, client_name: mark }) => ({ id, mark }));
  },
};

function tokens(accountId: string): ThingKind {
  const body = (name: string) => ({ name, policies: [allowPolicy(accountId, ['tags.read'])] });
  return {
    name: 'API tokens',
    room: 30,
    mark: named,
    create: (mark) => ({ method: 'POST', path: '/tokens', body: body(mark) }),
    change: (id, mark) => ({ method: 'PUT', path: `/tokens/${id}`, body: body(mark) }),
    remove: (id) => ({ method: 'DELETE', path: `/tokens/${id}` }),
    idOf: ({ id }) => id,
    async list(load) {
      const own = (await load.all('/tokens')).filter(({ name }) => name.startsWith(PREFIX));
      return marksOf(own, ({ id, name: mark }) => ({ id, mark }));
    },
  };
}

/** @param roleIds of two roles at least */
function members(roleIds: readonly string[]): ThingKind {
  return {
    name: 'members',
    room: 30,
    mark: (n) => roleIds[n % roleIds.length] ?? '',
    create: (mark) => ({
      method: 'POST',
      path: '/members',
      body: { email: `${createId()}@example.com`, roles: [mark] },
    }),
    change: (id, mark) => ({
      method: 'PUT',
      path: `/members/${id}`,
      body: { roles: [{ id: mark }] },
    }),
    remove: (id) => ({ method: 'DELETE', path: `/members/${id}` }),
    idOf: ({ id }) => id,
    async list(load) {
      const pending = await load.all('/members?status=pending');
      return marksOf(pending, ({ id, roles }) => ({
        id,
        mark: roles.map((role: Json) => role.id).join(),
      }));
    },
  };
}

const GATEWAYS = '/ai-gateway/gateways';

const gateways: ThingKind = {
  name: 'gateways',
  room: 8,
  mark: (n) => String(1_000 + n),
  create: (mark) => ({
    method: 'POST',
    path: GATEWAYS,
    body: gatewayBody(`${PREFIX}${createId()}`, { cache_ttl: Number(mark) }),
  }),
  change: (id, mark) => ({
    method: 'PUT',
    path: `${GATEWAYS}/${id}`,
    body: gatewayUpdate({ cache_ttl: Number(mark) }),
  }),
  remove: (id) => ({ method: 'DELETE', path: `${GATEWAYS}/${id}` }),
  idOf: ({ id }) => id,
  async list(load) {
    const own = (await load.all(GATEWAYS)).filter(({ id }) => id.startsWith(PREFIX));
    return marksOf(own, ({ id, cache_ttl: ttl }) => ({ id, mark: String(ttl) }));
  },
};

/** @param gatewayId whose keys they are */
function providerKeys(gatewayId: string): ThingKind {
  const path = `${GATEWAYS}/${gatewayId}/provider_configs`;
  return {
    name: 'provider keys',
    room: 10,
    mark: named,
    create: (alias) => ({
      method: 'POST',
      path,
      body: { alias, default_config: false, provider_slug: 'openai', secret: `sk-${createId()}` },
    }),
    change: (id, alias) => ({ method: 'PATCH', path: `${path}/${id}`, body: { alias } }),
    remove: (id) => ({ method: 'DELETE', path: `${path}/${id}` }),
    idOf: ({ id }) => id,
    async list(load) {
      return marksOf(await load.all(path), ({ id, alias: mark }) => ({ id, mark }));
    },
  };
}

const CUSTOM_PROVIDERS = '/ai-gateway/custom-providers';

const customProviders: ThingKind = {
  name: 'custom providers',
  room: 10,
  mark: named,
  create: (name) => ({
    method: 'POST',
    path: CUSTOM_PROVIDERS,
    body: { name, slug: createId(), base_url: 'https://models.example.com/v1' },
  }),
  change: (id, name) => ({ method: 'PATCH', path: `${CUSTOM_PROVIDERS}/${id}`, body: { name } }),
  remove: (id) => ({ method: 'DELETE', path: `${CUSTOM_PROVIDERS}/${id}` }),
  idOf: ({ id }) => id,
  async list(load) {
    return marksOf(await load.all(CUSTOM_PROVIDERS), ({ id, name: mark }) => ({ id, mark }));
  },
};

/** Every kind of thing that the management API creates, changes and removes. */
export function thingKinds({
  accountId,
  gatewayId,
  roleIds,
}: {
  accountId: string;
  gatewayId: string;
  roleIds: readonly string[];
}): ThingKind[] {
  return [
    clients,
    tokens(accountId),
    members(roleIds),
    gateways,
    providerKeys(gatewayId),
    customProviders,
  ];
}
