import assert from 'node:assert/strict';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { generationOf } from '../../src/request-log/rollups/rollup-buckets.ts';
import { LOG_FILE } from '../../src/storage/log-file.ts';
import { openPostgres } from '../../src/storage/postgres.ts';
import { openSqlite } from '../../src/storage/sqlite.ts';
import { onEachDatabase } from '../support/databases.ts';
import { bootServer } from '../support/server.ts';
import { type AnalyticsBench, NOON_MS, requestsOf, startAnalytics } from './analytics-set-up.ts';
import { echo } from './limit-nodes.ts';

const READ = 'ai-gateway.read';

onEachDatabase((database) => {
  let bench: AnalyticsBench;
  before(async () => {
    bench = await startAnalytics(database, ['blue-1', 'blue-2', 'red', 'bare']);
    const requests = { 'blue-1': 1, 'blue-2': 2, red: 4, bare: 8 };
    for (const [id, count] of Object.entries(requests)) {
      const row = { model: `${id}-model`, provider: 'openai', cost_nano_usd: 500_000_000 };
      await bench.log(id, ...Array.from({ length: count }, () => row));
    }
    for (const [id, team] of [
      ['blue-1', 'Blue'],
      ['blue-2', 'Blue'],
      ['red', 'x'.repeat(1_000)],
    ] as const) {
      const { status } = await bench.server.call('PUT', `${bench.server.account}/tags`, {
        body: { resource_type: 'ai_gateway', resource_id: id, tags: { team, other: id } },
      });
      assert.equal(status, 200);
    }
    // Of other things, which are not asked about.
    await bench.server.call('PUT', `${bench.server.account}/tags`, {
      body: { resource_type: 'worker', resource_id: 'bare', tags: { team: 'Green' } },
    });
  });
  after(() => bench.stop());

  const by = async (groupBy: string, token?: string) =>
    requestsOf(await bench.analytics(undefined, `?group_by=${groupBy}`, token));

  test('all gateways of the account are summed up', async () => {
    const { totals, groups } = await bench.analytics(undefined);
    assert.equal(totals.requests, 15);
    assert.equal(totals.cost, 7.5);
    assert.deepEqual(requestsOf({ groups }), [[null, 15]]);
    assert.equal(groups[0].series.length, 1);
  });

  test('by what they have in common, and by gateway', async () => {
    assert.deepEqual(await by('provider'), [['openai', 15]]);
    assert.deepEqual(await by('model'), [
      ['bare-model', 8],
      ['red-model', 4],
      ['blue-2-model', 2],
      ['blue-1-model', 1],
    ]);
    assert.deepEqual(await by('gateway&limit=3'), [
      ['bare', 8],
      ['red', 4],
      ['blue-2', 2],
      ['(other)', 1],
    ]);
  });

  test('by tag: what each team costs', async () => {
    const { groups } = await bench.analytics(undefined, '?group_by=tag.team');
    assert.deepEqual(
      groups.map(({ value, totals }: { value: string; totals: { cost: number } }) => [
        value,
        totals.cost,
      ]),
      [
        [null, 4],
        ['x'.repeat(1_000), 2],
        ['Blue', 1.5],
      ],
    );
    const one = await bench.analytics('blue-2', '?group_by=tag.team');
    assert.deepEqual(requestsOf(one), [['Blue', 2]]);
    assert.deepEqual(requestsOf(await bench.analytics('bare', '?group_by=tag.team')), [[null, 8]]);
  });

  test('gateways that are denied are not among them', async () => {
    const token = await bench.createToken(['allow', [READ, 'tags.read']], ['deny', [READ], 'red']);
    assert.deepEqual(await by('gateway', token), [
      ['bare', 8],
      ['blue-2', 2],
      ['blue-1', 1],
    ]);
    assert.deepEqual(await by('tag.team', token), [
      [null, 8],
      ['Blue', 3],
    ]);
    assert.equal((await bench.analytics(undefined, '', token)).totals.requests, 11);
    assert.equal((await bench.ask('red', '', token)).status, 403);
  });

  test('a token of one gateway asks about that one alone', async () => {
    const token = await bench.createToken(['allow', [READ], 'red']);
    assert.equal((await bench.analytics('red', '', token)).totals.requests, 4);
    for (const gatewayId of [undefined, 'bare', 'none']) {
      const { status, code } = await bench.ask(gatewayId, '', token);
      assert.deepEqual([status, code], [403, 10_000]);
    }
  });

  test('who must not read tags learns no value of theirs', async () => {
    const without = await bench.createToken(['allow', [READ]]);
    for (const gatewayId of [undefined, 'red']) {
      const { status, code, json } = await bench.ask(gatewayId, '?group_by=tag.team', without);
      assert.deepEqual([status, code], [403, 10_000]);
      assert.match(json.errors[0].message, /tags\.read/);
    }
    const denied = await bench.createToken(
      ['allow', [READ, 'tags.read']],
      ['deny', ['tags.read'], 'blue-1'],
    );
    assert.deepEqual(await by('tag.team', denied), [
      [null, 9],
      ['x'.repeat(1_000), 4],
      ['Blue', 2],
    ]);
    assert.equal((await bench.ask('blue-1', '?group_by=tag.team', denied)).status, 403);
    const one = await bench.analytics('blue-2', '?group_by=tag.team', denied);
    assert.deepEqual(requestsOf(one), [['Blue', 2]]);
  });

  test('too much to sum up is refused', async (t) => {
    await bench.createGateway('vast');
    await bench.log('vast', {});
    const { postgresUrl } = bench.server;
    const logs =
      postgresUrl === undefined
        ? openSqlite(path.join(bench.dataDir, LOG_FILE))
        : openPostgres(postgresUrl, () => {});
    t.after(() => logs.close());
    const scope = postgresUrl === undefined ? 'gateway_key' : 'account_id, gateway_id';
    const gateway = await bench.server.call(
      'GET',
      `${bench.server.account}/ai-gateway/gateways/vast`,
    );
    const writer = generationOf(Date.parse(gateway.json.result.created_at));
    const fill = (from: number, to: number) =>
      logs.transact((tx) =>
        sql`
          with recursive n (i) as (select ${sql.lit(from)} union all select i + 1 from n where i < ${sql.lit(to)})
          insert into gateway_log_rollups (${sql.raw(scope)}, step_seconds, dimension, start_at, value, writer_id,
            requests, errors, cached, unpriced, tokens_in, tokens_out, cache_tokens, cost_nano_usd, durations, ttfts)
          select ${sql.raw(scope)}, 3600, 'user', ${sql.lit(Math.floor(NOON_MS / 3_600_000) * 3_600_000)},
            '=' || i, ${sql.lit(writer)}, 1, 0, 0, 0, 0, 0, 0, 0, '[]', '[]'
          from n, gateway_log_gateways where gateway_id = 'vast'`.execute(tx),
      );
    await fill(1, 100_000);
    const users = () => bench.ask('vast', '?group_by=user&interval=hour');
    // With the one that has no user there are too many.
    const { status, code } = await users();
    assert.deepEqual([status, code], [400, 5040]);
    // They are counted in the same way, whichever database has told them.
    if (database === 'postgres') return;
    await logs.transact((tx) =>
      sql`delete from gateway_log_rollups where value = '=1'`.execute(tx),
    );
    assert.equal((await users()).status, 200);
  });
});

test('two nodes on one PostgreSQL add up', async (t) => {
  const bench = await startAnalytics('postgres');
  t.after(() => bench.stop());
  const other = await bootServer('postgres', { besides: bench.server, clock: bench.clock });
  t.after(() => other.stop());
  for (const node of [bench.server, other, bench.server]) {
    assert.equal((await echo(node, 'main')).status, 200);
  }
  // A node knows of its own rows only that they are written.
  await other.call('GET', `${bench.server.account}/ai-gateway/gateways/main/logs`);
  const { groups } = await bench.analytics('main', '?group_by=model');
  assert.deepEqual(requestsOf({ groups }), [['echo', 3]]);
  assert.equal(groups[0].totals.duration.p99, 0);
});
