import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createId } from '../../src/lib/ids.ts';
import { createSecret } from '../../src/lib/secrets.ts';
import { basic, postForm } from '../support/authorizations.ts';
import { onEachDatabase } from '../support/databases.ts';
import { eventually } from '../support/eventually.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { refuseWrites } from '../support/refused-writes.ts';
import { type Answer, type Json, type TestServer, bootServer } from '../support/server.ts';
import { assertRefused, createTokenClient } from './redemptions.ts';
import { readClient } from './verification-clients.ts';

/** Who has authenticated is told that this is no grant type. */
const FIELDS = { grant_type: 'none-of-them' };
const PASSED = 'unsupported_grant_type';
const CHALLENGE = 'Basic realm="latchkey", charset="UTF-8"';
const FREE_ATTEMPTS = 100;
const LOOK_UPS_PER_SECOND = 200;
const FORGIVEN_AFTER_MS = 600_000;

onEachDatabase((database) => {
  let server: TestServer;
  let byHeader: Json;
  let byBody: Json;
  let app: Json;
  const clock = new ManualClock();
  before(async () => {
    server = await bootServer(database, { clock });
    byHeader = await createTokenClient(server);
    byBody = await createTokenClient(server, { token_endpoint_auth_method: 'client_secret_post' });
    app = await createTokenClient(server, {
      token_endpoint_auth_method: 'none',
      allowed_cors_origins: ['https://app.example.com'],
    });
  });
  after(() => server.stop());

  function send(
    fields: Record<string, string>,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    return postForm(server, '/oauth2/token', { ...FIELDS, ...fields }, headers);
  }

  function sendHeader(authorization: string, fields: Record<string, string> = {}): Promise<Answer> {
    return send(fields, { authorization });
  }

  function encode(text: string | Buffer): string {
    return Buffer.from(text).toString('base64');
  }

  const headerOf = ({ client_id: id, client_secret: secret }: Json): string => basic(id, secret);
  const idOf = ({ client_id }: Json) => ({ client_id: client_id as string });
  const bodyOf = ({ client_id, client_secret }: Json) => ({
    client_id: client_id as string,
    client_secret: client_secret as string,
  });

  /** @param challenge exactly when the header was used */
  function assertUnknown(answer: Answer, challenge: string | null): void {
    assertRefused(answer, 'invalid_client', 401);
    assert.equal(answer.headers.get('www-authenticate'), challenge);
  }

  describe('exactly the registered method', () => {
    test('client_secret_basic', async () => {
      assertRefused(await sendHeader(headerOf(byHeader)), PASSED);
      assertRefused(await sendHeader(headerOf(byHeader), idOf(byHeader)), PASSED);
      assertUnknown(await send(bodyOf(byHeader)), null);
      assertUnknown(await send(idOf(byHeader)), null);
    });

    test('client_secret_post', async () => {
      assertRefused(await send(bodyOf(byBody)), PASSED);
      assertUnknown(await sendHeader(headerOf(byBody)), CHALLENGE);
      assertUnknown(await sendHeader(basic(byBody.client_id, '')), CHALLENGE);
      assertUnknown(await send(idOf(byBody)), null);
    });

    test('none: a secret is unexpected, whatever it is', async () => {
      assertRefused(await send(idOf(app)), PASSED);
      assertUnknown(await send({ ...idOf(app), client_secret: 'x' }), null);
      assertRefused(await sendHeader(basic(app.client_id, '')), PASSED);
      assertRefused(await sendHeader(basic(app.client_id, ''), idOf(app)), PASSED);
      const other = await sendHeader(basic(app.client_id, ''), idOf(byHeader));
      assertRefused(other, 'invalid_request');
      const secret = { ...idOf(app), client_secret: 'x' };
      assertRefused(await sendHeader(basic(app.client_id, ''), secret), 'invalid_request');
      assertUnknown(await sendHeader(basic(app.client_id, 'x')), CHALLENGE);
      // Without a value it counts as left out: RFC 6749 section 3.1.
      assertRefused(await send({ ...idOf(app), client_secret: '' }), PASSED);
    });

    test('methods that nobody can register', async () => {
      assertUnknown(await sendHeader(`Bearer ${server.token}`), CHALLENGE);
      assertUnknown(await sendHeader('Digest username="x"', idOf(byHeader)), CHALLENGE);
      assertUnknown(await send({ ...idOf(byHeader), client_assertion: 'x.y.z' }), null);
      assertUnknown(await send({}), null);
    });
  });

  test('an unknown client and a wrong secret are refused alike', async () => {
    const secret = createSecret('lkcs_');
    const wrong = await sendHeader(basic(byHeader.client_id, secret));
    assertUnknown(wrong, CHALLENGE);
    for (const clientId of [createId(), 'nobody', '']) {
      const unknown = await sendHeader(basic(clientId, secret));
      assertUnknown(unknown, CHALLENGE);
      assert.equal(unknown.text, wrong.text);
    }
    const inBody = await send({ client_id: byBody.client_id, client_secret: secret });
    assertUnknown(inBody, null);
    const unknown = await send({ client_id: createId(), client_secret: secret });
    assertUnknown(unknown, null);
    assert.equal(unknown.text, inBody.text);
    for (const value of [byBody.client_secret, `${byHeader.client_secret}0`, 'x', '']) {
      assertUnknown(await sendHeader(basic(byHeader.client_id, value)), CHALLENGE);
    }
  });

  describe('the value of Authorization: Basic', () => {
    const credentials = (): string => `${byHeader.client_id}:${byHeader.client_secret}`;

    test('is form-encoded and then in base64', async () => {
      const escaped = credentials().replaceAll(
        /[^:]/g,
        (character) => `%${character.charCodeAt(0).toString(16)}`,
      );
      for (const header of [
        `Basic ${encode(credentials())}`,
        `basic  ${encode(credentials())}`,
        `Basic ${encode(escaped)}`,
      ]) {
        assertRefused(await sendHeader(header), PASSED);
      }
      // A space, which no secret has.
      assertUnknown(await sendHeader(`Basic ${encode(`${credentials()}+`)}`), CHALLENGE);
    });

    const malformed: [string, () => string][] = [
      ['no base64', () => `!${encode(credentials())}`],
      ['base64 with something after it', () => `${encode(credentials())}!`],
      ['base64 without its padding', () => encode('a:bc').replace(/=+$/, '')],
      ['base64url', () => encode(Buffer.from([0xfb, 0xff, 0xbf])).replaceAll('+', '-')],
      ['nothing at all', () => ''],
      ['no colon', () => encode(byHeader.client_id)],
      ['half a percent-encoding', () => encode(`${credentials()}%4`)],
      ['percent-encoding of no UTF-8', () => encode(`${credentials()}%ff`)],
      ['no UTF-8', () => encode(Buffer.from([0x61, 0x3a, 0xff]))],
    ];
    for (const [what, value] of malformed) {
      test(`is refused when it is ${what}`, async () => {
        const answer = await sendHeader(`Basic ${value()}`);
        assertRefused(answer, 'invalid_request');
        assert.equal(answer.headers.get('www-authenticate'), null);
      });
    }
  });

  describe('one mechanism in a request, for one client', () => {
    test('a header and a secret in the body', async () => {
      assertRefused(await sendHeader(headerOf(byHeader), bodyOf(byHeader)), 'invalid_request');
      assertRefused(await sendHeader(headerOf(byBody), bodyOf(byBody)), 'invalid_request');
      const other = await sendHeader(`Bearer ${server.token}`, bodyOf(byBody));
      assertRefused(other, 'invalid_request');
    });

    test('a secret and an assertion', async () => {
      const answer = await send({ ...bodyOf(byBody), client_assertion: 'x.y.z' });
      assertRefused(answer, 'invalid_request');
    });

    test('a header and a body that name different clients', async () => {
      assertRefused(await sendHeader(headerOf(byHeader), idOf(byBody)), 'invalid_request');
    });

    test('two values of one parameter', async () => {
      const id = byBody.client_id;
      const fields: [string, string][] = [
        ['client_id', id],
        ['client_id', id],
        ['client_secret', byBody.client_secret],
      ];
      assertRefused(await postForm(server, '/oauth2/token', fields), 'invalid_request');
    });
  });

  test('during a rotation both secrets work, and the old one not afterwards', async () => {
    const client = await createTokenClient(server);
    const path = `${server.account}/oauth_clients/${client.client_id}/rotate_secret`;
    const { json } = await server.call('POST', path);
    const rotated = { ...client, client_secret: json.result.client_secret };
    assertRefused(await sendHeader(headerOf(client)), PASSED);
    assertRefused(await sendHeader(headerOf(rotated)), PASSED);
    assert.equal((await server.call('DELETE', path)).status, 200);
    assertUnknown(await sendHeader(headerOf(client)), CHALLENGE);
    assertRefused(await sendHeader(headerOf(rotated)), PASSED);
  });

  test('a client that was deleted is unknown at once', async () => {
    const client = await createTokenClient(server);
    assertRefused(await sendHeader(headerOf(client)), PASSED);
    await server.call('DELETE', `${server.account}/oauth_clients/${client.client_id}`);
    assertUnknown(await sendHeader(headerOf(client)), CHALLENGE);
  });

  test('the use of a secret is noted, once a minute', async () => {
    const client = await createTokenClient(server);
    const lastUse = async (): Promise<string | null> =>
      (await readClient(server, client.client_id)).secrets[0].last_used_at;
    const formatted = (): string => new Date(clock.now()).toISOString();
    assertUnknown(await sendHeader(basic(client.client_id, 'wrong')), CHALLENGE);
    clock.advance(1_000);
    await sendHeader(headerOf(client));
    const first = formatted();
    await eventually('the use was noted', async () => (await lastUse()) === first);
    clock.advance(59_999);
    await sendHeader(headerOf(client));
    clock.advance(1);
    // Had the one before been noted, this one would not be: it comes a moment later.
    await sendHeader(headerOf(client));
    const second = formatted();
    await eventually('the next use was noted', async () => (await lastUse()) === second);
  });

  test('a use that cannot be noted holds nobody up, and is reported', async (t) => {
    const client = await createTokenClient(server);
    const allow = await refuseWrites(server.app.database, 'update', 'oauth_client_secrets');
    t.after(allow);
    assertRefused(await sendHeader(headerOf(client)), PASSED);
    await eventually('the trouble is in the log', async () =>
      server.logLines.some((line) =>
        line.includes('the use of a client secret could not be recorded'),
      ),
    );
  });

  describe('CORS', () => {
    const origin = 'https://app.example.com';
    const readable = ({ headers }: Answer): string | null =>
      headers.get('access-control-allow-origin');

    test('pages of the client read refusals too', async () => {
      for (const fields of [
        idOf(app),
        { ...idOf(app), client_secret: 'x' },
        { ...idOf(app), client_assertion: 'x', client_secret: 'x' },
      ]) {
        const answer = await send(fields, { origin });
        assert.equal(readable(answer), origin, answer.text);
        assert.equal(answer.headers.get('access-control-allow-credentials'), null);
        assert.equal(answer.headers.get('vary'), 'origin');
      }
      const twice: [string, string][] = [
        ['client_id', app.client_id],
        ['grant_type', 'a'],
        ['grant_type', 'b'],
      ];
      assert.equal(readable(await postForm(server, '/oauth2/token', twice, { origin })), origin);
    });

    test('pages of others do not', async () => {
      assert.equal(readable(await send(idOf(app), { origin: 'https://other.example' })), null);
      assert.equal(readable(await send(idOf(byHeader), { origin })), null);
      assert.equal(readable(await send({ client_id: createId() }, { origin })), null);
    });
  });

  describe('too many failures', () => {
    test('block one client from one address, and whoever has the secret passes', async () => {
      const [victim, other] = [await createTokenClient(server), await createTokenClient(server)];
      const fail = (client: Json): Promise<Answer> => sendHeader(basic(client.client_id, 'wrong'));
      for (let attempt = 0; attempt < FREE_ATTEMPTS; attempt++) {
        assertUnknown(await fail(victim), CHALLENGE);
      }
      const blocked = await fail(victim);
      assertRefused(blocked, 'invalid_client', 429);
      assert.equal(blocked.headers.get('retry-after'), '1');
      assert.equal(blocked.headers.get('www-authenticate'), null);
      assertRefused(await sendHeader(headerOf(victim)), PASSED);
      assertUnknown(await fail(other), CHALLENGE);
      clock.advance(1_000);
      assertUnknown(await fail(victim), CHALLENGE);
      const again = await fail(victim);
      assertRefused(again, 'invalid_client', 429);
      assert.equal(again.headers.get('retry-after'), '2');
    });

    test('of clients that nobody has are counted together, and then not even looked up', async () => {
      clock.advance(FORGIVEN_AFTER_MS);
      const unseen = await createTokenClient(server);
      const fail = (): Promise<Answer> => send({ client_id: createId() });
      for (let attempt = 0; attempt < FREE_ATTEMPTS; attempt++) assertUnknown(await fail(), null);
      for (let lookUp = 0; lookUp < LOOK_UPS_PER_SECOND; lookUp++) {
        assertRefused(await fail(), 'invalid_client', 429);
      }
      const tooMany = await fail();
      assertRefused(tooMany, 'invalid_request', 429);
      assert.equal(tooMany.headers.get('retry-after'), '1');
      // What is no id costs no look-up.
      assertRefused(await send({ client_id: 'nobody' }), 'invalid_client', 429);
      assertRefused(await sendHeader(headerOf(byHeader)), PASSED);
      assertUnknown(await sendHeader(basic(byHeader.client_id, 'wrong')), CHALLENGE);
      // Nobody knows yet whether this one is there: it has to wait for a moment.
      assertRefused(await sendHeader(headerOf(unseen)), 'invalid_request', 429);
      clock.advance(1_000);
      assertRefused(await sendHeader(headerOf(unseen)), PASSED);
    });
  });
});
