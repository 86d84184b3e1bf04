import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { test } from 'node:test';
import { MESSAGES, startScripted } from '../gateway/scripted.ts';
import { eventually } from '../support/eventually.ts';
import {
  AWAIT_RELEASE,
  EVENT_STREAM,
  HANG,
  delta,
  event,
  head,
} from '../support/scripted-upstream.ts';
import { type Json, allowPolicy, bootServer, createDataDir, request } from '../support/server.ts';

const LONG = { UPSTREAM_HEADERS_TIMEOUT_MS: '60000', UPSTREAM_IDLE_TIMEOUT_MS: '60000' };

async function openStream(
  server: { baseUrl: string; account: string; token: string },
  model: string,
) {
  const response = await fetch(`${server.baseUrl}${server.account}/ai/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.token}` },
    body: JSON.stringify({ model: `openai/${model}`, messages: MESSAGES, stream: true }),
  });
  assert.ok(response.body);
  const reader = response.body.getReader();
  let text = '';
  return {
    /** Reads until that has come. */
    async until(wanted: string): Promise<void> {
      while (!text.includes(wanted)) {
        const { done, value } = await reader.read();
        assert.equal(done, false, text);
        text += Buffer.from(value ?? []).toString();
      }
    },
    async toEnd(): Promise<string> {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return text;
        text += Buffer.from(value).toString();
      }
    },
  };
}

// What is asked of the database here, each of them answers.
test('a stop in mid-stream: what ends in time is whole, the rest is told, and all is logged', async (t) => {
  const dataDir = await createDataDir();
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  const bench = await startScripted('sqlite', {
    dataDir,
    settings: { ...LONG, SHUTDOWN_TIMEOUT_MS: '2000' },
  });
  t.after(() => bench.upstream.stop());
  const { server, upstream } = bench;
  const begun = head(200, EVENT_STREAM) + delta('one');
  await upstream.set('ends', [begun, AWAIT_RELEASE, delta('two') + event('[DONE]')]);
  await upstream.set('goes-on', [begun, HANG]);
  await upstream.set('silent', [HANG]);
  await upstream.set('busy', [head(429, { 'retry-after': '30', 'content-length': '0' })]);
  const ends = await openStream(server, 'ends');
  const goesOn = await openStream(server, 'goes-on');
  const silent = bench.complete('silent', { 'cf-aig-max-attempts': '5' });
  await Promise.all([ends.until('one'), goesOn.until('one')]);
  const waiting = bench.complete('busy', { 'cf-aig-max-attempts': '5' });
  for (const model of ['silent', 'busy']) {
    await eventually('it is called', async () => (await upstream.requests(model)).length === 1);
  }

  const stopped = server.stop();
  await assert.rejects(request('GET', `${server.origin}/readyz`));
  await upstream.release();
  assert.match(await ends.toEnd(), /two[^]*\[DONE\]\n\n$/);
  const told = (await goesOn.toEnd()).split('\n').findLast((line) => line.startsWith('data: '));
  const { error } = JSON.parse(told?.slice('data: '.length) ?? '');
  assert.deepEqual([error.code, error.type], ['1001', 'api_error']);
  assert.match(error.message, /the server is stopping/);
  for (const refused of await Promise.all([silent, waiting])) {
    assert.deepEqual([refused.status, refused.code], [503, 1001]);
  }
  await stopped;
  assert.equal((await upstream.requests('silent')).length, 1);

  const next = await bootServer('sqlite', { dataDir, besides: server });
  t.after(() => next.stop());
  const { json } = await next.call('GET', `${server.account}/ai-gateway/gateways/default/logs`);
  const rows = new Map<string, Json>(json.result.map((row: Json) => [row.model, row]));
  const seen = ['ends', 'goes-on', 'silent', 'busy'].map((model) => {
    const { status_code: status, success } = rows.get(model);
    return [status, success];
  });
  assert.deepEqual(seen, [
    [200, true],
    [503, false],
    [503, false],
    [503, false],
  ]);
});

test('a stop in a burst of writes: what was acknowledged is there at the next start', async (t) => {
  const dataDir = await createDataDir();
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  const server = await bootServer('sqlite', { dataDir });
  const acknowledged: string[] = [];
  let isOver = false;
  const writers = Array.from({ length: 8 }, async (_, writer) => {
    for (let i = 0; !isOver; i++) {
      const name = `written-${writer}-${i}`;
      const body = { name, policies: [allowPolicy(server.accountId, ['tags.read'])] };
      try {
        const { status } = await server.call('POST', `${server.account}/tokens`, { body });
        if (status === 200) acknowledged.push(name);
      } catch {
        // The listener is gone.
        isOver = true;
      }
    }
  });
  await eventually('writes are under way', async () => acknowledged.length > 20);
  await server.stop();
  await Promise.all(writers);

  const next = await bootServer('sqlite', { dataDir, besides: server });
  t.after(() => next.stop());
  const stored = await next.app.database.read.selectFrom('api_tokens').select('name').execute();
  const names = new Set(stored.map(({ name }) => name));
  assert.deepEqual(
    acknowledged.filter((name) => !names.has(name)),
    [],
  );
});
