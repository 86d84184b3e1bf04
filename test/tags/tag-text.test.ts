import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { createId } from '../../src/lib/ids.ts';
import { onEachDatabase } from '../support/databases.ts';
import { type Answer, type Json, type TestServer, bootServer } from '../support/server.ts';
import { assertBooksAgree } from './tagging.ts';

onEachDatabase((database) => {
  let server: TestServer;
  before(async () => {
    server = await bootServer(database);
  });
  after(() => server.stop());

  const put = (id: string, tags: object, name?: string): Promise<Answer> =>
    server.call('PUT', `${server.account}/tags`, {
      body: { resource_type: 'zone', resource_id: id, tags, ...(name !== undefined && { name }) },
    });
  const find = async (query: string): Promise<string[]> => {
    const { json, text, status } = await server.call(
      'GET',
      `${server.account}/tags/resources?${query}`,
    );
    assert.equal(status, 200, text);
    return json.result.map(({ id }: Json) => id);
  };

  test('keys have letters with marks, and digits, of every script', async () => {
    for (const key of [
      'दिल्ली',
      'ไทยน้ำ',
      'বাংলা',
      'தமிழ்',
      'עברית',
      'العربية',
      '日本語',
      '٣',
      'a_b.c-1',
    ]) {
      const answer = await put(createId(), { [key]: 'x' });
      assert.equal(answer.status, 200, `${key}: ${answer.text}`);
      assert.deepEqual(Object.keys(answer.json.result.tags), [key.normalize('NFC')]);
    }
    for (const key of ['a b', 'a/b', '☃', 'a\u200bb', '½', '']) {
      const answer = await put(createId(), { [key]: 'x' });
      assert.deepEqual([answer.status, answer.code], [400, 1014], key);
    }
  });

  test('the composed and the decomposed form are one key', async () => {
    const id = createId();
    const composed = 'café';
    const decomposed = composed.normalize('NFD');
    assert.notEqual(composed, decomposed);
    const stored = await put(id, { [decomposed]: 'x' });
    assert.deepEqual(stored.json.result.tags, { [composed]: 'x' }, stored.text);
    const patched = await server.call('PATCH', `${server.account}/tags`, {
      body: { resource_type: 'zone', resource_id: id, tags: { [decomposed]: 'y' } },
    });
    assert.deepEqual(patched.json.result.tags, { [composed]: 'y' }, patched.text);
    for (const key of [composed, decomposed]) {
      assert.deepEqual(await find(`tag=${encodeURIComponent(key)}`), [id]);
      assert.deepEqual(await find(`tag=${encodeURIComponent(`${key}=y`)}`), [id]);
      const values = await server.call(
        'GET',
        `${server.account}/tags/values/${encodeURIComponent(key)}`,
      );
      assert.equal(values.status, 200, values.text);
    }
    const both = { [composed]: 'x', [decomposed]: 'y' };
    const twice = await put(createId(), both);
    assert.deepEqual([twice.status, twice.code], [400, 1002]);
    const bulk = await server.call('POST', `${server.account}/tags/bulk`, {
      body: {
        operations: [{ op: 'put', resource_type: 'zone', resource_id: createId(), tags: both }],
      },
    });
    assert.ok(bulk.text.includes('1002'), bulk.text);
  });

  test('any key comes back in NFC, and is found in each form', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.stringMatching(/^[\p{L}\p{M}\p{Nd}_.-]{1,8}$/u),
        fc.constantFrom('NFC', 'NFD'),
        async (key, form) => {
          const id = createId();
          const answer = await put(id, { [key.normalize(form)]: 'x' });
          // Some marks have no letter of their own in NFC, but stay marks.
          assert.equal(answer.status, 200, JSON.stringify(key));
          assert.deepEqual(Object.keys(answer.json.result.tags), [key.normalize('NFC')]);
          const query = `id=${id}&tag=${encodeURIComponent(key.normalize('NFD'))}`;
          assert.deepEqual(await find(query), [id]);
        },
      ),
      { numRuns: 60 },
    );
  });

  test('GET answers If-None-Match', async () => {
    const id = createId();
    await put(id, { a: 'b' });
    const read = (known: string): Promise<Answer> =>
      server.call('GET', `${server.account}/tags?resource_type=zone&resource_id=${id}`, {
        headers: { 'if-none-match': known },
      });
    const { status, headers } = await read('"other"');
    assert.equal(status, 200);
    const etag = headers.get('etag') ?? '';
    for (const known of [etag, `W/${etag}`, '*', `"other", ${etag}`]) {
      const answer = await read(known);
      assert.deepEqual([answer.status, answer.text], [304, ''], known);
      assert.equal(answer.headers.get('etag'), etag);
    }
  });

  test('names are stored as sent, and found in each form', async () => {
    const id = createId();
    const name = 'Überblick'.normalize('NFD');
    const answer = await put(id, { a: 'Zürich'.normalize('NFD') }, name);
    assert.equal(answer.json.result.name, name);
    assert.equal(answer.json.result.tags.a, 'Zürich'.normalize('NFD'));
    for (const form of ['NFC', 'NFD'] as const) {
      const search = encodeURIComponent('überblick'.normalize(form));
      assert.deepEqual(await find(`name=${search}`), [id]);
      const filter = encodeURIComponent(`a=${'zürich'.normalize(form)}`);
      assert.deepEqual(await find(`case_insensitive=true&tag=${filter}`), [id]);
      const exact = encodeURIComponent(`a=${'Zürich'.normalize(form)}`);
      assert.deepEqual(await find(`id=${id}&tag=${exact}`), [id]);
      const others = encodeURIComponent(`a!=${'Zürich'.normalize(form)}`);
      assert.deepEqual(await find(`id=${id}&tag=${others}`), []);
    }
  });

  test('two forms of a value are one value of the lists, with one count', async () => {
    const forms = ['NFC', 'NFD'] as const;
    const ids = forms.map(() => createId());
    const key = `form-${createId()}`;
    for (const [index, form] of forms.entries()) {
      await put(ids[index] as string, { [key]: 'Māori'.normalize(form) });
    }
    const read = async (path: string): Promise<Json> => {
      const answer = await server.call('GET', `${server.account}/tags/${path}`);
      assert.equal(answer.status, 200, answer.text);
      return answer.json.result;
    };
    const listed: string[] = await read(`values/${key}`);
    assert.deepEqual(
      listed.map((value) => value.normalize('NFC')),
      ['Māori'],
    );
    for (const form of forms) {
      const prefix = encodeURIComponent('Mā'.normalize(form));
      assert.deepEqual(await read(`values/${key}?prefix=${prefix}`), listed);
      const filter = encodeURIComponent(`${key}=${'Māori'.normalize(form)}`);
      assert.deepEqual(await find(`tag=${filter}`), ids);
      const merged = await server.call('POST', `${server.account}/tags/bulk`, {
        body: {
          filter: { tag: [`${key}=${'Māori'.normalize(form)}`] },
          tags: { [form]: 'found' },
        },
      });
      assert.equal(merged.json.result.succeeded, 2, merged.text);
    }
    await assertBooksAgree(server);
  });

  test('a value is found in each form, whichever form is stored', async () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 6 });
    const form = fc.constantFrom('as it is', 'NFC', 'NFD');
    await fc.assert(
      fc.asyncProperty(text, form, form, async (value, stored, asked) => {
        const inForm = (wanted: string): string =>
          wanted === 'as it is' ? value : value.normalize(wanted);
        fc.pre(!/[,\\\0]/.test(inForm('NFC')) && !/[,\\\0]/.test(value));
        const id = createId();
        const answer = await put(id, { any: inForm(stored) });
        assert.equal(answer.json.result.tags.any, inForm(stored), answer.text);
        const filter = encodeURIComponent(`any=${inForm(asked)}`);
        assert.deepEqual(await find(`id=${id}&tag=${filter}`), [id]);
        const others = encodeURIComponent(`any!=${inForm(asked)}`);
        assert.deepEqual(await find(`id=${id}&tag=${others}`), []);
      }),
      { numRuns: 60 },
    );
    await assertBooksAgree(server);
  });
});
