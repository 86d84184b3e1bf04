import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { LOG_FILE } from '../../src/storage/log-file.ts';
import { openSqliteFile } from '../../src/storage/sqlite.ts';
import { type TestDatabase, onEachDatabase } from '../support/databases.ts';
import { eventually } from '../support/eventually.ts';
import { type Json, type TestServer, bootServer, request } from '../support/server.ts';

onEachDatabase((database) => {
  let server: TestServer;
  before(async () => {
    server = await bootServer(database);
    for (const id of ['main', 'quiet']) {
      await server.call('POST', `${server.account}/ai-gateway/gateways`, {
        body: {
          id,
          cache_invalidate_on_update: true,
          cache_ttl: null,
          collect_logs: id !== 'quiet',
          rate_limiting_interval: null,
          rate_limiting_limit: null,
        },
      });
    }
  });
  after(() => server.stop());

  const complete = (content: string, gateway: string, node = server) =>
    node.call('POST', `${node.account}/ai/v1/chat/completions`, {
      headers: { 'cf-aig-gateway-id': gateway },
      body: { model: 'local/echo', messages: [{ role: 'user', content }] },
    });

  const list = async (query = '', gateway = 'main', node = server): Promise<Json> =>
    (await node.call('GET', `${node.account}/ai-gateway/gateways/${gateway}/logs${query}`)).json;

  test('a row says who, what, how long and how much', async () => {
    const { headers } = await complete('one two three', 'main');
    const { result } = await list('?per_page=1');
    const { duration, ttft, created_at: createdAt, token_id: tokenId, ...row } = result[0];
    assert.deepEqual(row, {
      id: headers.get('cf-aig-log-id'),
      provider: 'local',
      model: 'echo',
      model_type: 'text-generation',
      path: 'chat/completions',
      success: true,
      score: null,
      status_code: 200,
      cached: false,
      tokens_in: 3,
      tokens_out: 3,
      request_type: 'rest',
      request_content_type: 'application/json',
      response_content_type: 'application/json',
      step: 0,
      attempts: 1,
      cache_tokens: null,
      cost: 0,
      custom_cost: false,
      usage_source: 'provider',
      feedback: null,
      event_id: null,
      user_id: null,
      oauth_client_id: null,
    });
    assert.match(tokenId, /^[0-9a-f]{32}$/);
    assert.ok(duration >= ttft && ttft >= 0);
    assert.ok(Math.abs(Date.parse(createdAt) - Date.now()) < 60_000);
    assert.equal(JSON.stringify(result).includes(server.token), false);
  });

  test('newest first or oldest first, paged, ending in an empty page; filters', async () => {
    for (const content of ['a', 'b', 'c']) await complete(content, 'main');
    await server.call('POST', `${server.account}/ai/v1/chat/completions`, {
      headers: { 'cf-aig-gateway-id': 'main' },
      body: { model: 'local/other', messages: [{ role: 'user' }] },
    });
    const { result_info: info } = await list('?per_page=2');
    const ids: string[] = [];
    for (let page = 1; page <= info.total_pages + 1; page++) {
      const { result } = await list(`?per_page=2&page=${page}`);
      ids.push(...result.map(({ id }: Json) => id));
    }
    assert.equal(ids.length, info.total_count);
    assert.equal(new Set(ids).size, ids.length);
    assert.deepEqual(ids, ids.toSorted().toReversed());
    const oldest = await list('?order_by=created_at&order_by_direction=asc');
    assert.deepEqual(
      oldest.result.map(({ id }: Json) => id),
      ids.toReversed(),
    );
    assert.equal((await list('?success=false')).result_info.total_count, 1);
    assert.equal((await list('?model=other')).result[0].status_code, 404);
    assert.equal((await list('?provider=openai')).result_info.total_count, 0);
  });

  test('a gateway with collect_logs off keeps none and names none', async () => {
    const { status, headers } = await complete('hush', 'quiet');
    assert.equal(status, 200);
    assert.equal(headers.get('cf-aig-log-id'), null);
    assert.equal((await list('', 'quiet')).result_info.total_count, 0);
  });

  test('a request may ask for a row, or for none, whatever the gateway does', async () => {
    const ask = (gateway: string, wanted: string) =>
      server.call('POST', `${server.account}/ai/v1/chat/completions`, {
        headers: { 'cf-aig-gateway-id': gateway, 'cf-aig-collect-log': wanted },
        body: { model: 'local/echo', messages: [{ role: 'user', content: 'x' }] },
      });
    const before = (await list()).result_info.total_count;
    assert.equal((await ask('main', 'false')).headers.get('cf-aig-log-id'), null);
    assert.equal((await list()).result_info.total_count, before);
    const asked = await ask('quiet', 'true');
    const { result } = await list('', 'quiet');
    assert.deepEqual(
      result.map(({ id }: Json) => id),
      [asked.headers.get('cf-aig-log-id')],
    );
  });

  test('404 for the logs of a gateway that is not there; 400/6010 for a wrong filter', async () => {
    const logs = `${server.account}/ai-gateway/gateways/none/logs`;
    const { status, code } = await server.call('GET', logs);
    assert.deepEqual([status, code], [404, 7003]);
    const wrong = await server.call(
      'GET',
      `${server.account}/ai-gateway/gateways/main/logs?success=x`,
    );
    assert.deepEqual([wrong.status, wrong.code], [400, 6010]);
    // A filter that this version does not know must not pass for "everything".
    const unknown = await server.call(
      'GET',
      `${server.account}/ai-gateway/gateways/main/logs?filters.key=provider&filters.value=x`,
    );
    assert.deepEqual([unknown.status, unknown.code], [400, 6010]);
  });

  test('what a caller writes cannot break the log: NUL, half characters, great length', async () => {
    const url = `${server.origin}/v1/${server.accountId}/main/local/x%00${'y'.repeat(2_000)}`;
    const headers = { 'cf-aig-authorization': `Bearer ${server.token}` };
    for (const model of ['a\0b', '\ud800', 'm'.repeat(10_000)]) {
      await request('POST', url.replace('%00', ''), { headers, body: JSON.stringify({ model }) });
      await request('POST', `${server.baseUrl}${server.account}/ai/v1/chat/completions`, {
        token: server.token,
        headers: { 'cf-aig-gateway-id': 'main' },
        body: { model: `local/${model}`, messages: [{ role: 'user' }] },
      });
    }
    const { result } = await list('?per_page=6');
    assert.ok(result.every((row: Json) => row.model.length <= 256 && row.path.length <= 256));
    assert.equal(
      server.logLines.some((line) => line.includes('could not be written')),
      false,
    );
  });

  test('a clean stop loses no row', async () => {
    const dataDir = await mkdtemp(path.join(tmpdir(), 'latchkey-logs-'));
    const first = await bootServer(database, { dataDir });
    await Promise.all(
      Array.from({ length: 50 }, (_, index) => complete(`${index}`, 'default', first)),
    );
    await first.app.stop();
    const second = await bootServer(database, { dataDir, besides: first });
    assert.equal((await list('', 'default', second)).result_info.total_count, 50);
    await second.app.stop();
    await first.stop().catch(() => {});
    await rm(dataDir, { recursive: true, force: true });
  });

  test('while the store is out of order requests go on, and the rows are written afterwards', async () => {
    const dataDir = await mkdtemp(path.join(tmpdir(), 'latchkey-logs-'));
    const own = await bootServer(database, { dataDir });
    await complete('before', 'default', own);
    assert.equal((await list('', 'default', own)).result_info.total_count, 1);
    await renameLogs(database, own, dataDir, 'gateway_log_entries', 'gone');
    for (const content of ['x', 'y', 'z']) {
      assert.equal((await complete(content, 'default', own)).status, 200);
    }
    await waitForLine(own, 'failed to write gateway logs');
    assert.equal((await request('GET', `${own.origin}/readyz`)).status, 503);
    await renameLogs(database, own, dataDir, 'gone', 'gateway_log_entries');
    assert.equal((await list('', 'default', own)).result_info.total_count, 4);
    assert.equal((await request('GET', `${own.origin}/readyz`)).status, 200);

    // A store that fails while the server stops gets some time to recover.
    await renameLogs(database, own, dataDir, 'gateway_log_entries', 'gone');
    await complete('last', 'default', own);
    const stopped = own.app.stop();
    await delay(100);
    await renameLogs(database, own, dataDir, 'gone', 'gateway_log_entries');
    await stopped;
    const next = await bootServer(database, { dataDir, besides: own });
    assert.equal((await list('', 'default', next)).result_info.total_count, 5);
    await next.app.stop();
    await own.stop().catch(() => {});
    await rm(dataDir, { recursive: true, force: true });
  });
});

