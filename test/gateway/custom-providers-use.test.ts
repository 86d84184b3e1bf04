import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createId } from '../../src/lib/ids.ts';
import { onEachDatabase } from '../support/databases.ts';
import { createSecondAccount } from '../support/second-account.ts';
import { type Answer, type TestServer, request } from '../support/server.ts';
import { type Upstream, startUpstream } from '../support/upstream-process.ts';
import {
  type CustomProviderBench,
  freshSlug,
  startCustomProviderBench,
  validProvider,
} from './custom-provider-bench.ts';
import { gatewayBody } from './gateway-bodies.ts';

onEachDatabase((database) => {
  let bench: CustomProviderBench;
  let server: TestServer;
  let upstream: Upstream;
  let providers: string;
  before(async () => {
    upstream = await startUpstream();
    bench = await startCustomProviderBench(database);
    ({ server, providers } = bench);
    // The gateway "default" appears at its first use.
    await run('local/echo');
  });
  after(async () => {
    await server.stop();
    await upstream.stop();
  });

  const createResult: CustomProviderBench['createResult'] = (...args) =>
    bench.createResult(...args);

  const run = (model: string, operation = 'chat/completions'): Promise<Answer> =>
    server.call('POST', `${server.account}/ai/v1/${operation}`, {
      body: { model, max_tokens: 5, messages: [{ role: 'user', content: 'x' }] },
    });

  test('404: what there is not; what is of another account is nowhere here', async () => {
    const second = await createSecondAccount(server);
    const base = `${second.account}/ai-gateway/custom-providers`;
    const { id, slug } = await createResult({ base_url: upstream.baseUrl });
    for (const path of [`${base}/${id}`, `${base}/${createId()}`]) {
      for (const method of ['GET', 'PATCH', 'DELETE']) {
        const options = method === 'PATCH' ? { body: { name: 'x' } } : {};
        const { status, code } = await server.call(method, path, { ...options, ...second });
        assert.deepEqual([method, status, code], [method, 404, 7003]);
      }
    }
    const listed = await server.call('GET', base, second);
    assert.deepEqual(listed.json.result, []);
    const run = () =>
      server.call('POST', `${second.account}/ai/v1/chat/completions`, {
        token: second.token,
        body: { model: `custom-${slug}/plain`, messages: [] },
      });
    assert.equal((await run()).json.error.code, '2008');
    // The same slug there is another provider.
    const made = await server.call('POST', base, {
      token: second.token,
      body: validProvider({ slug, base_url: upstream.baseUrl }),
    });
    assert.equal(made.status, 200);
    assert.equal((await run()).status, 200);
    assert.equal((await server.call('GET', `${providers}/${id}`)).status, 200);
  });

  describe('requests', () => {
    const onUpstream = () => createResult({ base_url: upstream.baseUrl });

    test('go to base_url with the path behind it', async () => {
      const { slug } = await onUpstream();
      const answer = await run(`custom-${slug}/plain`);
      assert.equal(answer.status, 200, answer.text);
      assert.equal(answer.headers.get('cf-aig-provider'), `custom-${slug}`);
      assert.equal((await upstream.lastSent()).url, '/v1/chat/completions');
      assert.equal(JSON.parse((await upstream.lastSent()).body).model, 'plain');
      const native = `${server.origin}/v1/${server.accountId}/default/custom-${slug}`;
      const headers = { 'cf-aig-authorization': `Bearer ${server.token}` };
      await request('POST', `${native}/v1/any/thing?x=1`, { headers, body: { model: 'plain' } });
      assert.equal((await upstream.lastSent()).url, '/v1/v1/any/thing?x=1');
    });

    test('of the Anthropic API are translated', async () => {
      const { slug } = await onUpstream();
      const { status, json } = await run(`custom-${slug}/plain`, 'messages');
      assert.equal(status, 200);
      assert.equal(json.type, 'message');
      assert.equal((await upstream.lastSent()).url, '/v1/chat/completions');
    });

    test('carry the stored key of that provider, and never another', async () => {
      const { slug } = await onUpstream();
      const gateway = freshSlug();
      const path = `${server.account}/ai-gateway/gateways`;
      await server.call('POST', path, { body: gatewayBody(gateway) });
      const secret = `sk-${createId()}`;
      const key = { alias: 'main', default_config: true, secret };
      const configs = `${path}/${gateway}/provider_configs`;
      for (const provider of [`custom-${slug}`, 'openai']) {
        const body = {
          ...key,
          provider_slug: provider,
          ...(provider === 'openai' ? { secret: 'sk-of-openai-itself' } : {}),
        };
        const { status } = await server.call('POST', configs, { body });
        assert.equal(status, 200);
      }
      const other = (await onUpstream()).slug;
      const shown = async (model: string) => {
        await server.call('POST', `${server.account}/ai/v1/chat/completions`, {
          headers: { 'cf-aig-gateway-id': gateway },
          body: { model, messages: [] },
        });
        return (await upstream.lastSent()).headers.filter((text) => text.startsWith('Bearer '));
      };
      assert.deepEqual(await shown(`custom-${slug}/plain`), [`Bearer ${secret}`]);
      assert.deepEqual(await shown(`custom-${other}/plain`), []);
    });

    test('400/2008 while it is off, unknown, or deleted; at once', async () => {
      const { id, slug } = await onUpstream();
      const path = `${providers}/${id}`;
      assert.equal((await run(`custom-${slug}/plain`)).status, 200);
      await server.call('PATCH', path, { body: { enable: false } });
      assert.equal((await run(`custom-${slug}/plain`)).json.error.code, '2008');
      await server.call('PATCH', path, { body: { enable: true } });
      assert.equal((await run(`custom-${slug}/plain`)).status, 200);
      const gone = await server.call('DELETE', path);
      assert.deepEqual([gone.status, gone.json.result.id], [200, id]);
      for (const name of [slug, freshSlug(), 'No-Slug', '']) {
        const { status, json } = await run(`custom-${name}/plain`);
        assert.deepEqual([status, json.error.code], [400, '2008'], name);
      }
    });

    test('never come round to this server, whatever is allowed', async () => {
      const { port } = new URL(server.origin);
      // An address of this machine that is no origin of the server: seen when it is called.
      const { slug } = await createResult({ base_url: `http://localhost:${port}/client/v4` });
      const answer = await run(`custom-${slug}/plain`);
      assert.equal(answer.status, 502);
      assert.ok(
        server.logLines.some((line) => line.includes('is this server, has no public address')),
      );
    });

    test('do not reach what has no public address', async () => {
      // Nobody has opened it for this port.
      const { slug } = await createResult({ base_url: 'https://rebound.localhost.example' });
      assert.equal((await run(`custom-${slug}/plain`)).status, 502);
    });
  });
});
