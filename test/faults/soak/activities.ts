import assert from 'node:assert/strict';
import { gatewayBody, gatewayUpdate } from '../../gateway/gateway-bodies.ts';
import { UniversalClient } from '../../gateway/universal-client.ts';
import { clientBody } from '../../oauth/client-bodies.ts';
import { RawConnection } from '../../support/raw-connection.ts';
import { type Json, allowPolicy } from '../../support/server.ts';
import type { SoakClient } from './client.ts';
import type { Activity } from './load.ts';
import type { SoakPerson } from './person.ts';

/** What the activities work on. */
export interface SoakWorld {
  client: SoakClient;
  accountId: string;
  person: SoakPerson;
  /** Exchanges of which the log of {@link OPEN_GATEWAY} must have a row each. */
  exchanges: number;
}

/** Keeps every log row. */
export const OPEN_GATEWAY = 'soak';
/** Keeps so many log rows, of which the oldest go. */
export const BOUNDED_GATEWAY = 'bounded';
const BOUNDED_ROWS = 10_000;

const CACHED_QUESTIONS = 50;
const TAGGED_RESOURCES = 5_000;
const TEAMS = 20;
const HANG_UP_BYTES = 600;
const KIB = 1024;
const DAY_MS = 86_400_000;

const below = (limit: number): number => Math.floor(Math.random() * limit);
const api = ({ accountId }: SoakWorld): string => `/client/v4/accounts/${accountId}`;

/** Makes what the activities need. */
export async function prepareWorld(world: SoakWorld): Promise<void> {
  const bound = { log_management: BOUNDED_ROWS, log_management_strategy: 'DELETE_OLDEST' };
  for (const body of [gatewayBody(OPEN_GATEWAY), gatewayBody(BOUNDED_GATEWAY, bound)]) {
    const path = `${api(world)}/ai-gateway/gateways`;
    await world.client.send({ group: 'management', method: 'POST', path, body });
  }
}

/** Everything, in the proportions of a busy day. Some 110 requests a second. */
export function allActivities(world: SoakWorld): Activity[] {
  return [
    ...gatewayActivities(world),
    ...managementActivities(world),
    ...tagActivities(world),
    ...logActivities(world),
    ...peopleActivities(world),
  ];
}

const chat = (words: string, more: object = {}) => ({
  model: 'openai/gpt-4o-mini',
  messages: [{ role: 'user', content: words }],
  ...more,
});

function gatewayActivities(world: SoakWorld): Activity[] {
  const { client } = world;
  async function exchange(
    words: string,
    { stream = false, gateway = OPEN_GATEWAY, ...more }: Exchange = {},
  ) {
    if (gateway === OPEN_GATEWAY) world.exchanges++;
    return client.send({
      group: 'gateway',
      method: 'POST',
      path: `${api(world)}/ai/v1/chat/completions`,
      body: chat(words, stream ? { stream } : {}),
      ...more,
      headers: { 'cf-aig-gateway-id': gateway, ...more.headers },
    });
  }
  const long = 'a long question '.repeat(2 * KIB);
  return [
    { name: 'chat', perSecond: 15, act: async () => void (await exchange('plain')) },
    {
      name: 'chat, streamed',
      perSecond: 8,
      async act() {
        const { text } = await exchange('plain', { stream: true });
        assert.match(text, /\[DONE\]\n\n$/);
      },
    },
    {
      name: 'chat, cached',
      perSecond: 8,
      async act() {
        const headers = { 'cf-aig-cache-ttl': '600' };
        await exchange(`plain ${below(CACHED_QUESTIONS)}`, { headers });
      },
    },
    { name: 'chat, long', perSecond: 1, act: async () => void (await exchange(long)) },
    {
      name: 'chat, large response',
      perSecond: 0.5,
      act: async () => void (await exchange('large')),
    },
    {
      name: 'chat, gateway with a log limit',
      perSecond: 8,
      act: async () => void (await exchange('plain', { gateway: BOUNDED_GATEWAY })),
    },
    {
      name: 'chat, failing provider',
      perSecond: 1,
      async act() {
        const headers = { 'cf-aig-max-attempts': '2', 'cf-aig-retry-delay': '10' };
        await exchange('fail', { headers, status: 500 });
      },
    },
    {
      name: 'chat, client disconnects',
      perSecond: 2,
      act: async () =>
        void (await exchange('plain', { stream: true, hangsUpAfterBytes: HANG_UP_BYTES })),
    },
    {
      name: 'chat, new connection',
      perSecond: 2,
      act: async () => void (await exchange('plain', { isAlone: true })),
    },
    { name: 'WebSocket', perSecond: 0.5, act: () => converse(world) },
  ];
}

