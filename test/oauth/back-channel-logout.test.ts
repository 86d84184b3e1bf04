import assert from 'node:assert/strict';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type TestContext, after, before, beforeEach, describe, test } from 'node:test';
import { createLocalJWKSet, decodeJwt, jwtVerify } from 'jose';
import { issueResetLink } from '../../src/iam/passwords/issue-reset-link.ts';
import { csrfTokenOf } from '../../src/iam/sessions/session-cookie.ts';
import { lockOutUser } from '../../src/iam/users/lock-out.ts';
import { redeem } from '../support/authorizations.ts';
import { onEachDatabase } from '../support/databases.ts';
import { eventually } from '../support/eventually.ts';
import { fetchKeys } from '../support/id-tokens.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { createPerson } from '../support/people.ts';
import { type Json, type TestServer, bootServer, createDataDir } from '../support/server.ts';
import { Visitor } from '../support/visitor.ts';
import { authPath, codeOf, consent, consentPathOf, giveSession, signedIn } from './authorizing.ts';
import { createClient, tryCreate } from './client-bodies.ts';
import { createTokenClient, refresh } from './redemptions.ts';

const PASSWORD = 'blue kettle on the roof';
const ALLOW = { UPSTREAM_ALLOW: '127.0.0.1' };

/** An application that receives logout tokens. */
class Receiver {
  readonly tokens: string[] = [];
  statuses: number[] = [];
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(t?: TestContext): Promise<Receiver> {
    const server = createServer((request, response) => {
      void text(request).then((body) => {
        assert.equal(request.method, 'POST');
        assert.equal(request.headers['content-type'], 'application/x-www-form-urlencoded');
        receiver.tokens.push(new URLSearchParams(body).get('logout_token') ?? '');
        response.writeHead(receiver.statuses.shift() ?? 200).end();
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const receiver = new Receiver(server);
    t?.after(() => receiver.stop());
    return receiver;
  }

  get uri(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/logout`;
  }

  async received(count: number): Promise<void> {
    await eventually(`${count} logout tokens`, async () => this.tokens.length >= count);
    assert.equal(this.tokens.length, count);
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

/** Has a signed-in user authorize a client; returns the tokens. */
async function authorizeIn(server: TestServer, visitor: Visitor, client: Json): Promise<Json> {
  const path = authPath(client, { scope: 'openid', prompt: 'consent' });
  const code = codeOf(await consent(server, visitor, consentPathOf(await visitor.open(path))));
  const tokens = await redeem(server, client, code);
  assert.equal(tokens.status, 200, tokens.text);
  return tokens.json;
}

onEachDatabase((database) => {
  const clock = new ManualClock();
  let server: TestServer;
  let receiver: Receiver;
  let client: Json;
  before(async () => {
    server = await bootServer(database, { clock, settings: ALLOW });
    receiver = await Receiver.start();
    client = await createClient(server, { backchannel_logout_uri: receiver.uri });
  });
  after(async () => {
    await server.stop();
    receiver.stop();
  });
  beforeEach(() => {
    receiver.tokens.length = 0;
    receiver.statuses = [];
  });

  const signOut = (visitor: Visitor) => visitor.submit('/logout');

  test('a sign-out posts a logout token that names the user and the session', async () => {
    const { person, visitor } = await signedIn(server, clock);
    const { id_token: idToken } = await authorizeIn(server, visitor, client);
    const { sid } = decodeJwt(idToken as string);
    assert.match(String(sid), /^[0-9a-f]{32}$/);
    await signOut(visitor);
    await receiver.received(1);
    const keys = createLocalJWKSet(await fetchKeys(server));
    const { payload, protectedHeader } = await jwtVerify(receiver.tokens[0] ?? '', keys, {
      issuer: server.origin,
      audience: client.client_id as string,
      typ: 'logout+jwt',
      currentDate: new Date(clock.now()),
    });
    assert.equal(protectedHeader.alg, 'ES256');
    const { jti, ...claims } = payload;
    assert.equal(typeof jti, 'string');
    const issuedAt = Math.floor(clock.now() / 1_000);
    assert.deepEqual(claims, {
      iss: server.origin,
      sub: person.userId,
      aud: client.client_id,
      iat: issuedAt,
      exp: issuedAt + 120,
      sid,
      events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
    });
  });

  test('sid stays the same in refreshed ID tokens, and differs between sessions', async () => {
    const tokenClient = await createTokenClient(server, { scopes: ['profile'] });
    const { person, visitor } = await signedIn(server, clock);
    const fields = { scope: 'openid offline_access' };
    const asked = await visitor.open(authPath(tokenClient, fields));
    const code = codeOf(await consent(server, visitor, consentPathOf(asked)));
    const first = (await redeem(server, tokenClient, code)).json;
    const renewed = (await refresh(server, tokenClient, first.refresh_token)).json;
    assert.equal(decodeJwt(renewed.id_token).sid, decodeJwt(first.id_token).sid);
    const other = new Visitor(server);
    await giveSession(server, clock, other, person.userId);
    const second = await authorizeIn(server, other, client);
    assert.notEqual(decodeJwt(second.id_token).sid, decodeJwt(first.id_token).sid);
  });

  describe('every way in which a session ends', () => {
    async function begin() {
      const person = await createPerson(server, {
        accountId: server.accountId,
        password: PASSWORD,
      });
      const visitor = new Visitor(server);
      await visitor.submit('/login', { email: person.email, password: PASSWORD });
      await authorizeIn(server, visitor, client);
      const elsewhere = new Visitor(server);
      await giveSession(server, clock, elsewhere, person.userId);
      const secret = elsewhere.cookie('latchkey_session') ?? '';
      elsewhere.cookies.set('latchkey_csrf', csrfTokenOf(secret));
      return { person, visitor, elsewhere };
    }
    type Begun = Awaited<ReturnType<typeof begin>>;

    const ways: Record<string, (begun: Begun) => Promise<unknown>> = {
      'the page of the provider': ({ visitor }) => visitor.submit('/oauth2/logout'),
      'the page for signing out': ({ visitor }) => visitor.submit('/logout'),
      async 'revocation from another session'({ elsewhere, visitor }) {
        const current = await visitor.call('GET', '/user/sessions/current');
        return elsewhere.call('DELETE', `/user/sessions/${current.json.result.id}`);
      },
      'revocation of all other sessions': ({ elsewhere }) =>
        elsewhere.call('DELETE', '/user/sessions'),
      'a locked user': ({ person }) => lockOutUser(server.app.database, clock, person.email),
      async 'a password reset'({ person, elsewhere }) {
        const link = await server.app.database.transaction((tx) =>
          issueResetLink(tx, '', person.userId, clock.now(), null),
        );
        return elsewhere.submit(link, { new_password: 'seven green umbrellas' });
      },
      async 'another user who signs in with the same browser'({ visitor }) {
        const { email } = await createPerson(server, { password: PASSWORD });
        return visitor.submit('/login?prompt=select_account', { email, password: PASSWORD });
      },
    };
    for (const [name, end] of Object.entries(ways)) {
      test(name, async () => {
        const begun = await begin();
        await end(begun);
        await receiver.received(1);
        assert.equal(decodeJwt(receiver.tokens[0] ?? '').sub, begun.person.userId);
      });
    }

    test('the same user who signs in again keeps the session for applications', async () => {
      const { person, visitor } = await begin();
      const before = await authorizeIn(server, visitor, client);
      const again = { email: person.email, password: PASSWORD };
      await visitor.submit('/login?prompt=login', again);
      const later = await authorizeIn(server, visitor, client);
      assert.equal(decodeJwt(later.id_token).sid, decodeJwt(before.id_token).sid);
      const changed = await visitor.call('PUT', '/user/password', {
        current_password: PASSWORD,
        new_password: 'seven green umbrellas',
      });
      assert.equal(changed.status, 200, changed.text);
      assert.equal(receiver.tokens.length, 0);
      await signOut(visitor);
      await receiver.received(1);
      assert.equal(decodeJwt(receiver.tokens[0] ?? '').sid, decodeJwt(before.id_token).sid);
    });
  });

  test('each client of the session gets one token, and no other client', async () => {
    const second = await createClient(server, {
      backchannel_logout_uri: receiver.uri,
      id_token_signed_response_alg: 'RS256',
    });
    const without = await createClient(server);
    const { person, visitor } = await signedIn(server, clock);
    for (const each of [client, second, without, client]) await authorizeIn(server, visitor, each);
    const other = new Visitor(server);
    await giveSession(server, clock, other, person.userId);
    const third = await createClient(server, { backchannel_logout_uri: receiver.uri });
    await authorizeIn(server, other, third);
    await signOut(visitor);
    await receiver.received(2);
    const audiences = receiver.tokens.map((token) => decodeJwt(token).aud);
    assert.deepEqual(new Set(audiences), new Set([client.client_id, second.client_id]));
  });

  describe('a client that does not accept the token', () => {
    test('gets it again later, with the same jti', async () => {
      const { visitor } = await signedIn(server, clock);
      await authorizeIn(server, visitor, client);
      receiver.statuses = [503, 429, 204];
      await signOut(visitor);
      await receiver.received(1);
      for (const [gapMs, count] of [
        [15_000, 2],
        [60_000, 3],
      ] as const) {
        await eventually('the attempt is noted', async () => {
          const rows = await server.app.database.read
            .selectFrom('oauth_logouts')
            .select('attempts')
            .execute();
          return rows[0]?.attempts === count - 1;
        });
        clock.advance(gapMs - 1);
        // Another session that ends makes the server look for what is due.
        const { visitor: other } = await signedIn(server, clock);
        await signOut(other);
        assert.equal(receiver.tokens.length, count - 1);
        clock.advance(1);
        const { visitor: third } = await signedIn(server, clock);
        await signOut(third);
        await receiver.received(count);
      }
      assert.equal(new Set(receiver.tokens.map((token) => decodeJwt(token).jti)).size, 1);
      await eventually('nothing is left', async () => {
        const rows = await server.app.database.read
          .selectFrom('oauth_logouts')
          .select('id')
          .execute();
        return rows.length === 0;
      });
    });

    test('is given up after a final error, and the log says so', async () => {
      const { visitor } = await signedIn(server, clock);
      await authorizeIn(server, visitor, client);
      receiver.statuses = [400];
      await signOut(visitor);
      await receiver.received(1);
      const logged = () =>
        server.logLines.find((line) => line.includes('a back-channel logout was given up')) ?? '';
      await eventually('the log says so', async () => logged() !== '');
      assert.match(logged(), /status 400/);
      assert.equal(server.logLines.join('').includes(receiver.tokens[0] ?? 'x'), false);
    });
  });

  test('4001: URIs that the server does not post to', async () => {
    for (const uri of [
      'http://app.example.com/logout',
      'https://app.example.com/logout#x',
      'https://user@app.example.com/',
      'com.example.app:/logout',
      'javascript:alert(1)',
      '/logout',
      5,
    ]) {
      const refused = await tryCreate(server, { backchannel_logout_uri: uri });
      assert.deepEqual([refused.status, refused.code], [400, 4001], String(uri));
    }
    const path = `${server.account}/oauth_clients/${client.client_id}`;
    const fields = ['backchannel_logout_uri', 'backchannel_logout_session_required'];
    for (const [body, expected] of [
      [{ backchannel_logout_session_required: true }, [receiver.uri, true]],
      [{ backchannel_logout_session_required: null }, [receiver.uri, undefined]],
      [{ backchannel_logout_uri: null }, [undefined, undefined]],
      [{ backchannel_logout_uri: receiver.uri }, [receiver.uri, undefined]],
      [{ backchannel_logout_uri: '' }, [undefined, undefined]],
      [{ backchannel_logout_uri: receiver.uri }, [receiver.uri, undefined]],
    ] as const) {
      const changed = await server.call('PATCH', path, { body });
      assert.equal(changed.status, 200, changed.text);
      const { result } = (await server.call('GET', path)).json;
      assert.deepEqual(
        fields.map((field) => result[field]),
        expected,
      );
    }
  });
});

test('the server does not connect to private addresses on behalf of a client', async (t) => {
  const clock = new ManualClock();
  const server = await bootServer('sqlite', { clock });
  t.after(() => server.stop());
  const receiver = await Receiver.start(t);
  const client = await createClient(server, { backchannel_logout_uri: receiver.uri });
  const { visitor } = await signedIn(server, clock);
  await authorizeIn(server, visitor, client);
  await visitor.submit('/logout');
  await eventually('the attempt fails', async () =>
    server.logLines.some((line) => line.includes('a back-channel logout failed at attempt 1')),
  );
  assert.equal(receiver.tokens.length, 0);
});

test('a logout that was not delivered survives a restart', async (t) => {
  const clock = new ManualClock();
  const dataDir = await createDataDir();
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  const receiver = await Receiver.start(t);
  const first = await bootServer('sqlite', { clock, dataDir, settings: ALLOW });
  const client = await createClient(first, { backchannel_logout_uri: receiver.uri });
  const { person, visitor } = await signedIn(first, clock);
  await authorizeIn(first, visitor, client);
  receiver.statuses = [503];
  await visitor.submit('/logout');
  await receiver.received(1);
  await first.stop();
  clock.advance(15_000);
  const second = await bootServer('sqlite', { clock, dataDir, settings: ALLOW });
  t.after(() => second.stop());
  await receiver.received(2);
  const [before, later] = receiver.tokens.map((token) => decodeJwt(token));
  assert.deepEqual([later?.jti, later?.sub], [before?.jti, person.userId]);
});
