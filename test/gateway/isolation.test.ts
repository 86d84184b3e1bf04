import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createClient } from '../oauth/client-bodies.ts';
import { issueAccessToken } from '../support/access-tokens.ts';
import { onEachDatabase } from '../support/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { createPerson, firstPerson, signInAs } from '../support/people.ts';
import { answer, completion } from '../support/scripted-upstream.ts';
import { type Answer, type Json, allowPolicy, request } from '../support/server.ts';
import { headerOf } from '../support/upstream-process.ts';
import { gatewayBody } from './gateway-bodies.ts';
import { MESSAGES, type ScriptedBench, startScripted } from './scripted.ts';

const CACHED = { cache_ttl: 3_600 };

onEachDatabase((database) => {
  const clock = new ManualClock();
  let bench: ScriptedBench;
  /** An account besides the first one, and a token of its own. */
  let other: { accountId: string; token: string };
  before(async () => {
    bench = await startScripted(database, { clock });
    await bench.createGateway('one', CACHED);
    await bench.createGateway('two', CACHED);
    await bench.createGateway('open', {
      ...CACHED,
      authentication: false,
      allow_stored_keys_unauthenticated: false,
    });
    other = await createAccount();
    for (const id of ['one', 'default']) {
      const body = gatewayBody(id, CACHED);
      const path = `/accounts/${other.accountId}/ai-gateway/gateways`;
      const { status, text } = await bench.server.call('POST', path, { body, token: other.token });
      assert.equal(status, 200, text);
    }
  });
  after(() => bench.stop());

  async function createAccount(): Promise<{ accountId: string; token: string }> {
    const { userId } = await firstPerson(bench.server);
    const headers = await signInAs(bench.server, userId, clock);
    const create = async (path: string, body: object): Promise<Json> => {
      const answered = await bench.server.call('POST', path, { token: null, headers, body });
      assert.equal(answered.status, 200, answered.text);
      return answered.json.result;
    };
    const { id: accountId } = await create('/accounts', { name: 'Other' });
    const slugs = ['ai-gateway.run', 'ai-gateway.read', 'ai-gateway.write'];
    const policies = [allowPolicy(accountId, slugs)];
    const { value } = await create(`/accounts/${accountId}/tokens`, { name: 'other', policies });
    return { accountId, token: value };
  }

  interface Caller {
    token: string;
    accountId?: string;
    gatewayId?: string;
  }

  const call = (model: string, caller: Caller, headers = {}): Promise<Answer> =>
    bench.server.call(
      'POST',
      `/accounts/${caller.accountId ?? bench.server.accountId}/ai/v1/chat/completions`,
      {
        token: caller.token,
        headers: { 'cf-aig-gateway-id': caller.gatewayId ?? 'one', ...headers },
        body: { model: `openai/${model}`, messages: MESSAGES },
      },
    );

  const statusOf = ({ headers, status }: Answer): string | null => {
    assert.equal(status, 200);
    return headers.get('cf-aig-cache-status');
  };

  const plain = (model: string): Promise<void> =>
    bench.upstream.set(model, answer(200, completion(model)));

  async function keyAt(model: string): Promise<string | undefined> {
    const last = (await bench.upstream.requests(model)).at(-1);
    return headerOf(last, 'authorization');
  }

  test('cached answers: each credential, gateway and account has its own', async () => {
    await plain('shared');
    const { token } = bench.server;
    const second = await bench.server.createToken(['ai-gateway.run']);
    const { client_id: clientId } = await createClient(bench.server, {
      scopes: ['ai-gateway.run'],
    });
    const issue = async () => {
      const { userId } = await createPerson(bench.server, {
        accountId: bench.server.accountId,
        roles: ['ai-gateway-run'],
      });
      const grant = { userId, clientId, scopes: ['ai-gateway.run'], clock };
      return (await issueAccessToken(bench.server, grant)).value;
    };
    const callers: Caller[] = [
      { token },
      { token: second.value },
      { token: await issue() },
      // The same client for another person.
      { token: await issue() },
      { token, gatewayId: 'two' },
      { token: other.token, accountId: other.accountId },
    ];
    const key = { 'cf-aig-cache-key': 'the same' };
    for (const caller of callers) assert.equal(statusOf(await call('shared', caller)), 'MISS');
    for (const caller of callers) assert.equal(statusOf(await call('shared', caller)), 'HIT');
    // Nor does a key of one's own reach further.
    for (const caller of callers) assert.equal(statusOf(await call('shared', caller, key)), 'MISS');
    assert.equal((await bench.upstream.requests('shared')).length, callers.length * 2);
  });

  test('cached answers on an open gateway: by the key that the caller brings', async () => {
    await plain('open');
    const url = `${bench.server.origin}/v1/${bench.server.accountId}/open/openai/chat/completions`;
    const onOpen = (headers: Record<string, string>): Promise<Answer> =>
      request('POST', url, { headers, body: { model: 'open', messages: MESSAGES } });
    const callers: Record<string, string>[] = [
      { authorization: 'Bearer sk-a' },
      { authorization: 'Bearer sk-b' },
      { 'x-api-key': 'sk-a' },
      { 'api-key': 'sk-a' },
      { 'x-goog-api-key': 'sk-a' },
      { authorization: 'Bearer sk-a', 'openai-organization': 'org-b' },
      {},
      { 'cf-aig-authorization': `Bearer ${bench.server.token}`, authorization: 'Bearer sk-a' },
    ];
    for (const headers of callers) {
      assert.equal(statusOf(await onOpen(headers)), 'MISS', JSON.stringify(headers));
    }
    for (const headers of callers) assert.equal(statusOf(await onOpen(headers)), 'HIT');
  });

  test('nobody who is refused sees what is cached', async () => {
    await plain('kept');
    await call('kept', bench.server);
    const refused = await call('kept', { token: other.token });
    assert.equal(refused.status, 401);
    const limited = await bench.server.createToken(['ai-gateway.run'], 'two');
    assert.equal((await call('kept', { token: limited.value })).status, 401);
    assert.equal(statusOf(await call('kept', { token: limited.value, gatewayId: 'two' })), 'MISS');
  });

  test('stored keys: those of the gateway that is called, lent to nobody unknown', async () => {
    const store = async (accountId: string, token: string, gatewayId: string, secret: string) => {
      const { status, text } = await bench.server.call(
        'POST',
        `/accounts/${accountId}/ai-gateway/gateways/${gatewayId}/provider_configs`,
        {
          token,
          body: { alias: 'prod', default_config: true, provider_slug: 'openai', secret },
        },
      );
      assert.equal(status, 200, text);
    };
    const { accountId, token } = bench.server;
    await store(accountId, token, 'one', 'sk-of-one-0123456789');
    await store(accountId, token, 'open', 'sk-of-open-0123456789');
    await store(other.accountId, other.token, 'one', 'sk-of-other-0123456789');
    await plain('keyed');
    const fresh = { 'cf-aig-skip-cache': 'true' };
    const byAlias = { ...fresh, 'cf-aig-byok-alias': 'prod' };

    for (const headers of [fresh, byAlias]) {
      await call('keyed', bench.server, headers);
      assert.equal(await keyAt('keyed'), 'Bearer sk-of-one-0123456789');
      await call('keyed', { token: other.token, accountId: other.accountId }, headers);
      assert.equal(await keyAt('keyed'), 'Bearer sk-of-other-0123456789');
    }
    const unknown = await call('keyed', { token, gatewayId: 'two' }, byAlias);
    assert.deepEqual([unknown.status, unknown.code], [400, 2040]);
    await call('keyed', { token, gatewayId: 'two' }, fresh);
    assert.equal(await keyAt('keyed'), 'Bearer sk-openai');

    const { server } = bench;
    const configs = `${server.account}/ai-gateway/gateways/open/provider_configs`;
    const url = `${server.origin}/v1/${accountId}/open/openai/chat/completions`;
    const onOpen = (headers: Record<string, string>): Promise<Answer> =>
      request('POST', url, {
        headers: { ...fresh, ...headers },
        body: { model: 'keyed', messages: MESSAGES },
      });
    await onOpen({});
    assert.equal(await keyAt('keyed'), undefined);
    await onOpen({ authorization: 'Bearer sk-own' });
    assert.equal(await keyAt('keyed'), 'Bearer sk-own');
    assert.equal((await onOpen({ 'cf-aig-byok-alias': 'prod' })).code, 2040);
    await onOpen({ 'cf-aig-authorization': `Bearer ${token}` });
    assert.equal(await keyAt('keyed'), 'Bearer sk-of-open-0123456789');
    // One who is known elsewhere is unknown here.
    await onOpen({ 'cf-aig-authorization': `Bearer ${other.token}` });
    assert.equal(await keyAt('keyed'), undefined);
    // Where the owner says so, everybody may.
    await bench.updateGateway('open', {
      authentication: false,
      allow_stored_keys_unauthenticated: true,
    });
    await onOpen({});
    assert.equal(await keyAt('keyed'), 'Bearer sk-of-open-0123456789');
    // Of the gateway's own keys: the operator's is not the owner's to give away.
    await server.call(
      'DELETE',
      `${configs}/${(await server.call('GET', configs)).json.result[0].id}`,
    );
    await onOpen({});
    assert.equal(await keyAt('keyed'), undefined);
  });

  test('rate limits: each gateway counts its own', async () => {
    await plain('limited');
    const limit = { rate_limiting_limit: 1, rate_limiting_interval: 3_600 };
    await bench.createGateway('narrow', limit);
    await bench.createGateway('narrow-too', limit);
    const { token } = bench.server;
    assert.equal((await call('limited', { token, gatewayId: 'narrow' })).status, 200);
    const { status, code, headers } = await call('limited', { token, gatewayId: 'narrow' });
    assert.deepEqual([status, code], [429, 2003]);
    assert.ok(Number(headers.get('retry-after')) > 0);
    assert.equal((await call('limited', { token, gatewayId: 'narrow-too' })).status, 200);
    assert.equal((await call('limited', { token })).status, 200);
  });

  test('logs: those of the gateway and the account, and who may see them', async () => {
    const mine = await bench.logs('two');
    assert.ok(mine.length > 0);
    const path = (accountId: string) => `/accounts/${accountId}/ai-gateway/gateways/one/logs`;
    const theirs = await bench.server.call('GET', path(other.accountId), { token: other.token });
    const ids = new Set((await bench.logs('one')).map(({ id }) => id));
    assert.ok(theirs.json.result.length > 0);
    for (const { id } of theirs.json.result) assert.equal(ids.has(id), false);
    const refused = await bench.server.call('GET', path(bench.server.accountId), {
      token: other.token,
    });
    assert.ok([403, 404].includes(refused.status));
  });
});