interface Exchange {
  stream?: boolean;
  gateway?: string;
  headers?: Record<string, string>;
  status?: number;
  hangsUpAfterBytes?: number;
  isAlone?: boolean;
}

/** A WebSocket with one question after the other. */
async function converse(world: SoakWorld): Promise<void> {
  const { client, accountId } = world;
  const url = `${client.origin.replace('http:', 'ws:')}/v1/${accountId}/${OPEN_GATEWAY}`;
  const headers = { 'cf-aig-authorization': `Bearer ${client.token}` };
  const { model: _, ...query } = chat('plain');
  const asked = { provider: 'openai', endpoint: 'chat/completions' };
  const universal = await UniversalClient.open(url, headers);
  try {
    for (const more of [{}, { stream: true }]) {
      const beganAtMs = performance.now();
      world.exchanges++;
      const request = { ...asked, query: { ...query, model: 'gpt-4o-mini', ...more } };
      const last = (await universal.call(request)).at(-1);
      if (last.type === 'error') throw new Error(JSON.stringify(last));
      client.count('gateway', performance.now() - beganAtMs);
    }
  } finally {
    universal.webSocket.close();
    await universal.closed;
  }
}

function managementActivities(world: SoakWorld): Activity[] {
  const { client } = world;
  const group = 'management';
  const account = api(world);
  const day = (offset: number): string =>
    new Date(Date.now() + offset * DAY_MS).toISOString().slice(0, 10);
  const reads = [
    `${account}/ai-gateway/gateways/${OPEN_GATEWAY}`,
    `${account}/ai-gateway/gateways`,
    `${account}/tokens?per_page=20`,
    `${account}/oauth_clients`,
    `${account}/members`,
    `${account}/logs/audit?since=${day(-1)}&before=${day(1)}&limit=20`,
    `${account}/roles`,
    account,
    `${account}/tokens/permission_groups`,
    '/readyz',
  ];
  const policies = [allowPolicy(world.accountId, ['tags.read', 'ai-gateway.run'])];
  return [
    {
      name: 'read',
      perSecond: 10,
      act: async () => void (await client.send({ group, path: reads[below(reads.length)] ?? '' })),
    },
    {
      name: 'API token: create, use, roll, delete',
      perSecond: 0.5,
      async act() {
        const made = { group, method: 'POST', path: `${account}/tokens` } as const;
        const { json } = await client.send({ ...made, body: { name: 'soak', policies } });
        const { id, value } = json.result as { id: string; value: string };
        await client.send({ group, path: `${account}/tags/keys`, token: value });
        const path = `${account}/tokens/${id}`;
        await client.send({ group, method: 'PUT', path: `${path}/value`, body: {} });
        await client.send({ group, path: `${account}/tags/keys`, token: value, status: 401 });
        await client.send({ group, method: 'DELETE', path });
      },
    },
    {
      name: 'gateway: update',
      perSecond: 0.2,
      async act() {
        const path = `${account}/ai-gateway/gateways/${OPEN_GATEWAY}`;
        // The cache goes on.
        const body = gatewayUpdate({ cache_invalidate_on_update: false });
        await client.send({ group, method: 'PUT', path, body });
      },
    },
    {
      name: 'OAuth client: create, rotate, delete',
      perSecond: 0.3,
      async act() {
        const path = `${account}/oauth_clients`;
        const made = await client.send({ group, method: 'POST', path, body: clientBody() });
        const own = `${path}/${made.json.result.client_id as string}`;
        await client.send({ group, method: 'POST', path: `${own}/rotate_secret` });
        await client.send({ group, method: 'DELETE', path: own });
      },
    },
    { name: 'rejected', perSecond: 4, act: () => beRefused(world) },
    {
      name: 'incomplete request',
      perSecond: 1,
      act: () => {
        const connection = new RawConnection(client.origin);
        connection.write(
          `PUT ${account}/tags HTTP/1.1\r\nhost: x\r\ncontent-length: 99\r\n\r\n{"t`,
        );
        const { promise, resolve } = Promise.withResolvers<void>();
        connection.socket.once('close', () => resolve());
        setTimeout(() => connection.socket.destroy(), below(100));
        return promise;
      },
    },
  ];
}

