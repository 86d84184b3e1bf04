import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { onEachDatabase } from '../support/databases.ts';
import { refuseWrites } from '../support/refused-writes.ts';
import { type Json, type TestServer, allowPolicy, bootServer } from '../support/server.ts';
import { type BulkCalls, createBulkCalls, etag } from './bulk-calls.ts';
import { bodyFaults, op, operationFaults } from './bulk-faults.ts';
import { type Tagging, type Tags, assertBooksAgree, createTagging } from './tagging.ts';

const MAX_OPERATIONS = 1_000;
const NO_ETAG = 'v1:RBNvo1WzZ4oRRq0W9-hkng';

/** Many operations in one request. By filter, see bulk-by-filter.test.ts. */
onEachDatabase((database) => {
  let server: TestServer;
  let tagging: Tagging;
  let calls: BulkCalls;
  before(async () => {
    server = await bootServer(database);
    tagging = createTagging(server);
    calls = createBulkCalls(server);
  });
  after(async () => {
    await assertBooksAgree(server);
    await server.stop();
  });

  async function tagsOf(type: string, id: string): Promise<Tags | number> {
    const { code, json } = await tagging.get(type, id);
    return code ?? json.result.tags;
  }

  test('200: sets, merges and removes, and tells of each in the order of the operations', async () => {
    await tagging.put('worker', 'old', { a: '1', b: '2' });
    await tagging.put('worker', 'gone', { a: '1' });
    const rows = (await calls.auditRows()).length;
    const feed = await calls.changeCount();
    const result = await calls.run([
      op('put', 'new', { tags: { env: 'dev' }, name: 'The new one', zone_id: 'z' }),
      op('patch', 'old', { tags: { b: null, c: '3' } }),
      op('delete', 'gone'),
      op('delete', 'never'),
      op('patch', 'first', { tags: { a: '1', b: null } }),
      op('put', 'new', { tags: { env: 'dev' }, name: 'The new one', zone_id: 'z' }),
    ]);
    const done = (id: string, changed: boolean, tags: Tags) => {
      const named = { resource_type: 'worker', resource_id: id };
      return { ...named, success: true, changed, etag: etag(tags) };
    };
    assert.deepEqual(result, {
      dry_run: false,
      succeeded: 6,
      failed: 0,
      unchanged: 2,
      results: [
        done('new', true, { env: 'dev' }),
        done('old', true, { a: '1', c: '3' }),
        done('gone', true, {}),
        done('never', false, {}),
        done('first', true, { a: '1' }),
        done('new', false, { env: 'dev' }),
      ],
    });
    const stored = (await tagging.get('worker', 'new')).json.result;
    assert.deepEqual(
      [stored.name, stored.zone_id, stored.tags, stored.etag],
      ['The new one', 'z', { env: 'dev' }, etag({ env: 'dev' })],
    );
    assert.deepEqual(await tagsOf('worker', 'old'), { a: '1', c: '3' });
    assert.deepEqual(await tagsOf('worker', 'gone'), 1004);
    const added = (await calls.auditRows()).slice(rows);
    assert.deepEqual(
      added.map((row) => [row.action_type, row.resource_type, row.resource_id]),
      [
        ['update', 'worker', 'new'],
        ['update', 'worker', 'old'],
        ['delete', 'worker', 'gone'],
        ['update', 'worker', 'first'],
      ],
    );
    assert.deepEqual(JSON.parse(added[1]?.resource_request ?? ''), {
      ...op('patch', 'old', { tags: { b: null, c: '3' } }),
    });
    assert.equal(new Set(added.map(({ request_id: id }) => id)).size, 1);
    assert.equal(await calls.changeCount(), feed + 4);
    await assertBooksAgree(server);
  });

  test('200: a resource several times: each operation sees what those before it have left', async () => {
    const result = await calls.run([
      op('put', 'often', { tags: { a: '1' }, if_match: NO_ETAG }),
      op('patch', 'often', { tags: { b: '2' }, if_match: etag({ a: '1' }) }),
      op('patch', 'often', { tags: { c: '3' }, if_match: `"${etag({ a: '1' })}"` }),
      op('delete', 'often', { if_match: '*' }),
      op('delete', 'often', { if_match: '*' }),
      op('patch', 'often', { tags: { d: '4' } }),
    ]);
    assert.deepEqual(
      result.results.map(({ success, etag: given, errors }: Json): unknown =>
        success ? given : errors[0].code,
      ),
      [etag({ a: '1' }), etag({ a: '1', b: '2' }), 1016, NO_ETAG, 1016, etag({ d: '4' })],
    );
    assert.deepEqual([result.succeeded, result.failed], [4, 2]);
    assert.deepEqual(await tagsOf('worker', 'often'), { d: '4' });
    await assertBooksAgree(server);
  });

  test('a fault of one operation leaves the others alone', async () => {
    const tags = Object.fromEntries(Array.from({ length: 999 }, (_, i) => [`k${i}`, 'v']));
    const full = { resource_type: 'worker', resource_id: 'many', tags };
    assert.equal((await server.call('PUT', `${server.account}/tags`, { body: full })).status, 200);

    const operations = operationFaults.flatMap(([fault], index) => [
      fault,
      op('put', `sound-${index}`, { tags: { sound: String(index) } }),
    ]);
    const { results, succeeded, failed } = await calls.run(operations);
    assert.deepEqual([succeeded, failed], [operationFaults.length, operationFaults.length]);
    for (const [index, [fault, code, pointer]] of operationFaults.entries()) {
      const { success, errors, ...named } = results[2 * index];
      assert.deepEqual([success, errors.length, errors[0].code], [false, 1, code], String(index));
      if (pointer !== undefined) {
        assert.equal(errors[0].source.pointer, `/operations/${2 * index}${pointer}`);
        assert.match(errors[0].message, /^Invalid set payload: \S/);
      }
      const { resource_type, resource_id } = (fault ?? {}) as Record<string, unknown>;
      assert.deepEqual(
        [named.resource_type, named.resource_id, Object.keys(named).length],
        [resource_type, resource_id, resource_type === undefined ? 0 : 2],
      );
      assert.equal(results[2 * index + 1].success, true);
    }
    assert.equal(results[54].errors[0].message, 'resource not found: type=ai_gateway id=none');
    assert.equal((await tagging.ids(['tag', 'sound'])).length, operationFaults.length);
    assert.deepEqual(await tagging.ids(['id', 'x']), []);
    await assertBooksAgree(server);
  });

  test('keys that objects have anyway are ordinary keys', async () => {
    const answer = await calls.post(
      '{"operations":[{"op":"put","resource_type":"worker","resource_id":"proto",' +
        '"tags":{"__proto__":"p","constructor":"c"}},{"op":"patch","resource_type":"worker",' +
        '"resource_id":"proto","tags":{"__proto__":"q","toString":null}}]}',
    );
    assert.deepEqual([answer.status, answer.json.result.succeeded], [200, 2], answer.text);
    const { tags } = (await tagging.get('worker', 'proto')).json.result;
    assert.deepEqual(
      new Map(Object.entries(tags)),
      new Map([
        ['__proto__', 'q'],
        ['constructor', 'c'],
      ]),
    );
  });

  test('resources of our own keep the name of their record', async () => {
    const { id } = await server.createToken(['tags.read']);
    const named = { resource_type: 'api_token', resource_id: id };
    const tags = { own: 'yes' };
    assert.deepEqual(await calls.codes([{ op: 'put', ...named, tags, name: 'given' }]), [200]);
    assert.equal((await tagging.get('api_token', id)).json.result.name, 'test');
    assert.deepEqual(await calls.codes([{ op: 'patch', ...named, tags: { own: null } }]), [200]);
  });

  describe('faults of the body: 400, 1002', () => {
    for (const [name, body, pointer] of bodyFaults) {
      test(name, async () => {
        const answer = await calls.post(body);
        assert.deepEqual([answer.status, answer.code], [400, 1002], answer.text);
        const [{ message, source }] = answer.json.errors;
        assert.match(message, /^Invalid set payload: /);
        assert.equal(source?.pointer, pointer);
      });
    }

    test('1001 operations; 1000 are done', async () => {
      const many = Array.from({ length: MAX_OPERATIONS + 1 }, (_, i) =>
        op('put', `m${i}`, { tags: { n: String(i % 7), all: 'yes' } }),
      );
      const refused = await calls.post({ operations: many });
      assert.deepEqual([refused.status, refused.code], [400, 1002]);
      assert.equal(refused.json.errors[0].source.pointer, '/operations');
      assert.deepEqual(await tagging.ids(['tag', 'all']), []);
      const rows = (await calls.auditRows()).length;
      const result = await calls.run(many.slice(1));
      assert.equal(result.succeeded, MAX_OPERATIONS);
      assert.deepEqual(
        result.results.map(({ resource_id: id }: Json) => id),
        many.slice(1).map(({ resource_id: id }) => id),
      );
      // In list order too.
      const ids = await tagging.ids(['tag', 'all'], ['limit', '1000']);
      assert.deepEqual(
        ids,
        many.slice(1).map(({ resource_id: id }) => id),
      );
      assert.equal((await calls.auditRows()).length, rows + MAX_OPERATIONS);
      await assertBooksAgree(server);
      const removed = await calls.run(ids.map((id) => op('delete', id)));
      assert.deepEqual([removed.succeeded, removed.unchanged], [MAX_OPERATIONS, 0]);
    });
  });

  test('a dry run tells the same and leaves nothing behind', async () => {
    await tagging.put('worker', 'dry', { a: '1' });
    const operations = [
      op('patch', 'dry', { tags: { a: '2' } }),
      op('put', 'dry-new', { tags: { b: '1' } }),
      op('patch', 'dry-new', { tags: { b: '1' } }),
      op('delete', 'dry', { if_match: etag({ a: '2' }) }),
      op('delete', 'dry', { if_match: '*' }),
      op('put', 'dry', { tags: { 'a b': '' } }),
      { op: 'put', resource_type: 'ai_gateway', resource_id: 'none', tags: { a: '1' } },
    ];
    const tables = ['tagged_resources', 'tag_postings', 'tag_changes', 'tag_heads'] as const;
    const everything = async (): Promise<unknown[]> => {
      const { read } = server.app.database;
      const kept = tables.map((table) => read.selectFrom(table).selectAll().execute());
      return [...(await Promise.all(kept)), (await calls.auditRows()).length];
    };
    const before_ = await everything();
    const headers = { 'idempotency-key': 'dry-run' };
    const dry = await calls.post({ operations, dry_run: true }, { headers });
    assert.equal(dry.status, 200, dry.text);
    assert.deepEqual(await everything(), before_);
    const { result } = dry.json;
    assert.deepEqual([result.succeeded, result.failed, result.unchanged], [4, 3, 1]);
    const done = await calls.run(operations, { dry_run: false });
    assert.deepEqual(result, { ...done, dry_run: true });
  });

  test('what changes nothing leaves no row in the audit log, and none in the list of changes', async () => {
    await tagging.put('worker', 'same', { a: '1' });
    const rows = (await calls.auditRows()).length;
    const feed = await calls.changeCount();
    const result = await calls.run([
      op('put', 'same', { tags: { a: '1' } }),
      op('patch', 'same', { tags: { a: '1', b: null } }),
      op('patch', 'never', { tags: {} }),
      op('delete', 'never'),
    ]);
    assert.deepEqual([result.succeeded, result.unchanged], [4, 4]);
    assert.equal((await calls.auditRows()).length, rows);
    assert.equal(await calls.changeCount(), feed);
  });

  test('a new name alone is a change too, for the audit log', async () => {
    await tagging.put('worker', 'named', { a: '1' }, { name: 'old', zone_id: 'z' });
    const rows = (await calls.auditRows()).length;
    const result = await calls.run([
      op('patch', 'named', { tags: {}, name: 'new' }),
      op('patch', 'named', { tags: { a: '1' }, name: 'new', zone_id: 'z' }),
      op('put', 'named', { tags: { a: '1' }, name: 'new' }),
    ]);
    assert.deepEqual(
      result.results.map(({ changed }: Json): unknown => changed),
      [true, false, true],
    );
    const { name, zone_id: zoneId } = (await tagging.get('worker', 'named')).json.result;
    assert.deepEqual([name, zoneId], ['new', undefined]);
    assert.equal((await calls.auditRows()).length, rows + 2);
  });

  test('all or nothing reaches the disk', async () => {
    const rows = (await calls.auditRows()).length;
    const accept = await refuseWrites(server.app.database, 'insert', 'audit_logs');
    try {
      const operations = [op('put', 'half', { tags: { a: '1' } }), op('delete', 'same')];
      assert.equal((await calls.post({ operations })).status, 500);
    } finally {
      await accept();
    }
    assert.equal(await tagsOf('worker', 'half'), 1004);
    assert.deepEqual(await tagsOf('worker', 'same'), { a: '1' });
    assert.equal((await calls.auditRows()).length, rows);
    await assertBooksAgree(server);
  });

  describe('with an idempotency key', () => {
    test('the same request again: the same answer, and nothing is done', async () => {
      const headers = { 'idempotency-key': 'bulk-1' };
      const operations = [
        op('patch', 'keyed', { tags: { a: '1', b: '2' } }),
        op('put', 'keyed', { tags: { 'a b': '' } }),
        7,
      ];
      const first = await calls.post({ operations }, { headers });
      assert.deepEqual([first.status, first.json.result.succeeded], [200, 1], first.text);
      await tagging.put('worker', 'keyed', { other: 'yes' });
      // In another order of the fields it is the same.
      const turned = op('patch', 'keyed', { tags: { b: '2', a: '1' } });
      const again = await calls.post(
        {
          operations: [
            Object.fromEntries(Object.entries(turned).toReversed()),
            ...operations.slice(1),
          ],
        },
        { headers },
      );
      assert.equal(again.text, first.text);
      assert.equal(again.headers.get('idempotency-replayed'), 'true');
      assert.deepEqual(await tagsOf('worker', 'keyed'), { other: 'yes' });
    });

    test('another body, or one that was only a dry run before: 422, 6014, and done', async () => {
      const headers = { 'idempotency-key': 'bulk-2' };
      const operations = [op('patch', 'keyed-2', { tags: { a: '1' } })];
      assert.equal((await calls.post({ operations, dry_run: true }, { headers })).status, 200);
      assert.equal((await calls.post({ operations }, { headers })).status, 200);
      assert.deepEqual(await tagsOf('worker', 'keyed-2'), { a: '1' });
      for (const others of [
        [op('patch', 'keyed-2', { tags: { a: '2' } })],
        [op('patch', 'keyed-2', { tags: { b: '1' } })],
        [op('patch', 'keyed-3', { tags: { a: '1' } })],
        [...operations, ...operations],
      ]) {
        const refused = await calls.post({ operations: others }, { headers });
        assert.deepEqual([refused.status, refused.code], [422, 6014]);
      }
      assert.deepEqual(await tagsOf('worker', 'keyed-2'), { a: '1' });
    });
  });

  test('403: a token without tags.write', async () => {
    const { value: token } = await server.createToken(['tags.read']);
    const answer = await calls.post({ operations: [op('delete', 'same')] }, { token });
    assert.deepEqual([answer.status, answer.code], [403, 10_000]);
    assert.match(answer.json.errors[0].message, /\(tags\.write\)/);
  });

  test('10000: a gateway for which tags.write is denied, and that one alone', async () => {
    const deny = { ...allowPolicy(server.accountId, ['tags.write'], 'secret'), effect: 'deny' };
    const { json } = await server.call('POST', `${server.account}/tokens`, {
      body: { name: 'not secret', policies: [allowPolicy(server.accountId, ['tags.write']), deny] },
    });
    const gateway = { resource_type: 'ai_gateway', resource_id: 'secret' };
    const operations = [
      { op: 'put', ...gateway, tags: { a: '1' } },
      { op: 'patch', ...gateway, tags: { a: '1' } },
      { op: 'delete', ...gateway },
      { op: 'put', ...gateway, resource_type: 'worker', tags: { a: '1' } },
      // Of whom may do it nothing is told but that there is none.
      { op: 'put', ...gateway, resource_id: 'open', tags: { a: '1' } },
      { op: 'put', ...gateway, tags: { 'a b': '1' } },
    ];
    const token = json.result.value;
    assert.deepEqual(
      await calls.codes(operations, { token }),
      [10_000, 10_000, 10_000, 200, 1004, 1014],
    );
    const [first] = (await calls.post({ operations }, { token })).json.result.results;
    assert.match(first.errors[0].message, /^Forbidden: .*\(tags\.write\)/);
  });

  test('concurrent requests lose nothing', async () => {
    const before_ = (await calls.auditRows()).length;
    await Promise.all(
      Array.from({ length: 8 }, (_, writer) =>
        calls.run(
          Array.from({ length: 20 }, (_unused, i) =>
            op('patch', `shared-${(i + writer) % 20}`, { tags: { [`by-${writer}`]: String(i) } }),
          ),
        ),
      ),
    );
    for (const { tags } of await tagging.all<{ tags: Tags }>('resources?name=shared-')) {
      assert.equal(Object.keys(tags).length, 8);
    }
    assert.equal((await calls.auditRows()).length, before_ + 160);
    await assertBooksAgree(server);
  });
});
