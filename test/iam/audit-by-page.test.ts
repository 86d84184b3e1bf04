import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { listAuditRowsFrom } from '../../src/iam/audit/audit-query.ts';
import { createId } from '../../src/lib/ids.ts';
import { appendAuditRows, insertUnlinkedRows } from '../support/audit-rows.ts';
import { onEachDatabase } from '../support/databases.ts';
import { createPerson, createUserToken, signInAs } from '../support/people.ts';
import { type Answer, type TestServer, bootServer } from '../support/server.ts';
import { START_MS, idsOf, newLog } from './audit-reading.ts';

onEachDatabase((database) => {
  let server: TestServer;
  before(async () => {
    server = await bootServer(database);
  });
  after(() => server.stop());

  async function newReader(rows: Parameters<typeof newLog>[1]) {
    const { accountId, ids } = await newLog(server, rows);
    const person = await createPerson(server, { accountId, roles: ['audit-logs-viewer'] });
    const headers = await signInAs(server, person.userId);
    const get = (path: string): Promise<Answer> =>
      server.call('GET', `/accounts/${accountId}/${path}`, { token: null, headers });
    const read = (query: Record<string, string | number> = {}) => {
      const pairs = Object.entries(query).map(([name, value]) => [name, String(value)]);
      return get(`audit_logs?${new URLSearchParams(pairs).toString()}`);
    };
    return { accountId, ids, get, read };
  }

  function assertRefused(answer: Answer, status: number, code: number): void {
    assert.deepEqual([answer.status, answer.code], [status, code], answer.text);
  }

  test('an entry in the format of older clients', async () => {
    const { accountId, read } = await newReader([
      {
        created_at: START_MS,
        action_type: 'delete',
        action_result: 'failure',
        actor_type: 'user',
        actor_context: 'dash',
        actor_id: 'u1',
        actor_email: 'ada@example.com',
        actor_ip_address: '192.0.2.1',
        resource_type: 'gateway',
        resource_id: 'g1',
        resource_request: '{"name":"secret"}',
      },
      { created_at: START_MS + 1 },
    ]);
    const { json } = await read({ direction: 'asc' });
    const [entry, other] = json.result;
    assert.deepEqual(
      { ...entry, id: undefined },
      {
        id: undefined,
        action: { type: 'delete', result: false },
        actor: { id: 'u1', email: 'ada@example.com', ip: '192.0.2.1', type: 'user' },
        interface: 'UI',
        metadata: { description: 'Changed a thing' },
        newValue: '',
        oldValue: '',
        owner: { id: accountId },
        resource: { id: 'g1', type: 'gateway' },
        when: new Date(START_MS).toISOString(),
      },
    );
    assert.deepEqual(other.actor, { type: 'admin' });
    assert.deepEqual(other.resource, { type: 'thing' });
    assert.deepEqual(json.result_info, { page: 1, per_page: 20, count: 2 });
  });

  test('pages of any size contain each entry once, in order', async () => {
    const rows = Array.from({ length: 23 }, (_, index) => ({
      created_at: START_MS + Math.trunc(index / 3),
      action_type: index % 3 === 0 ? 'create' : 'update',
    }));
    const { ids, read } = await newReader(rows);
    const types = fc.constantFrom(undefined, 'create', 'update', 'none');
    const directions = fc.constantFrom('asc', 'desc');
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 25 }),
        directions,
        types,
        async (size, direction, type) => {
          const expected = ids.filter(
            (_, index) => type === undefined || rows[index]?.action_type === type,
          );
          if (direction === 'desc') expected.reverse();
          const read1 = (page: number) =>
            read({ page, per_page: size, direction, ...(type && { 'action.type': type }) });
          const found: string[] = [];
          for (let page = 1; ; page++) {
            const items = idsOf(await read1(page));
            if (items.length === 0) break;
            found.push(...items);
          }
          assert.deepEqual(found, expected);
        },
      ),
      { numRuns: 20 },
    );
  });

  test('filters and the period', async () => {
    const { ids, read } = await newReader([
      { created_at: START_MS, actor_email: 'a@example.com', actor_ip_address: '192.0.2.1' },
      { created_at: START_MS + 86_400_000, actor_email: 'b@example.com', action_type: 'create' },
    ]);
    const [first, second] = ids;
    const cases: [Record<string, string>, (string | undefined)[]][] = [
      [{ id: first ?? '' }, [first]],
      [{ 'actor.email': 'b@example.com' }, [second]],
      [{ 'actor.ip': '192.0.2.1' }, [first]],
      [{ 'action.type': 'create' }, [second]],
      [{ since: '2025-06-02' }, [second]],
      [{ before: '2025-06-02T00:00:00Z' }, [first]],
      [{ hide_user_logs: 'true' }, [second, first]],
      [{ 'zone.name': 'example.com' }, []],
    ];
    for (const [query, expected] of cases) {
      assert.deepEqual(idsOf(await read(query)), expected, JSON.stringify(query));
    }
  });

  test('rejects other parameters and values with 6010', async () => {
    const { read } = await newReader([]);
    for (const query of [
      { per_page: 101 },
      { per_page: 0 },
      { page: 0 },
      { page: 101, per_page: 100 },
      { page: 501 },
      { export: 'true' },
      { since: 'yesterday' },
      { before: '2025-02-30' },
      { 'action.result': 'success' },
    ]) {
      assertRefused(await read(query), 400, 6010);
    }
    assert.equal((await read({ page: 100, per_page: 100 })).status, 200);
    assert.equal((await read({ page: 500 })).status, 200);
  });

  test('a page deep in a large log, and the limit of searched rows', async () => {
    const { accountId, read } = await newReader([]);
    const rows = Array.from({ length: 10_050 }, (_, index) => ({ created_at: START_MS + index }));
    await insertUnlinkedRows(server.app.database, accountId, rows);
    const last = idsOf(await read({ direction: 'asc', page: 100, per_page: 100 }));
    assert.deepEqual([last[0], last.at(-1)], ['row-9900', 'row-9999']);
    const query = {
      chainId: accountId,
      sinceMs: START_MS,
      beforeMs: START_MS + 20_000,
      direction: 'desc',
      conditions: [{ column: 'action_type', values: ['none'], isNegated: false }],
    } as const;
    assert.deepEqual(await listAuditRowsFrom(server.app.database.read, query, 0, 10, 20_000), []);
    await assert.rejects(listAuditRowsFrom(server.app.database.read, query, 0, 10, 5_000), {
      status: 400,
      message: /Use a shorter period/,
    });
  });

  test('an account requires audit-logs.read, and the list of a user a session', async () => {
    const person = await createPerson(server, {});
    const headers = await signInAs(server, person.userId);
    const own = await server.call('GET', '/user/audit_logs', { token: null, headers });
    assert.deepEqual(own.json.result, []);
    const rows = [{ created_at: START_MS, resource_scope: 'user' }];
    const ids = await appendAuditRows(server.app.database, person.userId, rows);
    assert.deepEqual(
      idsOf(await server.call('GET', '/user/audit_logs', { token: null, headers })),
      ids,
    );
    const { value } = await createUserToken(server, headers, ['user-details.read']);
    assertRefused(await server.call('GET', '/user/audit_logs', { token: value }), 403, 10_000);
    assertRefused(await server.call('GET', '/user/audit_logs', { token: null }), 401, 10_000);
    const { value: tagsToken } = await server.createToken(['tags.read']);
    const path = `${server.account}/audit_logs`;
    assertRefused(await server.call('GET', path, { token: tagsToken }), 403, 10_000);
    assertRefused(await server.call('GET', path, { token: null }), 401, 10_000);
  });

  test('the history of a resource', async () => {
    const { ids, get } = await newReader([
      { created_at: START_MS, resource_type: 'gateway', resource_id: 'g1' },
      { created_at: START_MS + 1, resource_type: 'gateway', resource_id: 'g2' },
      { created_at: START_MS + 2, resource_type: 'token', resource_id: 'g1' },
      { created_at: START_MS + 3, resource_type: 'gateway', resource_id: 'g1' },
      { created_at: START_MS + 4 },
    ]);
    const window = 'since=2025-06-01&before=2025-07-01';
    const time = encodeURIComponent(new Date(START_MS).toISOString());
    const history = (id: string | undefined, more = '') =>
      get(`logs/audit/${id}/history?${window}&action_time=${time}${more}`);
    const all = await history(ids[0]);
    assert.deepEqual(idsOf(all), [ids[3], ids[0]]);
    assert.deepEqual(all.json.result_info, { count: 2, history_status: 'exact' });
    assert.deepEqual(idsOf(await history(ids[3], '&direction=asc')), [ids[0], ids[3]]);
    const page = await history(ids[0], '&limit=1');
    assert.deepEqual(idsOf(page), [ids[3]]);
    const { cursor } = page.json.result_info;
    assert.deepEqual(idsOf(await history(ids[0], `&limit=1&cursor=${cursor}`)), [ids[0]]);
    const other = await history(ids[1], `&cursor=${cursor}`);
    assertRefused(other, 400, 6010);
    const none = await history(ids[4]);
    assert.deepEqual(none.json.result_info, { count: 0, history_status: 'unavailable' });
    assert.deepEqual(none.json.result, []);
    assertRefused(await history(createId()), 404, 7003);
    const late = encodeURIComponent(new Date(START_MS + 60_000).toISOString());
    const misplaced = await get(`logs/audit/${ids[0]}/history?${window}&action_time=${late}`);
    assertRefused(misplaced, 404, 7003);
    for (const query of [window, `${window}&action_time=now`, `action_time=${time}`]) {
      assertRefused(await get(`logs/audit/${ids[0]}/history?${query}`), 400, 6010);
    }
    assertRefused(await history(ids[0], '&action_type=x'), 400, 6010);
  });
});
