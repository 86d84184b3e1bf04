import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createId } from '../../src/lib/ids.ts';
import { createSecret } from '../../src/lib/secrets.ts';
import { onEachDatabase } from '../support/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { exchange } from '../support/raw-connection.ts';
import { type Answer, type TestServer, allowPolicy, bootServer } from '../support/server.ts';

const MINUTE_MS = 60_000;

const INVALID = 'Bearer error="invalid_token"';

onEachDatabase((database) => {
  const clock = new ManualClock();
  let server: TestServer;
  let tokens: string;
  before(async () => {
    server = await bootServer(database, { clock });
    tokens = `${server.account}/tokens`;
  });
  after(() => server.stop());

  function assertUnauthenticated(answer: Answer, challenge: string): void {
    assert.equal(answer.status, 401, answer.text);
    assert.equal(answer.headers.get('www-authenticate'), challenge);
    assert.deepEqual(answer.json, {
      success: false,
      errors: [{ code: 10_000, message: 'Authentication error' }],
      messages: [],
      result: null,
    });
  }

  async function createToken(fields: Record<string, unknown>): Promise<Answer['json']> {
    const { json, text } = await server.call('POST', tokens, {
      body: {
        name: 'any',
        policies: [allowPolicy(server.accountId, ['api-tokens.read'])],
        ...fields,
      },
    });
    assert.equal(json.success, true, text);
    return json.result;
  }

  for (const header of [
    '',
    'Bearer',
    'Bearer ',
    'Basic dXNlcjpwYXNz',
    'Token abc',
    'Bearer a b',
    'Bearer a,b',
    'Bearer "quoted"',
    'Bearer =a',
    `Bearer${createSecret('lkat_')}`,
    createSecret('lkat_'),
  ]) {
    test(`Authorization "${header.slice(0, 20)}" is malformed: 6003`, async () => {
      const answer = await server.call('GET', tokens, { headers: { authorization: header } });
      assert.equal(answer.status, 400, answer.text);
      assert.equal(answer.code, 6003);
      assert.match(answer.json.errors[0].message, /^Invalid request headers: /);
      assert.equal(answer.text.includes('lkat_'), false);
    });
  }

  test('two Authorization headers are refused, whichever of them is right', async () => {
    const right = `authorization: Bearer ${server.token}\r\n`;
    for (const pair of [right + right, `${right}Authorization: Bearer x\r\n`]) {
      const answer = await exchange(
        server.origin,
        `GET /client/v4${tokens} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n${pair}\r\n`,
      );
      assert.equal(answer.status, 400, answer.text);
      assert.equal(answer.code, 6003);
    }
  });

  test('the scheme is matched without regard to case, and spaces around the token are fine', async () => {
    for (const header of [`bearer ${server.token}`, `BEARER  ${server.token}  `]) {
      const answer = await server.call('GET', tokens, { headers: { authorization: header } });
      assert.equal(answer.status, 200, answer.text);
    }
  });

  test('no credential: 401', async () => {
    assertUnauthenticated(await server.call('GET', tokens, { token: null }), 'Bearer');
  });

  test('an unknown token, a wrong checksum and foreign texts: 401', async () => {
    const last = server.token.endsWith('0') ? '1' : '0';
    const presented = [
      createSecret('lkat_'),
      server.token.slice(0, -1) + last,
      server.token.toLowerCase(),
      `${server.token}0`,
      createSecret('lkut_'),
      createSecret('lkcs_'),
      'abc',
      'a.b.c',
    ];
    for (const token of presented) {
      assertUnauthenticated(await server.call('GET', tokens, { token }), INVALID);
    }
  });

  test('a token works from not_before on and until expires_on', async () => {
    const now = clock.now();
    const { value } = await createToken({
      not_before: new Date(now + MINUTE_MS).toISOString(),
      expires_on: new Date(now + 2 * MINUTE_MS).toISOString(),
    });
    const use = () => server.call('GET', tokens, { token: value });
    assertUnauthenticated(await use(), INVALID);
    clock.advance(MINUTE_MS - 1);
    assertUnauthenticated(await use(), INVALID);
    clock.advance(1);
    assert.equal((await use()).status, 200);
    clock.advance(MINUTE_MS - 1);
    assert.equal((await use()).status, 200);
    clock.advance(1);
    assertUnauthenticated(await use(), INVALID);
  });

  test('a deleted token: 401 at once', async () => {
    const { id, value } = await createToken({});
    assert.equal((await server.call('GET', tokens, { token: value })).status, 200);
    assert.equal((await server.call('DELETE', `${tokens}/${id}`)).status, 200);
    assertUnauthenticated(await server.call('GET', tokens, { token: value }), INVALID);
  });

  test('a caller without the permission: 403 that names it', async () => {
    const { value } = await createToken({});
    const body = { name: 'x', policies: [allowPolicy(server.accountId, ['tags.read'])] };
    const answer = await server.call('POST', tokens, { token: value, body });
    assert.equal(answer.status, 403);
    assert.equal(answer.code, 10_000);
    assert.equal(
      answer.json.errors[0].message,
      'Forbidden: requires the permission "Account API Tokens Write" (api-tokens.write)',
    );
  });

  test('the permission is checked before anything of the content is read', async () => {
    const { value } = await createToken({});
    for (const body of ['{', '', 'x'.repeat(2 * 1024 * 1024)]) {
      const answer = await server.call('POST', tokens, { token: value, body });
      assert.equal(answer.status, 403, answer.text);
    }
  });

  test('another account answers alike whether it exists or not', async () => {
    const { value } = await createToken({});
    const other = createId();
    await server.app.database.transaction(async (tx) => {
      await tx.insertInto('accounts').values({ id: other, name: 'other', created_at: 0 }).execute();
    });
    for (const path of ['tokens', `tokens/${createId()}`, 'tokens/verify']) {
      const get = (id: string) => server.call('GET', `/accounts/${id}/${path}`, { token: value });
      const existing = await get(other);
      const missing = await get(createId());
      assert.equal(existing.status, 403, existing.text);
      assert.equal(existing.text, missing.text);
      assert.equal(existing.code, 10_000);
    }
  });
});