/** What must not get through, one after the other. */
async function beRefused(world: SoakWorld): Promise<void> {
  const group = 'management';
  const account = api(world);
  const completion = { group, method: 'POST', path: `${account}/ai/v1/chat/completions` } as const;
  const refusals = [
    { group, path: account, token: null, status: 401 },
    { group, path: account, token: `lkat_${'x'.repeat(46)}`, status: 401 },
    { group, path: `/client/v4/accounts/${'0'.repeat(32)}`, status: 403 },
    { group, path: `${account}/nothing`, status: 404 },
    { ...completion, token: null, body: chat('plain'), status: 401 },
    {
      ...completion,
      body: '{"model":',
      headers: { 'content-type': 'application/json' },
      status: 400,
    },
    { group, method: 'PUT', path: `${account}/tags`, body: { tags: 'none' }, status: 400 },
  ] as const;
  await world.client.send(refusals[below(refusals.length)] ?? refusals[0]);
}

function tagActivities(world: SoakWorld): Activity[] {
  const { client } = world;
  const group = 'management';
  const path = `${api(world)}/tags`;
  const resource = () => ({
    resource_type: 'worker',
    resource_id: `soak-${below(TAGGED_RESOURCES)}`,
  });
  const tags = () => ({
    env: ['production', 'staging', 'test'][below(3)],
    team: `team-${below(TEAMS)}`,
    owner: `user-${below(TAGGED_RESOURCES)}`,
  });
  const queries = [
    '/resources?tag=env%3Dproduction',
    '/resources?tag=env%3Dproduction&tag=team%3Dteam-1,team-2',
    '/resources?tag=env%21%3Dtest&limit=20',
    '/keys',
    '/values/team',
    '/summary',
    '/changes?limit=50',
  ];
  return [
    {
      name: 'tags: put',
      perSecond: 6,
      async act() {
        const body = { ...resource(), tags: tags() };
        await client.send({ group, method: 'PUT', path, body });
      },
    },
    {
      name: 'tags: bulk',
      perSecond: 0.5,
      async act() {
        const operations = Array.from({ length: 20 }, () => ({
          op: 'put',
          ...resource(),
          tags: tags(),
        }));
        await client.send({ group, method: 'POST', path: `${path}/bulk`, body: { operations } });
      },
    },
    {
      name: 'tags: query',
      perSecond: 8,
      async act() {
        await client.send({ group, path: path + (queries[below(queries.length)] ?? '') });
      },
    },
  ];
}

function logActivities(world: SoakWorld): Activity[] {
  const { client } = world;
  const group = 'logs';
  const gateway = `${api(world)}/ai-gateway/gateways/${OPEN_GATEWAY}`;
  const lists = [
    '',
    '&filters.key=success&filters.operator=eq&filters.value=false',
    '&search=gpt-4o',
    '&order_by=cost&order_by_direction=desc',
    '&page=3',
  ];
  return [
    {
      name: 'logs: list and open',
      perSecond: 2,
      async act() {
        const query = lists[below(lists.length)] ?? '';
        const { json } = await client.send({ group, path: `${gateway}/logs?per_page=20${query}` });
        const [log] = json.result as Json[];
        if (log === undefined) return;
        await client.send({ group, path: `${gateway}/logs/${log.id}` });
        await client.send({ group, path: `${gateway}/logs/${log.id}/request` });
      },
    },
    {
      name: 'analytics',
      perSecond: 1,
      async act() {
        const since = new Date(Date.now() - (1 + below(24)) * 3_600_000).toISOString();
        const by = ['', '&group_by=model', '&group_by=token'][below(3)] ?? '';
        await client.send({ group, path: `${gateway}/analytics?since=${since}${by}` });
      },
    },
  ];
}

function peopleActivities({ person }: SoakWorld): Activity[] {
  return [
    {
      name: 'code, token, refresh, userinfo, introspection',
      perSecond: 2,
      act: () => person.authorize(),
    },
    { name: 'sign-in and sign-out', perSecond: 0.2, act: () => person.signInAndOut() },
    { name: 'dashboard', perSecond: 2, act: () => person.openDashboard() },
  ];
}