test('without logs there is no file for them, and nothing amiss', async (t) => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'latchkey-logs-'));
  const server = await bootServer('sqlite', { dataDir });
  t.after(async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  });
  const hasFile = async () => (await readdir(dataDir)).includes(LOG_FILE);
  assert.equal((await request('GET', `${server.origin}/readyz`)).status, 200);
  assert.equal(await hasFile(), false);
  await server.call('POST', `${server.account}/ai/v1/chat/completions`, {
    body: { model: 'local/echo', messages: [{ role: 'user', content: 'x' }] },
  });
  await eventually('the file is there', hasFile);
  assert.equal((await request('GET', `${server.origin}/readyz`)).status, 200);
});

async function renameLogs(
  database: TestDatabase,
  server: TestServer,
  dataDir: string,
  from: string,
  to: string,
): Promise<void> {
  if (database === 'postgres') {
    await sql.raw(`alter table ${from} rename to ${to}`).execute(server.app.database.read);
    return;
  }
  const file = openSqliteFile(path.join(dataDir, LOG_FILE));
  file.exec(`alter table ${from} rename to ${to}`);
  file.close();
}

async function waitForLine(server: TestServer, text: string): Promise<void> {
  await eventually(`a log line with "${text}"`, () =>
    Promise.resolve(server.logLines.some((line) => line.includes(text))),
  );
}
