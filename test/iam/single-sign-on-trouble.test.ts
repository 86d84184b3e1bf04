import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { onEachDatabase } from '../support/databases.ts';
import {
  CALLBACK,
  cookiesOf,
  depart,
  getPage,
  makeRoundTrip,
} from '../support/external-sign-in.ts';
import {
  type FakeOpenIdProvider,
  startFakeProvider,
  startOpenIdProvider,
} from '../support/openid-provider.ts';
import { createPerson } from '../support/people.ts';
import { type Answer, type TestServer, bootServer } from '../support/server.ts';

onEachDatabase((database) => {
  async function start(t: TestContext) {
    const provider = await startFakeProvider(t);
    const server = await bootServer(database, { settings: provider.settings });
    t.after(() => server.stop());
    await createPerson(server, { accountId: server.accountId, email: 'x@example.com' });
    return { provider, server };
  }

  /** Begins, and comes back with a code; the provider's ID token has these claims on top. */
  async function comeBack(
    server: TestServer,
    provider: FakeOpenIdProvider,
    claims: Record<string, unknown> = {},
    query: Record<string, string> = {},
  ): Promise<Answer> {
    const { cookies, url } = await depart(server);
    const nonce = url.searchParams.get('nonce');
    provider.claims = { nonce, ...claims };
    const state = url.searchParams.get('state') ?? '';
    const parameters = new URLSearchParams({ code: 'c', state, ...query });
    return getPage(server, `${CALLBACK}?${parameters.toString()}`, cookies);
  }

  function assertUnusable(server: TestServer, answer: Answer, what: string): void {
    assert.equal(answer.status, 502, `${what}: ${answer.text}`);
    assert.match(answer.text, /sent an invalid response/, what);
    assert.equal(cookiesOf(answer).size, 0, what);
    assert.match(server.logLines.at(-2) ?? '', /an external sign-in failed/, what);
  }

  test('what the provider says is believed only when all of it is right: 502', async (t) => {
    const { provider, server } = await start(t);
    assert.equal((await comeBack(server, provider)).status, 303);
    const nowSeconds = Math.floor(Date.now() / 1_000);
    for (const claims of [
      { nonce: 'another' },
      { nonce: undefined },
      { aud: 'another' },
      { aud: ['latchkey', 'another'] },
      { iss: 'https://another.example' },
      { exp: nowSeconds - 60 },
      { iat: undefined },
      { sub: undefined },
      { sub: 5 },
    ]) {
      const answer = await comeBack(server, provider, claims);
      assertUnusable(server, answer, JSON.stringify(claims));
    }
    for (const signature of [(right: string) => `${right.slice(0, -4)}AAAA`, () => '']) {
      provider.signature = signature;
      assertUnusable(server, await comeBack(server, provider), 'the signature');
    }
    provider.signature = undefined;
    assertUnusable(
      server,
      await comeBack(server, provider, {}, { iss: 'https://x.example' }),
      'iss',
    );
    assertUnusable(server, await comeBack(server, provider, {}, { code: '' }), 'code');
    assert.equal((await comeBack(server, provider)).status, 303);
  });

  test('the token endpoint refuses us: 502; it is out of order: 503', async (t) => {
    const { provider, server } = await start(t);
    const refuse = (status: number, body: string) =>
      provider.answers.set('/token', (response) => {
        response.statusCode = status;
        response.setHeader('content-type', 'application/json');
        response.end(body);
      });
    refuse(401, '{"error":"invalid_client","error_description":"secret hint"}');
    assertUnusable(server, await comeBack(server, provider), 'invalid_client');
    const logged = server.logLines.join('');
    assert.match(logged, /invalid_client/);
    // What the browser brings twice is its own mistake, and none to tell an administrator of.
    refuse(400, '{"error":"invalid_grant"}');
    assert.equal((await comeBack(server, provider)).status, 400);
    assert.equal(server.logLines.join('').includes('invalid_grant'), false);
    refuse(200, '{}');
    assertUnusable(server, await comeBack(server, provider), 'no tokens');
    refuse(200, 'nonsense');
    assertUnusable(server, await comeBack(server, provider), 'no JSON');
    refuse(503, '{"error":"temporarily_unavailable"}');
    assert.equal((await comeBack(server, provider)).status, 503);
    refuse(500, 'oops');
    assert.equal((await comeBack(server, provider)).status, 503);
    provider.answers.set('/token', (response) => response.destroy());
    const broken = await comeBack(server, provider);
    assert.equal(broken.status, 503);
    assert.match(broken.text, /Example Inc is not reachable/);
    assert.equal(broken.headers.get('retry-after'), '30');
  });

  test('a provider that says something else of itself than it should: 502', async (t) => {
    const { provider, server } = await start(t);
    const metadata = '/.well-known/openid-configuration';
    for (const body of ['{}', 'nonsense', '{"issuer":"https://another.example"}']) {
      provider.answers.set(metadata, (response) => {
        response.setHeader('content-type', 'application/json');
        response.end(body);
      });
      const answer = await getPage(server, '/login/external');
      assert.equal(answer.status, 502, body);
      assert.equal(cookiesOf(answer).size, 0);
    }
    provider.answers.set(metadata, (response) => {
      response.statusCode = 302;
      response.setHeader('location', 'https://another.example');
      response.end();
    });
    assert.equal((await getPage(server, '/login/external')).status, 502);
    // Such an answer is not remembered.
    provider.answers.clear();
    assert.equal((await getPage(server, '/login/external')).status, 303);
  });

  test('while the provider is down the server starts, says so, and goes on when it is up: 503', async (t) => {
    const first = await startOpenIdProvider(t);
    await first.stop();
    const server = await bootServer(database, { settings: first.settings });
    t.after(() => server.stop());
    const down = await getPage(server, '/login/external?return_to=%2Fdocs');
    assert.equal(down.status, 503);
    assert.match(down.text, /Example Inc is not reachable/);
    assert.match(down.text, /href="\/login\?return_to=%2Fdocs"/);
    assert.match(down.headers.get('content-type') ?? '', /^text\/html/);
    assert.equal((await getPage(server, '/login')).status, 200);
    assert.equal(cookiesOf(down).size, 0);

    const up = await startOpenIdProvider(t, { port: first.port });
    const { email } = await createPerson(server, { accountId: server.accountId });
    up.person = { subject: 's', email, email_verified: true };
    const { cookies, path } = await makeRoundTrip(server, up);
    assert.equal((await getPage(server, path, cookies)).status, 303);
  });

  test('the login page offers it by its name; without the settings there is no such page', async (t) => {
    const { server } = await start(t);
    const login = await getPage(server, '/login?return_to=%2Fdocs');
    assert.match(login.text, /href="\/login\/external\?return_to=%2Fdocs"/);
    assert.match(login.text, /Sign in with Example Inc/);
    const plain = await bootServer(database);
    t.after(() => plain.stop());
    assert.equal((await getPage(plain, '/login/external')).status, 404);
    assert.equal((await getPage(plain, CALLBACK)).status, 404);
    assert.equal((await getPage(plain, '/login')).text.includes('/login/external'), false);
  });
});
