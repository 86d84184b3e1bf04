import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { createClient } from '../oauth/client-bodies.ts';
import { onEachDatabase } from '../support/databases.ts';
import { type Answer, type TestServer, bootServer } from '../support/server.ts';

onEachDatabase((database) => {
  let server: TestServer;
  before(async () => {
    server = await bootServer(database);
  });
  after(() => server.stop());

  const TAGS = { resource_type: 'zone', resource_id: 'a', tags: { city: 'Zürich' } };

  function put(body: Buffer | string, headers: Record<string, string>): Promise<Answer> {
    return server.call('PUT', `${server.account}/tags`, {
      body,
      headers: { 'content-type': 'application/json', ...headers },
    });
  }

  test('a byte order mark is ignored', async () => {
    const answer = await put(`\u{feff}${JSON.stringify(TAGS)}`, {});
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.json.result.tags.city, 'Zürich');
    const twice = await put(`\u{feff}\u{feff}${JSON.stringify(TAGS)}`, {});
    assert.equal(twice.status, 400);
  });

  test('another content encoding or charset is refused by name', async () => {
    const json = JSON.stringify(TAGS);
    for (const [body, headers, name] of [
      [gzipSync(json), { 'content-encoding': 'gzip' }, 'gzip'],
      [json, { 'content-encoding': 'br' }, 'br'],
      [json, { 'content-type': 'application/json; charset=iso-8859-1' }, 'iso-8859-1'],
      [
        Buffer.from(json, 'utf16le'),
        { 'content-type': 'application/json;charset="UTF-16"' },
        'utf-16',
      ],
    ] as const) {
      const answer = await put(body, headers);
      assert.deepEqual([answer.status, answer.code], [415, 7004], answer.text);
      assert.ok(answer.json.errors[0].message.includes(` ${name}:`), answer.text);
    }
    for (const headers of [
      { 'content-encoding': 'identity' },
      { 'content-type': 'application/json; charset=UTF-8' },
      { 'content-type': 'application/json;charset="utf-8"' },
      { 'content-type': 'application/json; charset=us-ascii' },
    ])
      assert.equal((await put(json, headers)).status, 200, JSON.stringify(headers));
  });

  test('PATCH accepts a merge patch (RFC 7396), and only PATCH', async () => {
    const { client_id: id } = await createClient(server);
    const headers = { 'content-type': 'application/merge-patch+json; charset=utf-8' };
    const answer = await server.call('PATCH', `${server.account}/oauth_clients/${id}`, {
      body: JSON.stringify({ client_name: 'Merged' }),
      headers,
    });
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.json.result.client_name, 'Merged');
    const refused = await put(JSON.stringify(TAGS), headers);
    assert.deepEqual([refused.status, refused.code], [415, 7004]);
  });

  test('a fault of a text is a sentence, never a regular expression', async () => {
    for (const [path, body, sentence] of [
      [
        '/tokens',
        { name: 'a\u200bb' },
        'name must not be blank, and must not contain line breaks or invisible characters',
      ],
      [
        '/tokens',
        { name: 'a\nb' },
        'name must not be blank, and must not contain line breaks or invisible characters',
      ],
      [
        '/ai-gateway/gateways',
        { id: 'A b' },
        'id must be 1 to 64 lowercase letters, digits, underscores and hyphens',
      ],
      [
        '/ai-gateway/custom-providers',
        { slug: '-a' },
        'slug must be 1 to 63 lowercase letters, digits and hyphens, and must not begin with a hyphen',
      ],
    ] as const) {
      const { status, text } = await server.call('POST', server.account + path, { body });
      assert.equal(status, 400);
      assert.ok(text.includes(sentence), text);
      assert.equal(/pattern|\\p\{|\[\^/.test(text), false, text);
    }
  });
});
