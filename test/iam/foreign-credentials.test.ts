import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { createSecret } from '../../src/lib/secrets.ts';
import { onEachDatabase } from '../support/databases.ts';
import { type Person, type SessionHeaders, createPerson, signInAs } from '../support/people.ts';
import { type TestServer, allowPolicy, bootServer } from '../support/server.ts';

// Reverse proxies with their own authentication add these to the requests of a browser.
const FOREIGN = [
  'Basic dXNlcjpwYXNz',
  'Basic',
  'Negotiate YIIC',
  'NTLM TlRM',
  'Digest username="ada", realm="x"',
  'Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln',
  'Bearer sk-other',
  'Bearer',
  'Bearer a b',
  '',
];

onEachDatabase((database) => {
  let server: TestServer;
  let person: Person;
  let session: SessionHeaders;
  before(async () => {
    server = await bootServer(database, { settings: { RATE_LIMIT: '0' } });
    person = await createPerson(server, {
      accountId: server.accountId,
      roles: ['super-administrator'],
    });
    session = await signInAs(server, person.userId);
  });
  after(() => server.stop());

  const user = (headers: Record<string, string>) =>
    server.call('GET', '/user', { token: null, headers });

  for (const authorization of FOREIGN) {
    test(`a session counts besides "${authorization.slice(0, 30)}"`, async () => {
      const found = await user({ ...session, authorization });
      assert.equal(found.status, 200, found.text);
      assert.equal(found.json.result.id, person.userId);
      const changed = await server.call('PATCH', '/user', {
        token: null,
        headers: { ...session, authorization },
        body: { first_name: 'Ada' },
      });
      assert.equal(changed.status, 200, changed.text);
    });

    test(`"${authorization.slice(0, 30)}" replaces no part of the session`, async () => {
      const { cookie, 'x-csrf-token': csrf } = session;
      const status = async (headers: Record<string, string>): Promise<number> =>
        (await user({ ...headers, authorization })).status;
      assert.ok([400, 401].includes(await status({ cookie })), 'cookie without CSRF token');
      assert.equal(await status({ cookie, 'x-csrf-token': '' }), 403);
      assert.equal(await status({ cookie, 'x-csrf-token': `${csrf}x` }), 403);
      assert.equal(await status({ 'x-csrf-token': csrf }), 401);
      const ended = cookie.replace(/=.*/, `=${createSecret('lkss_')}`);
      assert.equal(await status({ cookie: ended, 'x-csrf-token': csrf }), 401);
    });
  }

  test('a token of this server decides, also besides a session', async () => {
    const policies = [allowPolicy(server.accountId, ['api-tokens.read'])];
    const body = { name: 'one', policies };
    const { json } = await server.call('POST', `${server.account}/tokens`, { body });
    const [valid, wrong] = [json.result.value as string, createSecret('lkat_')];
    const read = async (token: string, path: string): Promise<number> => {
      const headers = { ...session, authorization: `Bearer ${token}` };
      return (await server.call('GET', path, { token: null, headers })).status;
    };
    assert.equal(await read(valid, `${server.account}/tokens`), 200);
    assert.equal(await read(valid, `${server.account}/members`), 403);
    assert.equal(await read(wrong, `${server.account}/tokens`), 401);
    assert.equal(await read(wrong.replace(/.$/, '_'), `${server.account}/tokens`), 401);
    assert.equal(await read(valid.slice(0, 20), `${server.account}/tokens`), 401);
  });

  test('no header gains access without a session and its CSRF token', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...FOREIGN, 'Bearer lkat_', `Bearer ${createSecret('lkut_')}`),
        fc.constantFrom(undefined, session.cookie),
        fc.constantFrom(undefined, '', 'x', createSecret('lkss_')),
        async (authorization, cookie, csrf) => {
          const { status } = await user({
            authorization,
            ...(cookie !== undefined && { cookie }),
            ...(csrf !== undefined && { 'x-csrf-token': csrf }),
          });
          assert.ok([400, 401, 403].includes(status), String(status));
        },
      ),
      { numRuns: 40 },
    );
  });

  test('the gateway accepts the session and an x-api-key besides a foreign credential', async () => {
    const complete = async (headers: Record<string, string>, path = 'chat/completions') => {
      const body = {
        model: 'local/echo',
        max_tokens: 10,
        messages: [{ role: 'user', content: 'hi' }],
      };
      const url = `${server.account}/ai/v1/${path}`;
      return (await server.call('POST', url, { token: null, headers, body })).status;
    };
    await server.call('POST', `${server.account}/ai-gateway/gateways`, {
      body: { id: 'default', authentication: true },
    });
    for (const authorization of ['Basic dXNlcjpwYXNz', 'Bearer of.a.proxy']) {
      assert.equal(await complete({ ...session, authorization }), 200);
      assert.equal(await complete({ cookie: session.cookie, authorization }), 401);
      const key = { 'x-api-key': server.token, authorization };
      assert.equal(await complete(key, 'messages'), 200);
      assert.equal(await complete({ ...key, 'x-api-key': 'sk-ant' }, 'messages'), 401);
    }
    const both = { 'x-api-key': server.token, authorization: `Bearer ${createSecret('lkat_')}` };
    assert.equal(await complete(both, 'messages'), 401);
  });
});
