import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { createId } from '../../src/lib/ids.ts';
import { onEachDatabase } from '../support/databases.ts';
import { type CallOptions, type TestServer, bootServer } from '../support/server.ts';
import { type Tagging, assertBooksAgree, createTagging } from './tagging.ts';

onEachDatabase((database) => {
  let server: TestServer;
  let tagging: Tagging;
  before(async () => {
    server = await bootServer(database);
    tagging = createTagging(server);
  });
  after(() => server.stop());
  beforeEach(async () => {
    await tagging.put('worker', 'a', { team: 'core', env: 'prod' });
    await tagging.put('worker', 'b', { team: 'core' });
    await tagging.put('zone', 'a', { team: 'core' });
    await tagging.put('worker_version', 'v', { team: 'core' }, { worker_id: 'w' });
  });

  const remove = (parameters: string, options: CallOptions = {}) =>
    server.call('DELETE', `${server.account}/tags${parameters}`, options);
  const body = { resource_type: 'worker', resource_id: 'a' };
  const query = '?resource_type=worker&resource_id=a';

  async function keeps(count: number): Promise<void> {
    assert.equal((await tagging.ids()).length, count);
    await assertBooksAgree(server);
  }

  const ways: [string, string, CallOptions][] = [
    ['the body', '', { body }],
    ['the query', query, {}],
    ['both', query, { body }],
    ['the body and half of the query', '?resource_type=worker', { body }],
  ];
  for (const [name, parameters, options] of ways) {
    test(`204: ${name} names the resource`, async () => {
      const answer = await remove(parameters, options);
      assert.deepEqual([answer.status, answer.text], [204, '']);
      assert.equal((await tagging.get('worker', 'a')).code, 1004);
      await keeps(3);
      assert.deepEqual(await tagging.all('values/env'), []);
    });
  }

  test('204: also when there was nothing', async () => {
    const nothing = { resource_type: 'queue', resource_id: 'none' };
    assert.equal((await remove('', { body: nothing })).status, 204);
    assert.equal((await remove('?resource_type=api_token&resource_id=none')).status, 204);
    assert.equal((await remove(query)).status, 204);
    assert.equal((await remove(query)).status, 204);
    await keeps(3);
  });

  test('204: a worker version by its worker', async () => {
    const version = { resource_type: 'worker_version', resource_id: 'v', worker_id: 'w' };
    assert.equal((await remove('', { body: version })).status, 204);
    await keeps(3);
  });

  const payloads: [string, string, CallOptions][] = [
    ['nothing is named', '', {}],
    ['an empty body', '', { body: '' }],
    ['half in the query', '?resource_type=worker', {}],
    ['the other half', '?resource_id=a', {}],
    ['an empty id', '?resource_type=worker&resource_id=', {}],
    ['an empty type', '?resource_type=&resource_id=a', {}],
    ['not JSON', query, { body: '{' }],
    ['null', query, { body: 'null' }],
    ['an empty object', query, { body: {} }],
    ['a list of resources', '', { body: [body, { ...body, resource_id: 'b' }] }],
    ['half in the body', query, { body: { resource_type: 'worker' } }],
    ['halves in both', '?resource_id=a', { body: { resource_type: 'worker' } }],
    ['an id of the wrong type', '', { body: { ...body, resource_id: ['a', 'b'] } }],
    ['an empty id in the body', '', { body: { ...body, resource_id: '' } }],
    ['a field that would narrow', '', { body: { ...body, tags: { env: 'prod' } } }],
    ['ids that disagree', '?resource_type=worker&resource_id=b', { body }],
    ['types that disagree', '?resource_type=zone', { body }],
    ['an id in the body and none in the query', '?resource_id=', { body }],
    ['NUL', '', { body: { ...body, resource_id: 'a\0' } }],
    ['a lone surrogate', '', { body: { ...body, resource_id: '\ud800' } }],
    ['another worker', '?resource_type=worker_version&resource_id=v&worker_id=x', {}],
    ['a fault and an unknown type', '?resource_type=nope', {}],
  ];
  for (const [name, parameters, options] of payloads) {
    test(`1015: ${name}`, async () => {
      const answer = await remove(parameters, options);
      assert.deepEqual(
        [answer.status, answer.json.errors],
        [400, [{ code: 1015, message: 'Invalid delete payload' }]],
        answer.text,
      );
      await keeps(4);
    });
  }

  test('1015: two resources in the query', async () => {
    for (const twice of [
      '?resource_type=worker&resource_id=a&resource_id=b',
      '?resource_type=worker&resource_type=zone&resource_id=a',
      '?resource_type=worker_version&resource_id=v&worker_id=x&worker_id=y',
    ]) {
      const answer = await remove(twice);
      assert.deepEqual([answer.status, answer.code], [400, 1015], twice);
      await keeps(4);
    }
  });

  test('1006: unknown type', async () => {
    const answer = await remove('?resource_type=nope&resource_id=a');
    assert.deepEqual(
      [answer.status, answer.json.errors],
      [400, [{ code: 1006, message: 'Invalid resource type' }]],
    );
  });

  test('412, 1016: If-Match', async () => {
    const { etag } = (await tagging.get('worker', 'a')).json.result;
    const stale = await remove(query, { headers: { 'if-match': '"v1:stale"' } });
    assert.deepEqual(
      [stale.status, stale.json.errors],
      [412, [{ code: 1016, message: 'Precondition Failed' }]],
    );
    for (const unclosed of [`"${etag}`, `${etag}"`, `"${etag}", "x`]) {
      assert.equal((await remove(query, { headers: { 'if-match': unclosed } })).status, 412);
    }
    await keeps(4);
    assert.equal((await remove(query, { headers: { 'if-match': `"${etag}"` } })).status, 204);
    assert.equal((await remove(query, { headers: { 'if-match': etag } })).status, 412);
    assert.equal((await remove(query, { headers: { 'if-match': '*' } })).status, 412);
    await keeps(3);
  });

  test('401, 403: who may not write', async () => {
    assert.equal((await remove(query, { token: null })).status, 401);
    const reader = await server.createToken(['tags.read']);
    const refused = await remove(query, { token: reader.value });
    assert.equal(refused.status, 403);
    assert.match(refused.json.errors[0].message, /tags\.write/);
    const elsewhere = await server.call('DELETE', `/accounts/${createId()}/tags${query}`);
    assert.equal(elsewhere.status, 403);
    await keeps(4);
  });

  test('415: a body that is not JSON', async () => {
    const headers = { 'content-type': 'text/plain' };
    assert.equal((await remove(query, { body: 'x', headers })).status, 415);
    await keeps(4);
  });
});
