import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { onEachDatabase } from '../support/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { type Answer, type Json, type TestServer, bootServer, request } from '../support/server.ts';
import type { Visitor } from '../support/visitor.ts';
import { answerTo, authFields, authPath, consentPathOf, signedIn } from './authorizing.ts';
import { createClient } from './client-bodies.ts';

/** As they stand in an address: no text, half a character, half a pair of surrogates, broken escapes. */
const ODD_VALUES = [
  '%00',
  'a%00b',
  '%ff%fe',
  '%c3',
  '%ed%a0%80',
  '%f0%9f',
  '%',
  '%zz',
  '%u0041',
  '%0d%0aset-cookie:%20x=1',
  '%e2%80%ae',
  '__proto__',
  'constructor',
  '[]',
  '{%22a%22:1}',
  'v1.',
  'urn:ietf:params:oauth:request_uri:%00',
  'a'.repeat(6_000),
];

const NAMES = [
  'client_id',
  'redirect_uri',
  'response_type',
  'response_mode',
  'scope',
  'state',
  'nonce',
  'code_challenge',
  'code_challenge_method',
  'prompt',
  'max_age',
  'login_hint',
  'id_token_hint',
  'request',
  'request_uri',
  'resource',
  '__proto__',
  'constructor',
  '%00',
  '%ff',
];

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

/** Whatever anybody sends, it is an answer that they get, never our fault. */
onEachDatabase((database) => {
  let server: TestServer;
  let client: Json;
  let visitor: Visitor;
  const clock = new ManualClock();
  before(async () => {
    server = await bootServer(database, { clock });
    client = await createClient(server, {
      token_endpoint_auth_method: 'none',
      scopes: ['tags.read'],
    });
    ({ visitor } = await signedIn(server, clock));
  });
  after(() => server.stop());

  function assertAnswered(answer: Answer, what: string): void {
    const location = answer.headers.get('location') ?? '';
    assert.ok(answer.status < 500 && !location.includes('server_error'), `${what}: ${answer.text}`);
    assert.deepEqual(
      answer.headers.getSetCookie().filter((line) => line.startsWith('x=')),
      [],
    );
  }

  function sendForm(path: string, body: string): Promise<Answer> {
    return request('POST', server.origin + path, { body, headers: FORM });
  }

  test('in a parameter of a request', async () => {
    for (const name of NAMES) {
      const fields = new URLSearchParams(authFields(client, { [name]: undefined })).toString();
      for (const value of ODD_VALUES) {
        const sent = `${fields}&${name}=${value}`;
        // Also what is kept until the person has decided.
        const asked = await visitor.open(`/oauth2/auth?${sent}`);
        assertAnswered(asked, sent);
        const next = asked.headers.get('location') ?? '';
        if (next.startsWith('/')) assertAnswered(await visitor.open(next), next);
        // Of somebody who is not signed in, it is kept until they are.
        assertAnswered(await sendForm('/oauth2/auth', sent), sent);
        // Sixty are taken a minute.
        clock.advance(1_000);
        const pushed = await sendForm('/oauth2/par', sent);
        assertAnswered(pushed, sent);
        assert.notEqual(pushed.status, 429);
      }
    }
  });

  test('in an address of ours', async () => {
    for (const value of ODD_VALUES) {
      for (const path of [
        `/oauth2/auth/resume?request=${value}`,
        `/oauth2/consent?transaction=lkot_${value}`,
        `/login?return_to=${value}&login_hint=${value}&prompt=login`,
        `/login?return_to=/${value}`,
      ]) {
        assertAnswered(await visitor.open(path), path);
      }
      for (const fields of [
        `transaction=lkot_${value}&form_token=.${value}&decision=approve`,
        `${value}=${value}`,
      ]) {
        const headers = { ...FORM, cookie: `latchkey_session=lkss_${value}` };
        const own = { ...FORM, cookie: `latchkey_session=${visitor.cookie('latchkey_session')}` };
        for (const from of [headers, own]) {
          const options = { body: fields, headers: from };
          assertAnswered(await request('POST', `${server.origin}/oauth2/consent`, options), fields);
        }
      }
    }
  });

  test('bytes that are no text in a form', async () => {
    clock.advance(60_000);
    const bytes = Buffer.from(`${new URLSearchParams(authFields(client)).toString()}&nonce=`);
    for (const path of ['/oauth2/auth', '/oauth2/par']) {
      const body = Buffer.concat([bytes, Buffer.from([0xff, 0xfe, 0xed, 0xa0, 0x80])]);
      const response = await fetch(server.origin + path, {
        method: 'POST',
        body,
        headers: FORM,
        redirect: 'manual',
      });
      assert.ok(response.status < 400, path);
    }
  });

  test('thousands of parameters', async () => {
    const many = Array.from({ length: 3_000 }, (_, i) => `&${i}`).join('');
    const fields = new URLSearchParams(authFields(client)).toString();
    const sent = await sendForm('/oauth2/auth', fields + many);
    assert.equal(sent.status, 303, sent.text);
    consentPathOf(await visitor.open(sent.headers.get('location') ?? ''));
    assert.equal((await sendForm('/oauth2/par', fields + many.slice(0, 12_000))).status, 201);
    const twice = await sendForm('/oauth2/auth', fields + '&x'.repeat(10_000));
    // Without cookies, nobody knows that a member has sent it.
    assert.equal(twice.status, 400);
    assert.match(twice.text, /x must not be repeated/);
    assert.equal((await sendForm('/oauth2/auth', `${fields}&${'x'.repeat(32_768)}`)).status, 413);
    assert.equal((await sendForm('/oauth2/par', `${fields}&${'x'.repeat(16_384)}`)).status, 413);
    const resources = '&resource=x'.repeat(1_000);
    const refused = await visitor.open(authPath(client) + resources);
    assert.equal(answerTo(refused).error, 'invalid_target');
  });
});
