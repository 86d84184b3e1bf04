import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type AnalyticsBench, NOON_MS, startAnalytics } from './analytics-set-up.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

// What is asked for is read the same whatever the database: one of them will do.
describe('the range of analytics', () => {
  let bench: AnalyticsBench;
  before(async () => {
    bench = await startAnalytics('sqlite');
    const ages = [0, 10 * MINUTE_MS, 5 * HOUR_MS, 30 * HOUR_MS, 20 * DAY_MS, 200 * DAY_MS];
    await bench.log('main', ...ages.map((agoMs) => ({ agoMs })));
  });
  after(() => bench.stop());

  const at = (agoMs: number): string => new Date(NOON_MS - agoMs).toISOString();

  async function windowOf(query: string): Promise<[string, string, string, number]> {
    const { since, until, interval, totals } = await bench.analytics('main', query);
    return [since, until, interval, totals.requests];
  }

  async function refusalOf(query: string): Promise<[string, string]> {
    const { status, code, json } = await bench.ask('main', query);
    assert.deepEqual([status, code], [400, 6010], query);
    const [{ message, source }] = json.errors;
    return [source.pointer, message.replace(`Invalid request parameter: ${source.pointer} `, '')];
  }

  test('without any, it is the last 24 hours, widened to whole ones', async () => {
    assert.deepEqual(await windowOf(''), [
      '2026-06-14T12:00:00.000Z',
      '2026-06-15T13:00:00.000Z',
      'hour',
      3,
    ]);
  });

  test('the begin alone lasts until now, the end alone begins a day before it', async () => {
    assert.deepEqual(await windowOf(`?since=${at(HOUR_MS)}`), [
      '2026-06-15T11:30:00.000Z',
      '2026-06-15T12:31:00.000Z',
      'minute',
      2,
    ]);
    assert.deepEqual(await windowOf(`?until=${at(20 * HOUR_MS)}`), [
      '2026-06-13T16:00:00.000Z',
      '2026-06-14T17:00:00.000Z',
      'hour',
      1,
    ]);
  });

  test('whole intervals are not widened; the end is not in it', async () => {
    const query = '?since=2026-06-15T12:20:00Z&until=2026-06-15T14:30:00%2B02:00';
    assert.deepEqual(await windowOf(query), [
      '2026-06-15T12:20:00.000Z',
      '2026-06-15T12:30:00.000Z',
      'minute',
      1,
    ]);
  });

  test('what happens at the very moment an interval begins is in what lasts until now', async () => {
    bench.clock.advance(HOUR_MS - (NOON_MS % HOUR_MS));
    try {
      await bench.createGateway('prompt');
      await bench.log('prompt', {});
      const { totals, until } = await bench.analytics('prompt');
      assert.deepEqual([totals.requests, until], [1, '2026-06-15T14:00:00.000Z']);
    } finally {
      bench.clock.advance(NOON_MS - bench.clock.now());
    }
  });

  test('the interval is the shortest that makes at most 400 points', async () => {
    const intervalOf = async (query: string) => (await windowOf(query))[2];
    assert.equal(await intervalOf(`?since=${at(400 * MINUTE_MS)}`), 'minute');
    assert.equal(await intervalOf(`?since=${at(400 * MINUTE_MS + 1)}`), 'hour');
    // Minutes are kept for three days.
    const hourLong = (days: number) => `?since=${at(days * DAY_MS)}&until=${at(days * DAY_MS - 1)}`;
    assert.equal(await intervalOf(hourLong(3)), 'minute');
    assert.equal(await intervalOf(hourLong(3).replace('.500Z&', '.499Z&')), 'hour');
    assert.equal(await intervalOf(hourLong(100)), 'hour');
    assert.equal(await intervalOf(hourLong(101)), 'day');
    assert.equal(await intervalOf(`?since=${at(400 * HOUR_MS)}`), 'hour');
    assert.equal(await intervalOf(`?since=${at(400 * HOUR_MS + 1)}`), 'day');
    assert.equal(await intervalOf(`?since=${at(400 * DAY_MS)}`), 'day');
  });

  test('many groups make longer intervals', async () => {
    const intervalOf = async (query: string) =>
      (await windowOf(`?since=${at(6 * HOUR_MS)}&${query}`))[2];
    assert.equal(await intervalOf('group_by=model&limit=27'), 'minute');
    assert.equal(await intervalOf('group_by=model&limit=28'), 'hour');
    assert.equal(await intervalOf('group_by=none&limit=100'), 'minute');
  });

  test('an interval that was asked for is taken', async () => {
    const [since, until, interval, requests] = await windowOf('?interval=day');
    assert.deepEqual(
      [since, until, interval, requests],
      ['2026-06-14T00:00:00.000Z', '2026-06-16T00:00:00.000Z', 'day', 4],
    );
  });

  test('more points than 400 are refused', async () => {
    const tooMany = (points: number) => `would return ${points} points, more than 400`;
    assert.deepEqual(await refusalOf('?interval=minute'), ['interval', tooMany(1_440)]);
    const long = `?interval=hour&since=${at(400 * HOUR_MS + 1)}`;
    assert.deepEqual(await refusalOf(long), ['interval', tooMany(401)]);
    assert.equal(
      (await bench.ask('main', `?interval=hour&since=${at(400 * HOUR_MS)}`)).status,
      200,
    );
    const longest = await refusalOf(`?since=${at(400 * DAY_MS + 1)}`);
    assert.deepEqual(longest, ['interval', tooMany(401)]);
    assert.equal((await refusalOf('?since=0001-01-01T00:00:00Z'))[0], 'interval');
    assert.equal(
      (await refusalOf('?until=9999-12-31T23:59:59Z&since=2026-01-01T00:00:00Z'))[0],
      'interval',
    );
  });

  test('more points of all groups than 10,000 are refused', async () => {
    const query = (groups: number) =>
      `?interval=hour&since=${at(100 * HOUR_MS)}&group_by=model&limit=${groups}`;
    assert.equal((await bench.ask('main', query(100))).status, 200);
    const more = `?interval=hour&since=${at(101 * HOUR_MS)}&group_by=model&limit=100`;
    assert.deepEqual(await refusalOf(more), [
      'limit',
      'would return 100 series of 101 points, more than 10000 points in total',
    ]);
  });

  test('a time of which such intervals are not kept any more is refused', async () => {
    const old = (days: number, interval: string) =>
      `?interval=${interval}&since=${at(days * DAY_MS + 1)}&until=${at(days * DAY_MS)}`;
    const tooLong = (days: number) =>
      `is too early: intervals of this length are kept for ${days} days`;
    assert.deepEqual(await refusalOf(old(3, 'minute')), ['since', tooLong(3)]);
    assert.deepEqual(await refusalOf(old(100, 'hour')), ['since', tooLong(100)]);
    assert.deepEqual(await refusalOf(old(3_653, 'day')), ['since', tooLong(3_653)]);
    assert.equal((await bench.ask('main', old(3_652, 'day'))).status, 200);
  });

  test('what is no time is refused, and an end that does not come after the begin', async () => {
    const noTime = 'must be an RFC 3339 date-time';
    assert.deepEqual(await refusalOf('?since=yesterday'), ['since', noTime]);
    assert.deepEqual(await refusalOf('?until=2026-02-30T00:00:00Z'), ['until', noTime]);
    const wrong = 'must be earlier than until';
    assert.deepEqual(await refusalOf(`?since=${at(0)}&until=${at(0)}`), ['since', wrong]);
    assert.deepEqual(await refusalOf(`?since=${at(-1)}`), ['since', wrong]);
  });

  test('groups that nobody can tell are refused', async () => {
    const names = 'none, model, provider, token, user, oauth_client, status';
    const wrong = ['group_by', `must be ${names}, metadata.<key> or tag.<key>`];
    for (const groupBy of ['path', 'tag.', 'constructor', 'gateway', 'MODEL']) {
      assert.deepEqual(await refusalOf(`?group_by=${groupBy}`), wrong);
    }
    const { json } = await bench.ask(undefined, '?group_by=path');
    assert.match(json.errors[0].message, /status, gateway, metadata/);
  });

  test('parameters that are out of bounds, or not known, are refused', async () => {
    for (const query of [
      'limit=0',
      'limit=101',
      'limit=x',
      'interval=week',
      'order_by=duration',
      'group_by=',
      `group_by=tag.${'x'.repeat(509)}`,
      `since=${'0'.repeat(65)}`,
      'model=gpt-4o',
    ]) {
      for (const gatewayId of ['main', undefined]) {
        const { status, code } = await bench.ask(gatewayId, `?${query}`);
        assert.deepEqual([status, code], [400, 6010], query);
      }
    }
    assert.equal((await bench.ask('main', `?group_by=tag.${'x'.repeat(508)}`)).status, 200);
  });
});
