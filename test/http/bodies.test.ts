import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { onEachDatabase } from '../support/databases.ts';
import { exchange } from '../support/raw-connection.ts';
import { type Answer, type TestServer, allowPolicy, bootServer } from '../support/server.ts';

const LIMIT_BYTES = 4_096;

onEachDatabase((database) => {
  let server: TestServer;
  let tokens: string;
  before(async () => {
    server = await bootServer(database, { settings: { BODY_LIMIT_BYTES: String(LIMIT_BYTES) } });
    tokens = `${server.account}/tokens`;
  });
  after(() => server.stop());

  /** A body that is right in every way. */
  function validBody(): Record<string, unknown> {
    return { name: 'any', policies: [allowPolicy(server.accountId, ['tags.read'])] };
  }

  /** A right body of exactly that many bytes. */
  function bodyOf(bytes: number): string {
    return JSON.stringify(validBody()).padEnd(bytes, ' ');
  }

  function post(body: string | Uint8Array, headers: Record<string, string> = {}): Promise<Answer> {
    return server.call('POST', tokens, { body, headers });
  }

  async function listed(): Promise<string> {
    return (await server.call('GET', `${tokens}?per_page=1000`)).json.result.map(
      ({ id, name }: { id: string; name: string }) => `${id} ${name}`,
    );
  }

  /** Every one of these must be refused, and none may change anything. */
  async function assertRefused(
    bodies: (string | Uint8Array)[],
    status: number,
    code: number,
  ): Promise<void> {
    const before = await listed();
    for (const body of bodies) {
      const answer = await post(body);
      const shown = String(body).slice(0, 80);
      assert.equal(answer.status, status, `${shown} -> ${answer.text}`);
      assert.equal(answer.code, code, shown);
      assert.equal(answer.json.success, false);
      assert.equal(answer.json.result, null);
    }
    assert.deepEqual(await listed(), before);
  }

  test('a body at the limit is served, one byte more is 413', async () => {
    for (const bytes of [LIMIT_BYTES - 1, LIMIT_BYTES]) {
      assert.equal((await post(bodyOf(bytes))).status, 200);
    }
    await assertRefused([bodyOf(LIMIT_BYTES + 1), bodyOf(4 * LIMIT_BYTES)], 413, 7002);
  });

  test('the limit also holds for a body that does not tell its length', async () => {
    const chunk = (size: number) => `${size.toString(16)}\r\n${' '.repeat(size)}\r\n`;
    const answer = await exchange(
      server.origin,
      `POST /client/v4${tokens} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${server.token}\r\n` +
        `content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n` +
        chunk(LIMIT_BYTES) +
        chunk(1),
    );
    assert.equal(answer.status, 413, answer.text);
    assert.equal(answer.code, 7002);
  });

  test('anything but application/json is 415', async () => {
    const before = await listed();
    const types = [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/jsonx',
      'application/merge-patch+json',
      'nonsense',
      ';',
    ];
    for (const type of types) {
      const answer = await post(bodyOf(500), { 'content-type': type });
      assert.equal(answer.status, 415, type);
      assert.equal(answer.code, 7004);
    }
    const untyped = await exchange(
      server.origin,
      `POST /client/v4${tokens} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${server.token}\r\n` +
        `connection: close\r\ncontent-length: 2\r\n\r\n{}`,
    );
    assert.equal(untyped.code, 7004);
    assert.deepEqual(await listed(), before);
  });

  test('application/json is recognized with parameters and in any case', async () => {
    for (const type of ['application/json; charset=utf-8', 'Application/JSON;charset=UTF-8']) {
      assert.equal((await post(bodyOf(500), { 'content-type': type })).status, 200, type);
    }
  });

  test('what is not JSON: 6007', async () => {
    await assertRefused(
      [
        '{',
        'null',
        '[1,]',
        '{"a":1}}',
        "{'a':1}",
        'undefined',
        '\u{feff}\u{feff}{}',
        Buffer.from([0xff]),
      ],
      400,
      6007,
    );
  });

  test('a text that is no UTF-8 is refused, not changed: 6007', async () => {
    const [head = '', tail = ''] = JSON.stringify(validBody()).split('any');
    const withName = (...bytes: number[]) =>
      Buffer.concat([Buffer.from(head), Buffer.from(bytes), Buffer.from(tail)]);
    await assertRefused(
      [withName(0xff, 0xfe), withName(0xc3), withName(0xed, 0xa0, 0x80)],
      400,
      6007,
    );
    assert.equal((await post(withName(0xc3, 0xbc))).json.result.name, 'ü');
  });

  test('no body where one is needed: 6007', async () => {
    await assertRefused([''], 400, 6007);
    const { status, code } = await server.call('POST', tokens);
    assert.deepEqual([status, code], [400, 6007]);
  });

  test('64 levels of nesting are read, 65 are refused', async () => {
    const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
    // Deep enough to be read, and then no token.
    await assertRefused([nested(64)], 400, 3001);
    await assertRefused([nested(65), `{"name":${nested(64)}}`, '['.repeat(2_000)], 400, 6007);
    // Brackets within a text are no nesting.
    assert.equal(
      (await post(JSON.stringify({ ...validBody(), name: '[{"'.repeat(40) }))).status,
      200,
    );
  });

  test('NUL characters and halves of surrogate pairs: 6007', async () => {
    const valid = JSON.stringify(validBody());
    const names = ['\\u0000', 'a\\u0000b', '\\ud800', '\\uDFFF', 'a\\ud83d', '\\ude00\\ud83d'];
    await assertRefused(
      [
        ...names.map((name) => valid.replace('"any"', `"${name}"`)),
        valid.replace('"name"', '"\\u0000name"'),
        valid.replace('"*"', '"\\u0000"'),
      ],
      400,
      6007,
    );
    // An escaped backslash before u0000, and a whole pair, are fine.
    for (const name of ['\\\\u0000', '\\ud83d\\ude00']) {
      const answer = await post(valid.replace('"any"', `"${name}"`));
      assert.equal(answer.status, 200, answer.text);
      const { id } = answer.json.result;
      const got = await server.call('GET', `${tokens}/${id}`);
      assert.equal(got.json.result.name, JSON.parse(`"${name}"`));
    }
  });

  test('wrong types and missing fields: 3001 with a pointer', async () => {
    const wrong = [
      '{}',
      '[]',
      '"text"',
      '1',
      JSON.stringify({ ...validBody(), name: 1 }),
      JSON.stringify({ ...validBody(), name: '' }),
      JSON.stringify({ ...validBody(), name: null }),
      JSON.stringify({ ...validBody(), name: 'x'.repeat(121) }),
      JSON.stringify({ ...validBody(), policies: {} }),
      JSON.stringify({ ...validBody(), policies: [] }),
      JSON.stringify({ ...validBody(), policies: [null] }),
      JSON.stringify({ ...validBody(), not_before: 1 }),
      JSON.stringify({ ...validBody(), condition: [] }),
    ];
    await assertRefused(wrong, 400, 3001);
  });

  test('unknown fields, __proto__ and constructor among them: 3002', async () => {
    const valid = JSON.stringify(validBody());
    const withField = (field: string) => valid.replace('{', `{${field},`);
    await assertRefused(
      [
        withField('"color":"red"'),
        withField('"__proto__":{"name":"x"}'),
        withField('"__proto__":{"admin":true}'),
        withField('"constructor":{"prototype":{"admin":true}}'),
        withField('"toString":"x"'),
        withField('"Name":"x"'),
        withField('"accountId":"x"'),
      ],
      400,
      3002,
    );
    assert.equal(({} as Record<string, unknown>).admin, undefined);
    // An inherited name does not stand for a field that is missing.
    await assertRefused(['{"__proto__":{"name":"x","policies":[]}}'], 400, 3001);
  });

  test('__proto__ as a resource name is a wrong resource', async () => {
    const body = JSON.stringify(validBody()).replace(/"com\.[^"]+"/, '"__proto__"');
    await assertRefused([body], 400, 3011);
  });
});
