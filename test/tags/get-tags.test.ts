import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createId } from '../../src/lib/ids.ts';
import { onEachDatabase } from '../support/databases.ts';
import { type TestServer, bootServer } from '../support/server.ts';
import { type Tagging, createTagging } from './tagging.ts';

onEachDatabase((database) => {
  let server: TestServer;
  let tagging: Tagging;
  before(async () => {
    server = await bootServer(database);
    tagging = createTagging(server);
    await tagging.put('worker', 'w', { a: '1' }, { name: 'The worker' });
    await tagging.put('worker_version', 'v', { a: '1' }, { worker_id: 'w' });
  });
  after(() => server.stop());

  const get = (parameters: string) => server.call('GET', `${server.account}/tags?${parameters}`);

  test('200: the tagged resource, with its ETag', async () => {
    const answer = await tagging.get('worker', 'w');
    assert.equal(answer.status, 200);
    const { tags_updated_at: updatedAt, ...result } = answer.json.result;
    assert.deepEqual(result, {
      id: 'w',
      type: 'worker',
      name: 'The worker',
      etag: answer.headers.get('etag')?.slice(1, -1),
      tags: { a: '1' },
    });
    assert.match(updatedAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  test('200: a worker version, with or without its worker', async () => {
    const version = 'resource_type=worker_version&resource_id=v';
    assert.equal((await get(version)).json.result.worker_id, 'w');
    assert.equal((await get(`${version}&worker_id=w`)).status, 200);
    assert.equal((await get(`${version}&worker_id=other`)).code, 1004);
    assert.equal((await get('resource_type=worker&resource_id=w&worker_id=any')).status, 200);
  });

  test('1003: without either parameter', async () => {
    for (const parameters of [
      '',
      'resource_type=worker',
      'resource_id=w',
      'resource_type=&resource_id=w',
      'resource_type=worker&resource_id=',
      'resource_type=nope',
    ]) {
      const answer = await get(parameters);
      assert.deepEqual(
        [answer.status, answer.json.errors],
        [400, [{ code: 1003, message: 'resource_type and resource_id are required' }]],
      );
    }
  });

  test('1006: unknown type', async () => {
    const answer = await get('resource_type=nope&resource_id=w');
    assert.deepEqual(
      [answer.status, answer.json.errors],
      [400, [{ code: 1006, message: 'Invalid resource type' }]],
    );
  });

  test('500, 1004: a resource without tags', async () => {
    const answer = await get('resource_type=zone&resource_id=no%20such%20<zone>');
    assert.equal(answer.status, 500);
    assert.deepEqual(answer.json.errors, [
      { code: 1004, message: 'resource not found: type=zone id=no such <zone>' },
    ]);
    assert.equal(answer.headers.get('x-should-retry'), 'false');
    const long = await get(`resource_type=zone&resource_id=${'x'.repeat(4_000)}`);
    assert.equal(long.code, 1004);
  });

  test('6010: a resource named twice', async () => {
    const answer = await get('resource_type=worker&resource_id=a&resource_id=b');
    assert.deepEqual([answer.status, answer.code], [400, 6010]);
  });

  test('401, 403: who may not read', async () => {
    const path = `${server.account}/tags?resource_type=worker&resource_id=w`;
    assert.equal((await server.call('GET', path, { token: null })).status, 401);
    const other = await server.createToken(['api-tokens.read']);
    for (const rest of [
      '?resource_type=worker',
      '/resources',
      '/keys',
      '/values/a',
      '/values',
      '/summary',
    ]) {
      const refused = await server.call('GET', `${server.account}/tags${rest}`, {
        token: other.value,
      });
      assert.deepEqual([refused.status, refused.code], [403, 10_000], rest);
      assert.match(refused.json.errors[0].message, /tags\.read/);
      const elsewhere = await server.call('GET', `/accounts/${createId()}/tags${rest}`);
      assert.equal(elsewhere.status, 403, rest);
    }
  });

  test('405: methods that tags do not have', async () => {
    const answer = await server.call('POST', `${server.account}/tags`, { body: {} });
    assert.equal(answer.status, 405);
  });
});

test('404, 1004 by a setting; types by a setting', async (t) => {
  const settings = { TAGS_NOT_FOUND_STATUS: '404', RESOURCE_TYPES: 'printer, mug' };
  const server = await bootServer('sqlite', { settings });
  t.after(() => server.stop());
  const tagging = createTagging(server);
  const answer = await tagging.get('printer', 'p');
  assert.deepEqual(
    [answer.status, answer.json.errors, answer.headers.get('x-should-retry')],
    [404, [{ code: 1004, message: 'resource not found: type=printer id=p' }], 'false'],
  );
  await tagging.put('mug', 'm', { a: '1' });
  assert.deepEqual(await tagging.ids(['type', 'mug']), ['m']);
  const unknown = await server.call('PUT', `${server.account}/tags`, {
    body: { resource_type: 'api_token', resource_id: createId(), tags: {} },
  });
  assert.deepEqual([unknown.status, unknown.code], [404, 1004]);
});
