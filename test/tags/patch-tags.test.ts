import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createId } from '../../src/lib/ids.ts';
import { onEachDatabase } from '../support/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { type CallOptions, type Json, type TestServer, bootServer } from '../support/server.ts';
import { type Tagging, type Tags, assertBooksAgree, createTagging } from './tagging.ts';

const FOUR_BYTES = '𝒜'; // U+1D49C, a letter outside of the basic plane
const EMPTY_ETAG = 'v1:RBNvo1WzZ4oRRq0W9-hkng';
const BODY_LIMIT_BYTES = 16_384;

onEachDatabase((database) => {
  const clock = new ManualClock();
  let server: TestServer;
  let tagging: Tagging;
  let path: string;
  before(async () => {
    const settings = { BODY_LIMIT_BYTES: String(BODY_LIMIT_BYTES) };
    server = await bootServer(database, { clock, settings });
    tagging = createTagging(server);
    path = `${server.account}/tags`;
  });
  after(async () => {
    await assertBooksAgree(server);
    await server.stop();
  });

  const patch = (body: unknown, options: CallOptions = {}) =>
    server.call('PATCH', path, { body, ...options });

  const resource = (fields: Record<string, unknown> = {}) => ({
    resource_type: 'worker',
    resource_id: 'p-1',
    tags: { team: 'core' },
    ...fields,
  });

  async function merges(id: string, tags: Record<string, unknown>, more = {}): Promise<Json> {
    const answer = await patch(resource({ resource_id: id, tags, ...more }));
    assert.equal(answer.status, 200, answer.text);
    return answer.json.result;
  }

  async function refuses(body: unknown, status: number, code: number, message: string) {
    const answer = await patch(body);
    assert.deepEqual(
      [answer.status, answer.json.errors],
      [status, [{ code, message }]],
      answer.text,
    );
  }

  test('200: sets, changes, removes and keeps tags', async () => {
    const before = { keep: 'as it is', change: 'old', remove: 'x' };
    await tagging.put('zone', 'patch-200', before, { name: 'first', zone_id: 'z' });
    clock.advance(1_000);
    const body = {
      resource_type: 'zone',
      resource_id: 'patch-200',
      tags: { change: 'new', remove: null, none: null, environment: 'production' },
    };
    const answer = await patch(body);
    assert.equal(answer.status, 200, answer.text);
    const { etag } = answer.json.result;
    assert.deepEqual(answer.json, {
      success: true,
      errors: [],
      messages: [],
      result: {
        id: 'patch-200',
        type: 'zone',
        name: 'first',
        etag,
        tags: { keep: 'as it is', change: 'new', environment: 'production' },
        zone_id: 'z',
        tags_updated_at: new Date(clock.now()).toISOString(),
      },
    });
    assert.equal(answer.headers.get('etag'), `"${etag}"`);
    assert.deepEqual((await tagging.get('zone', 'patch-200')).json.result, answer.json.result);
    assert.deepEqual(await tagging.ids(['tag', 'change=new']), ['patch-200']);
    assert.deepEqual(await tagging.ids(['tag', 'remove']), []);
    const put = await tagging.put('zone', 'patch-200', answer.json.result.tags);
    assert.equal(put.json.result.etag, etag, 'the ETag of a set does not tell how it was made');
    await assertBooksAgree(server);
  });

  test('200: tags a resource that has none', async () => {
    const fields = { name: 'given', zone_id: 'z', access_application_id: 'a', worker_id: 'w' };
    const tags = { team: 'engineering', environment: 'production' };
    const result = await merges('patch-new', { ...tags, none: null }, fields);
    const { name, zone_id, access_application_id, worker_id } = result;
    assert.deepEqual({ name, zone_id, access_application_id, worker_id }, fields);
    assert.deepEqual([result.tags, result.etag], [tags, 'v1:4A2EQwB9GS6VEwLXh5kY3Q']);
    assert.equal((await merges('patch-named', { a: '1' })).name, 'patch-named');
  });

  test('200: keeps the fields that are absent, and takes those that are given', async () => {
    const fields = { name: 'first', zone_id: 'z1', access_application_id: 'a1' };
    await tagging.put('worker_version', 'patch-fields', { a: '1' }, { ...fields, worker_id: 'w1' });
    const type = { resource_type: 'worker_version' };
    const kept = await merges('patch-fields', { b: '2' }, type);
    const { name, zone_id, access_application_id, worker_id } = kept;
    assert.deepEqual(
      { name, zone_id, access_application_id, worker_id },
      { ...fields, worker_id: 'w1' },
    );
    const more = { name: 'second', worker_id: 'w2' };
    const changed = await merges('patch-fields', {}, { ...type, ...more });
    assert.deepEqual([changed.name, changed.worker_id, changed.zone_id], ['second', 'w2', 'z1']);
    assert.deepEqual(changed.tags, { a: '1', b: '2' });
    assert.equal((await merges('patch-fields', { a: null }, type)).name, 'second');
  });

  test('200: an emptied set counts as never tagged', async () => {
    await tagging.put('worker', 'patch-empty', { a: '1' }, { name: 'forgotten' });
    for (const tags of [{ a: null }, { a: null }, {}]) {
      const result = await merges('patch-empty', tags);
      assert.deepEqual([result.tags, result.etag], [{}, EMPTY_ETAG]);
      assert.equal((await tagging.get('worker', 'patch-empty')).code, 1004);
      assert.deepEqual(await tagging.ids(['id', 'patch-empty']), []);
      await assertBooksAgree(server);
    }
    assert.equal((await merges('patch-empty', { b: '2' })).name, 'patch-empty');
  });

  test('200: the time does not go back', async () => {
    const first = await merges('patch-time', { a: '1' });
    clock.advance(-500);
    const second = await merges('patch-time', { a: '2' });
    clock.advance(500);
    assert.equal(second.tags_updated_at, first.tags_updated_at);
  });

  test('200: keys that objects have anyway are ordinary keys', async () => {
    const send = (tags: string) =>
      patch(`{"resource_type":"worker","resource_id":"patch-proto","tags":${tags}}`);
    await send('{"__proto__":"own","constructor":"c","toString":"t"}');
    const answer = await send('{"constructor":null,"hasOwnProperty":"h","valueOf":null}');
    const tags: [string, unknown][] = Object.entries(answer.json.result.tags);
    const expected = { toString: 't', hasOwnProperty: 'h', ['__proto__']: 'own' };
    assert.deepEqual(new Map(tags), new Map(Object.entries(expected)));
    assert.deepEqual(await tagging.ids(['tag', '__proto__=own']), ['patch-proto']);
    const without = await send('{"__proto__":null}');
    assert.ok(!Object.hasOwn(without.json.result.tags, '__proto__'), without.text);
    assert.deepEqual(await tagging.all('values/__proto__'), []);
  });

  test('200: keys and values up to their limits, counted in characters', async () => {
    for (const letter of ['k', FOUR_BYTES]) {
      const key = letter.repeat(256);
      const tags = { [key]: letter.repeat(1_024), [letter.repeat(255)]: letter.repeat(1_023) };
      assert.deepEqual((await merges(`patch-limit-${letter}`, tags)).tags, tags);
      const left = { [letter.repeat(255)]: letter.repeat(1_023) };
      assert.deepEqual((await merges(`patch-limit-${letter}`, { [key]: null })).tags, left);
    }
  });

  test('200: one of our own resources keeps the name of its record', async () => {
    const { id } = await server.createToken(['tags.read']);
    const fields = { resource_type: 'api_token', name: 'given' };
    assert.equal((await merges(id, { a: '1' }, fields)).name, 'test');
    assert.deepEqual((await merges(id, { b: '2' }, fields)).tags, { a: '1', b: '2' });
  });

  test('200: of many at once none is lost', async () => {
    const keys = Array.from({ length: 20 }, (_, index) => `key-${index}`);
    await Promise.all(keys.map((key) => merges('patch-many', { [key]: 'x' })));
    await Promise.all(keys.slice(5).map((key) => merges('patch-many', { [key]: null })));
    const { tags } = (await tagging.get('worker', 'patch-many')).json.result;
    assert.deepEqual(Object.keys(tags).sort(), keys.slice(0, 5).sort());
    await assertBooksAgree(server);
  });

  test('the audit log tells what was asked for', async () => {
    const id = 'patch-audited';
    await merges(id, { a: '1', b: null });
    await patch(resource({ resource_id: id }), { headers: { 'if-match': '"v1:stale"' } });
    await merges(id, Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`key-${i}`, 'x'])));
    const range = { since: '2025-01-01', before: '2027-01-01', direction: 'asc' };
    const search = new URLSearchParams({ ...range, resource_id: id }).toString();
    const { json } = await server.call('GET', `${server.account}/logs/audit?${search}`);
    const named = { resource_type: 'worker', resource_id: id };
    const rows = json.result.filter((row: Json) => row.action.result === 'success');
    assert.deepEqual(
      rows.map(({ action, resource: { request, ...rest } }: Json) => [action.type, request, rest]),
      [
        { ...named, tags: { a: '1', b: null } },
        { ...named, tags: { omitted_tags: 101 } },
      ].map((request) => [
        'update',
        request,
        { id, type: 'worker', product: 'tags', scope: 'accounts' },
      ]),
    );
  });

  describe('1002 Invalid set payload', () => {
    const bodies: [string, unknown][] = [
      ['no body', undefined],
      ['not JSON', '{'],
      ['null', 'null'],
      ['an array', []],
      ['no type', { resource_id: 'x', tags: {} }],
      ['no id', { resource_type: 'worker', tags: {} }],
      ['no tags', { resource_type: 'worker', resource_id: 'x' }],
      ['tags of null', resource({ tags: null })],
      ['tags as an array', resource({ tags: [] })],
      ['value of a number', resource({ tags: { a: 1 } })],
      ['value of false', resource({ tags: { a: false } })],
      ['value of an object', resource({ tags: { a: {} } })],
      [
        'value under __proto__',
        '{"resource_type":"worker","resource_id":"x","tags":{"__proto__":1}}',
      ],
      ['id too long', resource({ resource_id: FOUR_BYTES.repeat(513) })],
      ['name of null', resource({ name: null })],
      ['worker_id of null', resource({ worker_id: null })],
      ['unknown field', resource({ tag: 'x' })],
      ['NUL in a value', resource({ tags: { a: 'x\0y' } })],
      ['lone surrogate in a value', resource({ tags: { a: 'x\ud800y' } })],
      ['worker version without its worker', resource({ resource_type: 'worker_version' })],
    ];
    for (const [name, body] of bodies) {
      test(name, () => refuses(body, 400, 1002, 'Invalid set payload'));
    }

    test('a worker version that lost its tags needs its worker again', async () => {
      const version = { resource_type: 'worker_version', resource_id: 'patch-version' };
      const put = { ...version, worker_id: 'w', tags: { a: '1' } };
      assert.equal((await server.call('PUT', path, { body: put })).status, 200);
      assert.equal((await patch({ ...version, tags: { a: null } })).json.result.worker_id, 'w');
      const again = { ...version, tags: { a: '2' } };
      await refuses(again, 400, 1002, 'Invalid set payload');
      assert.equal((await patch({ ...again, worker_id: 'x' })).json.result.worker_id, 'x');
    });
  });

  test('1004: one of our own resources that does not exist', async () => {
    const id = createId();
    const message = `resource not found: type=api_token id=${id}`;
    const body = resource({ resource_type: 'api_token', resource_id: id });
    await refuses(body, 500, 1004, message);
    assert.equal((await patch(body)).headers.get('x-should-retry'), 'false');
    await refuses({ ...body, tags: {} }, 500, 1004, message);
  });

  test('1006 Invalid resource type', async () => {
    for (const type of ['workers', ' worker', '__proto__']) {
      await refuses(resource({ resource_type: type }), 400, 1006, 'Invalid resource type');
    }
  });

  test('1011, 1012, 1014: keys and values, also of tags that are to go', async () => {
    const tooLong = 'tag key too long (maximum 256 characters)';
    const valueTooLong = 'tag value too long (maximum 1024 characters)';
    for (const letter of ['k', FOUR_BYTES]) {
      const key = letter.repeat(257);
      for (const value of ['', null]) {
        await refuses(resource({ tags: { [key]: value } }), 400, 1011, tooLong);
      }
      const value = letter.repeat(1_025);
      await refuses(resource({ tags: { k: value } }), 400, 1012, valueTooLong);
    }
    for (const key of ['', 'a b', 'a=b', '!a', 'a\nb']) {
      await refuses(resource({ tags: { [key]: null } }), 400, 1014, 'Invalid tag key');
    }
  });

  describe('If-Match', () => {
    const patchIf = (ifMatch: string, id: string, tags: unknown = { changed: 'yes' }) =>
      patch(resource({ resource_id: id, tags }), { headers: { 'if-match': ifMatch } });

    test('200: the ETag of the set that is merged into', async () => {
      const { etag } = (await tagging.put('worker', 'patch-if', { a: '1' })).json.result;
      const first = await patchIf(`"${etag}"`, 'patch-if');
      assert.deepEqual(first.json.result.tags, { a: '1', changed: 'yes' });
      assert.equal((await patchIf(first.json.result.etag, 'patch-if')).status, 200);
      assert.equal((await patchIf('*', 'patch-if')).status, 200);
    });

    test('412, 1016: another one', async () => {
      const { result } = (await tagging.put('worker', 'patch-if', { a: '1' })).json;
      for (const header of ['"v1:other"', `W/"${result.etag}"`, EMPTY_ETAG]) {
        const answer = await patchIf(header, 'patch-if');
        assert.deepEqual(
          [answer.status, answer.json.errors],
          [412, [{ code: 1016, message: 'Precondition Failed' }]],
        );
      }
      assert.deepEqual((await tagging.get('worker', 'patch-if')).json.result, result);
    });

    test('a resource without tags has the ETag of the empty set, and nothing for *', async () => {
      assert.equal((await patchIf('*', 'patch-if-new')).status, 412);
      assert.equal((await patchIf(EMPTY_ETAG, 'patch-if-new')).status, 200);
      assert.equal((await patchIf(EMPTY_ETAG, 'patch-if-new')).status, 412);
    });
  });

  describe('1018: no set becomes larger than the body of a PUT', () => {
    const message = `tag set too large (maximum is a body of ${BODY_LIMIT_BYTES} bytes)`;

    const putOf = (id: string, tags: Tags) => JSON.stringify(resource({ resource_id: id, tags }));

    for (const letter of ['v', FOUR_BYTES]) {
      test(`in bytes, of ${letter}`, async () => {
        const id = `patch-full-${letter}`;
        const value = letter.repeat(1_012 / Buffer.byteLength(letter));
        const most = Object.fromEntries(Array.from({ length: 15 }, (_, i) => [`k-${i}`, value]));
        const left = BODY_LIMIT_BYTES - Buffer.byteLength(putOf(id, { ...most, last: '' }));
        const last = 'x'.repeat(left);
        const full = { ...most, last };
        assert.equal((await server.call('PUT', path, { body: putOf(id, full) })).status, 200);
        const larger = putOf(id, { ...full, last: `${last}x` });
        assert.equal((await server.call('PUT', path, { body: larger })).status, 413);
        const shorter = last.slice(1);
        assert.deepEqual((await merges(id, { last: shorter })).tags, { ...most, last: shorter });
        assert.deepEqual((await merges(id, { last })).tags, full);
        for (const tags of [{ last: `${last}x` }, { more: '' }]) {
          await refuses(resource({ resource_id: id, tags }), 400, 1018, message);
        }
        assert.deepEqual((await tagging.get('worker', id)).json.result.tags, full);
        await merges(id, { last: null, lasu: last });
        await merges(id, { lasu: null });
      });
    }
  });

  test('of several faults the first in the order of checks is told', async () => {
    const long = 'v'.repeat(1_025);
    const longKey = '!'.repeat(257);
    const stale = { headers: { 'if-match': '"v1:stale"' } };
    const version = { resource_type: 'worker_version', resource_id: 'patch-none' };
    const cases: [Record<string, unknown>, number][] = [
      [{ resource_type: 'nope', tags: { '': 1 } }, 1002],
      [{ resource_type: 'nope', tags: { [longKey]: long } }, 1006],
      [{ ...version, tags: { [longKey]: long } }, 1011],
      [{ tags: { '!': long } }, 1014],
      [{ tags: { ok: long, [longKey]: null } }, 1012],
      [version, 1002],
      [{ resource_type: 'api_token', resource_id: 'patch-none' }, 1004],
    ];
    for (const [fields, code] of cases) {
      const answer = await patch(resource(fields), stale);
      assert.equal(answer.code, code, answer.text);
      assert.equal(answer.json.errors.length, 1);
    }
    // A caller who does not know the set is told that rather than how large it would become.
    const tags = Object.fromEntries(
      Array.from({ length: 15 }, (_, i) => [`k-${i}`, 'v'.repeat(1_000)]),
    );
    await merges('patch-stale', tags);
    const more = resource({
      resource_id: 'patch-stale',
      tags: { a: long.slice(1), b: long.slice(1) },
    });
    assert.equal((await patch(more, stale)).code, 1016);
    assert.equal((await patch(more)).code, 1018);
  });

  test('401, 403: who may not write', async () => {
    assert.equal((await patch(resource(), { token: null })).status, 401);
    const reader = await server.createToken(['tags.read', 'api-tokens.write']);
    const refused = await patch(resource(), { token: reader.value });
    assert.deepEqual([refused.status, refused.code], [403, 10_000]);
    assert.match(refused.json.errors[0].message, /tags\.write/);
    const writer = await server.createToken(['tags.write']);
    assert.equal((await patch(resource(), { token: writer.value })).status, 200);
    const elsewhere = await server.call('PATCH', `/accounts/${createId()}/tags`, {
      body: resource(),
    });
    assert.deepEqual([elsewhere.status, elsewhere.code], [403, 10_000]);
  });

  test('413, 415: what is no body of ours', async () => {
    const large = resource({ tags: { k: 'v'.repeat(BODY_LIMIT_BYTES) } });
    assert.equal((await patch(large)).status, 413);
    const text = await patch('a=b', { headers: { 'content-type': 'text/plain' } });
    assert.equal(text.status, 415);
  });
});
