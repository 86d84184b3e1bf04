import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { onEachDatabase } from '../support/databases.ts';
import { eventually } from '../support/eventually.ts';
import { RawConnection, parseAnswer } from '../support/raw-connection.ts';
import { answer, completion } from '../support/scripted-upstream.ts';
import { type Answer, type Json, request } from '../support/server.ts';
import { type ScriptedBench, entryOf, startScripted } from './scripted.ts';

const OPEN = { authentication: false };
const HUGE_COST = JSON.stringify({ per_token_in: 1_000, per_token_out: 1_000 });
const MODEL = 'gpt-4o-mini';
const rule = (limit: number) => ({
  id: 'all',
  limit,
  limitType: 'cost',
  window: 3_600,
  technique: 'fixed',
});
const limited = (limit: number) => ({ spend_limits: { enabled: true, rules: [rule(limit)] } });

onEachDatabase((database) => {
  let bench: ScriptedBench;
  before(async () => {
    bench = await startScripted(database);
    await bench.upstream.set(MODEL, answer(200, completion()));
  });
  after(() => bench.stop());

  /** A completion of an unauthenticated caller, over the REST API. */
  const callOpen = (
    gateway: string,
    headers: Record<string, string> = {},
    { model = 'local/echo', content = 'hello', token = null as string | null } = {},
  ): Promise<Answer> =>
    bench.server.call('POST', `${bench.server.account}/ai/v1/chat/completions`, {
      token,
      headers: { 'cf-aig-gateway-id': gateway, ...headers },
      body: { model, messages: [{ role: 'user', content }] },
    });

  /** The same with the token of the account. */
  const callKnown = (gateway: string, headers = {}, options = {}): Promise<Answer> =>
    callOpen(gateway, headers, { ...options, token: bench.server.token });

  const callUniversal = (gateway: string, entries: unknown[], headers = {}): Promise<Answer> => {
    const { origin, accountId } = bench.server;
    return request('POST', `${origin}/v1/${accountId}/${gateway}`, { headers, body: entries });
  };

  const spendOf = async (gateway: string): Promise<Json[]> => {
    const path = `${bench.server.account}/ai-gateway/gateways/${gateway}/spend`;
    return (await bench.server.call('GET', path)).json.result.rules[0].budgets;
  };

  const countOf = async (gateway: string): Promise<number> => (await bench.logs(gateway)).length;

  test('a price that they name counts nowhere', async () => {
    await bench.createGateway('priced', { ...OPEN, ...limited(100) });
    const cost = { 'cf-aig-custom-cost': HUGE_COST };
    assert.equal((await callOpen('priced', cost)).status, 200);
    const entry = entryOf('local', 'echo', { headers: cost });
    assert.equal((await callUniversal('priced', [entry])).status, 200);
    await eventually('both are logged', async () => (await countOf('priced')) === 2);
    for (const row of await bench.logs('priced')) {
      assert.deepEqual([row.cost ?? 0, row.custom_cost], [0, false]);
    }
    assert.deepEqual(await spendOf('priced'), [{ spent: 0, resets_at: null }]);
    assert.equal((await callKnown('priced')).status, 200);
    // That of an authenticated caller does.
    await callKnown('priced', cost);
    await eventually('it is spent', async () => (await spendOf('priced'))[0].spent > 100);
  });

  test('their calls have a spend budget and a rate limit of their own', async () => {
    await bench.createGateway('apart', {
      ...OPEN,
      ...limited(0.000_001),
      rate_limiting_limit: 3,
      rate_limiting_interval: 3_600,
    });
    const options = { model: `openai/${MODEL}` };
    assert.equal((await callOpen('apart', {}, options)).status, 200);
    await eventually('it is spent', async () => (await spendOf('apart')).length === 2);
    const apart = (await spendOf('apart')).find(({ caller }) => caller === 'unauthenticated');
    assert.ok(apart.spent > 0 && apart.resets_at !== null);
    assert.equal((await callOpen('apart', {}, options)).json.error.code, '2011');
    assert.equal((await callOpen('apart')).status, 429);
    assert.equal((await callOpen('apart')).json.error.code, '2003');
    // Neither affects an authenticated caller.
    assert.equal((await callKnown('apart', {}, options)).status, 200);
  });

  test('callers without a token share the budget of no token', async () => {
    const byToken = { ...rule(1), token: { mode: 'partition' } };
    await bench.createGateway('tokens', {
      ...OPEN,
      spend_limits: { enabled: true, rules: [byToken] },
    });
    for (let i = 0; i < 2; i++) await callOpen('tokens', {}, { model: `openai/${MODEL}` });
    await eventually('it is spent', async () => (await spendOf('tokens')).length > 0);
    const [budget, ...rest] = await spendOf('tokens');
    assert.deepEqual(rest, []);
    assert.deepEqual([budget.caller, budget.token], ['unauthenticated', null]);
  });

  test('where they may use stored keys, they count with all others', async () => {
    await bench.createGateway('together', {
      ...OPEN,
      allow_stored_keys_unauthenticated: true,
      rate_limiting_limit: 1,
      rate_limiting_interval: 3_600,
    });
    assert.equal((await callOpen('together')).status, 200);
    assert.equal((await callKnown('together')).status, 429);
  });

  test('a cache key that they name does not replace the body', async () => {
    await bench.createGateway('cached', { ...OPEN, cache_ttl: 600 });
    const key = { 'cf-aig-cache-key': 'shared' };
    const cacheOf = ({ headers }: Answer) => headers.get('cf-aig-cache-status');
    assert.equal(cacheOf(await callOpen('cached', key, { content: 'poison' })), 'MISS');
    const other = await callOpen('cached', key, { content: 'mine' });
    assert.equal(cacheOf(other), 'MISS');
    assert.match(other.text, /mine/);
    for (const [name, part] of Object.entries({
      header: { headers: key },
      config: { config: { cacheKey: 'shared' } },
    })) {
      const [one, two] = [`${name} one`, `${name} two`].map((content) =>
        entryOf('local', 'echo', {
          query: { model: 'echo', messages: [{ role: 'user', content }] },
          ...part,
        }),
      );
      await callUniversal('cached', [one]);
      const second = await callUniversal('cached', [two], key);
      assert.equal(cacheOf(second), 'MISS');
      assert.match(second.text, new RegExp(`${name} two`));
    }
    // That of an authenticated caller does.
    await callKnown('cached', key, { content: 'first' });
    assert.equal(cacheOf(await callKnown('cached', key, { content: 'second' })), 'HIT');
  });

  test('a header that Connection names does not lead to the entry of others', async () => {
    await bench.createGateway('hops', { ...OPEN, cache_ttl: 600 });
    await bench.upstream.set('hopping', answer(200, completion()));
    const { origin, accountId } = bench.server;
    const { hostname, port } = new URL(origin);
    const body = JSON.stringify({ model: 'hopping', messages: [] });
    // A library would not send this.
    const send = async (connection: string): Promise<string> => {
      const raw = new RawConnection(`http://${hostname}:${port}`);
      raw.write(
        `POST /v1/${accountId}/hops/openai/chat/completions HTTP/1.1\r\nhost: a\r\nx-tenant: acme\r\n` +
          `content-type: application/json\r\nconnection: ${connection}\r\n` +
          `content-length: ${body.length}\r\n\r\n${body}`,
      );
      const { headers } = parseAnswer(await raw.receivedToEnd());
      return headers['cf-aig-cache-status'] ?? '';
    };
    assert.equal(await send('close, x-tenant'), 'MISS');
    assert.equal(await send('close'), 'MISS');
    assert.equal(await send('close'), 'HIT');
  });

  test('their large answers are not cached', async () => {
    await bench.createGateway('answers', { ...OPEN, cache_ttl: 600 });
    // Each word becomes an event of a hundred bytes.
    const [small, large] = ['a '.repeat(2_000), 'a '.repeat(15_000)];
    const { origin, accountId, token } = bench.server;
    const url = `${origin}/v1/${accountId}/answers/local/chat/completions`;
    const send = async (text: string, headers = {}): Promise<string | null> => {
      const messages = [{ role: 'user', content: text }];
      const body = { model: 'echo', stream: true, messages };
      return (await request('POST', url, { body, headers })).headers.get('cf-aig-cache-status');
    };
    const known = { 'cf-aig-authorization': `Bearer ${token}` };
    for (const [text, headers, second] of [
      [small, {}, 'HIT'],
      [large, {}, 'MISS'],
      [large, known, 'HIT'],
    ] as const) {
      await send(text, headers);
      assert.equal(await send(text, headers), second);
    }
  });

  test('a large body is not parsed for them', async () => {
    await bench.createGateway('large', OPEN);
    const content = 'x'.repeat(1024 * 1024);
    const entry = entryOf('none', 'echo', { query: { model: 'echo', content } });
    assert.equal((await callUniversal('large', [entry])).status, 413);
    const known = { 'cf-aig-authorization': `Bearer ${bench.server.token}` };
    assert.notEqual((await callUniversal('large', [entry], known)).status, 413);
  });

  test('their entries in the cache live no longer than the gateway says', async () => {
    await bench.createGateway('uncached', { ...OPEN, cache_ttl: null });
    const ttl = { 'cf-aig-cache-ttl': '600' };
    await callOpen('uncached', ttl);
    assert.equal((await callOpen('uncached', ttl)).headers.get('cf-aig-cache-status'), null);
    await callKnown('uncached', ttl);
    assert.equal((await callKnown('uncached', ttl)).headers.get('cf-aig-cache-status'), 'HIT');
  });

  test('they cannot switch on logs that the owner has switched off', async () => {
    await bench.createGateway('silent', { ...OPEN, collect_logs: false });
    const log = { 'cf-aig-collect-log': 'true' };
    const first = await callOpen('silent', log);
    assert.equal(first.headers.get('cf-aig-log-id'), null);
    await callUniversal('silent', [entryOf('local', 'echo', { headers: log })], log);
    await callKnown('silent', log);
    await eventually('the last is logged', async () => (await countOf('silent')) > 0);
    assert.equal(await countOf('silent'), 1);
    await bench.createGateway('logged', OPEN);
    await callOpen('logged', { 'cf-aig-collect-log': 'false' });
    await callOpen('logged');
    await eventually('one is logged', async () => (await countOf('logged')) > 0);
    assert.equal(await countOf('logged'), 1);
  });

  test('no header of theirs changes what an authenticated caller gets', async () => {
    await bench.createGateway('hostile', {
      ...OPEN,
      ...limited(0.01),
      collect_logs: false,
      cache_ttl: 600,
      rate_limiting_limit: 200,
      rate_limiting_interval: 3_600,
    });
    const option = (...values: string[]) =>
      fc.option(fc.constantFrom(...values), { nil: undefined });
    const headers = fc.record({
      'cf-aig-custom-cost': option(HUGE_COST, '{"per_token_in":0,"per_token_out":1}'),
      'cf-aig-cache-key': option('a', 'b'),
      'cf-aig-cache-ttl': option('0', '1', '600'),
      'cf-aig-skip-cache': option('true', 'false'),
      'cf-aig-collect-log': option('true', '1', 'false'),
      'cf-aig-metadata': option('{"team":"red"}'),
      'cf-aig-event-id': option('same'),
    });
    await fc.assert(
      fc.asyncProperty(headers, fc.boolean(), fc.nat(3), async (all, isUniversal, n) => {
        const sent = Object.fromEntries(
          Object.entries(all).filter(([, value]) => value !== undefined),
        ) as Record<string, string>;
        const entry = entryOf('local', 'echo', { headers: sent });
        if (isUniversal) await callUniversal('hostile', [entry]);
        else await callOpen('hostile', sent);
        const content = `content ${n}`;
        const known = await callKnown('hostile', { 'cf-aig-cache-key': `b${n}` }, { content });
        assert.equal(known.status, 200, known.text);
        assert.match(known.text, new RegExp(content));
        assert.equal(known.headers.get('cf-aig-log-id'), null);
      }),
      { numRuns: 40 },
    );
    assert.deepEqual(await spendOf('hostile'), [{ spent: 0, resets_at: null }]);
    assert.equal(await countOf('hostile'), 0);
  });

  test('a malformed option is still rejected', async () => {
    await bench.createGateway('strict', OPEN);
    for (const headers of [{ 'cf-aig-custom-cost': '{' }, { 'cf-aig-collect-log': 'maybe' }]) {
      assert.equal((await callOpen('strict', headers)).status, 400);
    }
  });

  test('an invalid token makes a caller unauthenticated', async () => {
    await bench.createGateway('invalid', { ...OPEN, ...limited(100) });
    const { status } = await callOpen(
      'invalid',
      { 'cf-aig-custom-cost': HUGE_COST },
      { token: 'lkat_invalid' },
    );
    assert.equal(status, 200);
    assert.deepEqual(await spendOf('invalid'), [{ spent: 0, resets_at: null }]);
  });
});
