import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createId } from '../../src/lib/ids.ts';
import { onEachDatabase } from '../support/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { type CallOptions, type TestServer, bootServer } from '../support/server.ts';
import { type Tagging, assertBooksAgree, createTagging } from './tagging.ts';

const FOUR_BYTES = '𝒜'; // U+1D49C, a letter outside of the basic plane

onEachDatabase((database) => {
  const clock = new ManualClock();
  let server: TestServer;
  let tagging: Tagging;
  let path: string;
  before(async () => {
    server = await bootServer(database, { clock });
    tagging = createTagging(server);
    path = `${server.account}/tags`;
  });
  after(async () => {
    await assertBooksAgree(server);
    await server.stop();
  });

  const put = (body: unknown, options: CallOptions = {}) =>
    server.call('PUT', path, { body, ...options });

  async function refuses(body: unknown, status: number, code: number, message: string) {
    const answer = await put(body);
    assert.deepEqual(
      [answer.status, answer.json.errors],
      [status, [{ code, message }]],
      answer.text,
    );
  }

  const resource = (fields: Record<string, unknown> = {}) => ({
    resource_type: 'worker',
    resource_id: 'w-1',
    tags: { team: 'core' },
    ...fields,
  });

  test('200: answers the tagged resource, with its ETag', async () => {
    const tags = { team: 'engineering', environment: 'production' };
    const answer = await put(resource({ resource_id: 'put-200', tags }));
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(answer.json, {
      success: true,
      errors: [],
      messages: [],
      result: {
        id: 'put-200',
        type: 'worker',
        name: 'put-200',
        etag: 'v1:4A2EQwB9GS6VEwLXh5kY3Q',
        tags,
        tags_updated_at: '2026-01-01T00:00:00.000Z',
      },
    });
    assert.equal(answer.headers.get('etag'), '"v1:4A2EQwB9GS6VEwLXh5kY3Q"');
    const got = await tagging.get('worker', 'put-200');
    assert.deepEqual(got.json.result, answer.json.result);
  });

  test('200: replaces everything, and keeps the time from going back', async () => {
    await tagging.put('zone', 'put-replace', { a: '1', b: '2' }, { name: 'first', zone_id: 'z' });
    const later = clock.now() + 1_000;
    clock.advance(1_000);
    await tagging.put('zone', 'put-replace', { b: '3', c: '4' });
    clock.advance(-500);
    await tagging.put('zone', 'put-replace', { b: '3', c: '4' });
    clock.advance(500);
    const { result } = (await tagging.get('zone', 'put-replace')).json;
    assert.deepEqual(result.tags, { b: '3', c: '4' });
    assert.equal(result.name, 'put-replace');
    assert.equal(result.zone_id, undefined);
    assert.equal(result.tags_updated_at, new Date(later).toISOString());
    await assertBooksAgree(server);
  });

  test('200: keeps what public clients send along', async () => {
    const ids = { worker_id: 'w', zone_id: 'z', access_application_id: 'a' };
    const answer = await tagging.put('worker_version', 'put-ids', { a: '1' }, ids);
    const { worker_id, zone_id, access_application_id } = answer.json.result;
    assert.deepEqual({ worker_id, zone_id, access_application_id }, ids);
  });

  test('200: an emptied set counts as never tagged', async () => {
    await tagging.put('worker', 'put-empty', { a: '1' });
    const answer = await tagging.put('worker', 'put-empty', {});
    assert.deepEqual(answer.json.result.tags, {});
    assert.equal(answer.json.result.etag, 'v1:RBNvo1WzZ4oRRq0W9-hkng');
    assert.equal((await tagging.get('worker', 'put-empty')).code, 1004);
    assert.deepEqual(await tagging.ids(['id', 'put-empty']), []);
    await tagging.put('worker', 'put-never', {});
    await assertBooksAgree(server);
  });

  test('200: keys that objects have anyway are ordinary keys', async () => {
    const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'toJSON', '1', '0'];
    const json = `{${names.map((name) => `"${name}":"of ${name}"`).join(',')}}`;
    const body = `{"resource_type":"worker","resource_id":"put-proto","tags":${json}}`;
    const answer = await put(body);
    assert.equal(answer.status, 200, answer.text);
    for (const read of [answer, await tagging.get('worker', 'put-proto')]) {
      const tags: [string, unknown][] = Object.entries(read.json.result.tags);
      assert.deepEqual(new Map(tags), new Map(names.map((name) => [name, `of ${name}`])));
    }
    assert.deepEqual(await tagging.ids(['tag', '__proto__=of __proto__']), ['put-proto']);
    assert.deepEqual(await tagging.ids(['tag', 'constructor']), ['put-proto']);
    assert.deepEqual(await tagging.ids(['tag', 'valueOf']), []);
    assert.deepEqual(await tagging.all('values/__proto__'), ['of __proto__']);
  });

  test('200: keys and values up to their limits, counted in characters', async () => {
    for (const letter of ['k', 'ß', FOUR_BYTES]) {
      const key = letter.repeat(256);
      const value = letter.repeat(1_024);
      const id = `limit-${letter}`;
      await tagging.put('worker', id, { [key]: value, [letter.repeat(255)]: letter.repeat(1_023) });
      assert.equal((await tagging.get('worker', id)).json.result.tags[key], value);
      assert.deepEqual(await tagging.ids(['tag', `${key}=${value}`]), [id]);
      assert.deepEqual(await tagging.all(`values?key=${encodeURIComponent(key)}`), [value]);
    }
  });

  test('200: values may hold anything that is text', async () => {
    const value = ' \t\n\u0001"\\,=&%00😀\u{10ffff}\ufffe';
    await tagging.put('worker', 'put-text', { 'Ключ_1.2-x': value, empty: '' });
    const { tags } = (await tagging.get('worker', 'put-text')).json.result;
    assert.deepEqual(tags, { 'Ключ_1.2-x': value, empty: '' });
    assert.deepEqual(await tagging.all(`values/${encodeURIComponent('Ключ_1.2-x')}`), [value]);
  });

  describe('1002 Invalid set payload', () => {
    const bodies: [string, unknown][] = [
      ['no body', undefined],
      ['empty body', ''],
      ['not JSON', '{'],
      ['null', 'null'],
      ['an array', []],
      ['a text', '"x"'],
      ['no type', { resource_id: 'x', tags: {} }],
      ['no id', { resource_type: 'worker', tags: {} }],
      ['no tags', { resource_type: 'worker', resource_id: 'x' }],
      ['type of the wrong type', resource({ resource_type: 1 })],
      ['id of the wrong type', resource({ resource_id: 1 })],
      ['id of null', resource({ resource_id: null })],
      ['empty type', resource({ resource_type: '' })],
      ['empty id', resource({ resource_id: '' })],
      ['id too long', resource({ resource_id: FOUR_BYTES.repeat(513) })],
      ['tags of null', resource({ tags: null })],
      ['tags as an array', resource({ tags: [] })],
      ['tags as a text', resource({ tags: 'a=b' })],
      ['value of a number', resource({ tags: { a: 1 } })],
      ['value of null', resource({ tags: { a: null } })],
      ['value under a key with a line break', resource({ tags: { 'a\nb': 1 } })],
      [
        'value under __proto__',
        '{"resource_type":"worker","resource_id":"x","tags":{"__proto__":1}}',
      ],
      ['name of a number', resource({ name: 1 })],
      ['empty name', resource({ name: '' })],
      ['name too long', resource({ name: 'n'.repeat(1_025) })],
      ['zone_id of a number', resource({ zone_id: 1 })],
      ['unknown field', resource({ tag: 'x' })],
      ['field __proto__', '{"__proto__":{},"resource_type":"worker","resource_id":"x","tags":{}}'],
      ['worker version without its worker', resource({ resource_type: 'worker_version' })],
      ['NUL in a value', resource({ tags: { a: 'x\0y' } })],
      ['NUL in the id', resource({ resource_id: 'x\0y' })],
      ['lone surrogate in a value', resource({ tags: { a: 'x\ud800y' } })],
      ['lone surrogate in the id', resource({ resource_id: '\udc00' })],
      ['lone surrogate in the name', resource({ name: '\ud800' })],
    ];
    for (const [name, body] of bodies) {
      test(name, () => refuses(body, 400, 1002, 'Invalid set payload'));
    }

    test('the longest id and name are taken', async () => {
      const id = FOUR_BYTES.repeat(512);
      await tagging.put('worker', id, { a: '1' }, { name: FOUR_BYTES.repeat(1_024) });
      assert.equal((await tagging.get('worker', id)).json.result.id, id);
    });
  });

  test('1006 Invalid resource type', async () => {
    for (const type of ['workers', 'Worker', ' worker', '__proto__', 'constructor']) {
      await refuses(resource({ resource_type: type }), 400, 1006, 'Invalid resource type');
    }
  });

  test('1011 tag key too long', async () => {
    const message = 'tag key too long (maximum 256 characters)';
    for (const letter of ['k', FOUR_BYTES, '!']) {
      await refuses(resource({ tags: { [letter.repeat(257)]: '' } }), 400, 1011, message);
    }
  });

  test('1012 tag value too long', async () => {
    const message = 'tag value too long (maximum 1024 characters)';
    for (const letter of ['v', FOUR_BYTES]) {
      await refuses(resource({ tags: { k: letter.repeat(1_025) } }), 400, 1012, message);
    }
  });

  test('1014 Invalid tag key', async () => {
    for (const key of ['', ' ', 'a b', 'a=b', 'a,b', '!a', 'a/b', 'a\nb', '😀', 'a:b', '½']) {
      await refuses(resource({ tags: { [key]: '' } }), 400, 1014, 'Invalid tag key');
    }
  });

  test('of several faults the first in the order of checks is told', async () => {
    const long = 'v'.repeat(1_025);
    const longKey = '!'.repeat(257);
    const cases: [Record<string, unknown>, number][] = [
      [{ resource_type: 'nope', tags: { '': 1 } }, 1002],
      [{ resource_type: 'nope', tags: { [longKey]: long } }, 1006],
      [{ tags: { [longKey]: long } }, 1011],
      [{ tags: { '!': long } }, 1014],
      [{ tags: { ok: long, [longKey]: '' } }, 1012],
      [{ tags: { '!': '', [longKey]: '' } }, 1014],
    ];
    for (const [fields, code] of cases) {
      const answer = await put(resource(fields));
      assert.deepEqual([answer.status, answer.code], [400, code], answer.text);
      assert.equal(answer.json.errors.length, 1);
    }
  });

  test('nothing is written when a set is refused', async () => {
    await tagging.put('worker', 'put-refused', { a: '1' });
    await put(resource({ resource_id: 'put-refused', tags: { b: '1', '!': '1' } }));
    assert.deepEqual((await tagging.get('worker', 'put-refused')).json.result.tags, { a: '1' });
  });

  describe('If-Match', () => {
    const tags = { environment: 'production', team: 'engineering' };
    const etag = 'v1:4A2EQwB9GS6VEwLXh5kY3Q';
    const empty = 'v1:RBNvo1WzZ4oRRq0W9-hkng';

    async function putIf(ifMatch: string, id = 'put-if-match') {
      const body = resource({ resource_id: id, tags: { changed: 'yes' } });
      const answer = await put(body, { headers: { 'if-match': ifMatch } });
      return answer;
    }

    for (const header of [etag, `"${etag}"`, `"other", "${etag}"`, `other,${etag}`, '*', ' * ']) {
      test(`200: ${header}`, async () => {
        await tagging.put('worker', 'put-if-match', tags);
        const answer = await putIf(header);
        assert.equal(answer.status, 200, answer.text);
        assert.deepEqual(answer.json.result.tags, { changed: 'yes' });
      });
    }

    for (const header of [
      'v1:other',
      `W/"${etag}"`,
      `"a,${etag}"`,
      `"${etag}x"`,
      empty,
      ',',
      '**',
    ]) {
      test(`412, 1016: ${header}`, async () => {
        const before = await tagging.put('worker', 'put-if-match', tags);
        const answer = await putIf(header);
        assert.deepEqual(
          [answer.status, answer.json.errors],
          [412, [{ code: 1016, message: 'Precondition Failed' }]],
        );
        const kept = await tagging.get('worker', 'put-if-match');
        assert.deepEqual(kept.json.result, before.json.result);
        await assertBooksAgree(server);
      });
    }

    test('412 has the current record, for PATCH and DELETE too', async () => {
      const current = (await tagging.put('worker', 'put-if-match', tags)).json.result;
      const { resource_type, resource_id } = resource({ resource_id: 'put-if-match' });
      for (const [method, body] of [
        ['PUT', { resource_type, resource_id, tags: {} }],
        ['PATCH', { resource_type, resource_id, tags: { team: null } }],
        ['DELETE', { resource_type, resource_id }],
      ] as const) {
        const stale = { 'if-match': '"v1:stale"' };
        const answer = await server.call(method, path, { body, headers: stale });
        assert.deepEqual([answer.status, answer.json.result], [412, current], method);
        assert.equal(answer.headers.get('etag'), `"${etag}"`);
        const untagged = { ...body, resource_id: 'never-tagged' };
        const none = await server.call(method, path, { body: untagged, headers: stale });
        assert.deepEqual([none.status, none.json.result], [412, null], method);
        assert.equal(none.headers.get('etag'), null);
      }
    });

    test('a resource without tags has the ETag of the empty set, and nothing for *', async () => {
      for (const [header, status] of [
        ['*', 412],
        [etag, 412],
        [`"${empty}"`, 200],
      ] as const) {
        const answer = await putIf(header, 'put-if-match-new');
        assert.equal(answer.status, status, header);
        await assertBooksAgree(server);
      }
    });
  });

  test('401, 403: who may not write', async () => {
    assert.equal((await put(resource(), { token: null })).status, 401);
    const reader = await server.createToken(['tags.read', 'api-tokens.write']);
    const refused = await put(resource(), { token: reader.value });
    assert.deepEqual([refused.status, refused.code], [403, 10_000]);
    assert.match(refused.json.errors[0].message, /tags\.write/);
    const writer = await server.createToken(['tags.write']);
    assert.equal((await put(resource(), { token: writer.value })).status, 200);
    const elsewhere = await server.call('PUT', `/accounts/${createId()}/tags`, {
      body: resource(),
    });
    assert.deepEqual([elsewhere.status, elsewhere.code], [403, 10_000]);
  });

  test('413, 415: what is no body of ours', async () => {
    const large = resource({ tags: { k: 'v'.repeat(1024 * 1024) } });
    assert.equal((await put(large)).status, 413);
    const text = await put('a=b', { headers: { 'content-type': 'text/plain' } });
    assert.equal(text.status, 415);
  });
});
