import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { REDIRECT_URI, createPkce } from '../support/authorizations.ts';
import { onEachDatabase } from '../support/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { createId } from '../../src/lib/ids.ts';
import { type Json, type TestServer, bootServer } from '../support/server.ts';
import { type Visitor, readPage } from '../support/visitor.ts';
import {
  type Fields,
  answerTo,
  authFields,
  authPath,
  consentPathOf,
  errorOf,
  signedIn,
} from './authorizing.ts';
import { createClient } from './client-bodies.ts';

/** What is told by a redirect, and what must not be (RFC 6749 section 4.1.2.1). */
onEachDatabase((database) => {
  let server: TestServer;
  let visitor: Visitor;
  /** With a secret, and without one. */
  let secret: Json;
  let open: Json;
  const clock = new ManualClock();

  before(async () => {
    server = await bootServer(database, { clock });
    ({ visitor } = await signedIn(server, clock));
    const scopes = ['tags.read', 'tags.write', 'email'];
    secret = await createClient(server, { client_name: 'Bills & Co', scopes });
    open = await createClient(server, { token_endpoint_auth_method: 'none', scopes });
  });
  after(() => server.stop());

  function openPath(query: string) {
    return visitor.open(`/oauth2/auth?${query}`);
  }

  /** Must be told by a page; answers its text. */
  async function assertPage(query: string, status = 400): Promise<string> {
    const answer = await openPath(query);
    assert.equal(answer.headers.get('location'), null);
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    assert.equal(readPage(answer).status, status, answer.text);
    assert.equal(readPage(answer).title, 'Invalid authorization request');
    return answer.text.replaceAll(/\s+/g, ' ');
  }

  function queryOf(client: Json, changes: Fields = {}): string {
    return new URLSearchParams(authFields(client, changes)).toString();
  }

  test('a client that nobody knows gets no redirect', async () => {
    for (const id of [createId(), 'x', '__proto__', `${secret.client_id}0`]) {
      const text = await assertPage(queryOf(secret, { client_id: id }));
      assert.match(text, /client_id is unknown/);
      assert.ok(!text.includes(REDIRECT_URI), text);
    }
    assert.match(
      await assertPage(queryOf(secret, { client_id: undefined })),
      /client_id is missing/,
    );
    assert.match(await assertPage(queryOf(secret, { client_id: '' })), /client_id is missing/);
    const twice = `${queryOf(secret)}&client_id=${secret.client_id}`;
    assert.match(await assertPage(twice), /client_id must not be repeated/);
  });

  test('a redirect URI that is missing, unknown or repeated gets no redirect', async () => {
    const missing = await assertPage(queryOf(secret, { redirect_uri: undefined }));
    assert.match(missing, /Bills &amp; Co.*redirect_uri is missing/);
    await assertPage(queryOf(secret, { redirect_uri: '' }));
    const twice = `${queryOf(secret)}&redirect_uri=${encodeURIComponent(REDIRECT_URI)}`;
    assert.match(await assertPage(twice), /redirect_uri must not be repeated/);
    const unknown = await assertPage(queryOf(secret, { redirect_uri: 'https://evil.example/cb' }));
    assert.match(unknown, /not registered.*<code>https:\/\/evil\.example\/cb<\/code>/);
  });

  test('a page shows nobody else’s words', async () => {
    for (const uri of ['Call 0800 123 now', '"><script>alert(1)</script>', 'https://x/<b>']) {
      const text = await assertPage(queryOf(secret, { redirect_uri: uri }));
      assert.ok(
        !text.includes('<code>') && !text.includes('alert') && !text.includes('0800'),
        text,
      );
    }
    const long = `https://evil.example/${'a'.repeat(1_000)}`;
    const shown = /<code>([^<]*)<\/code>/.exec(
      await assertPage(queryOf(secret, { redirect_uri: long })),
    );
    assert.equal(shown?.[1], long.slice(0, 200));
  });

  /** What the client is told of a request that differs from a good one. */
  const cases: [string, Fields, string, RegExp][] = [
    [
      'no response_type',
      { response_type: undefined },
      'invalid_request',
      /response_type is missing/,
    ],
    ['an empty one', { response_type: '' }, 'invalid_request', /response_type is missing/],
    ['response_type=token', { response_type: 'token' }, 'unsupported_response_type', /code/],
    ['response_type=id_token', { response_type: 'id_token' }, 'unsupported_response_type', /code/],
    ['a hybrid flow', { response_type: 'code id_token' }, 'unsupported_response_type', /code/],
    ['response_mode', { response_mode: 'fragment' }, 'invalid_request', /response_mode/],
    ['a request object', { request: 'e30.e30.' }, 'request_not_supported', /request is/],
    [
      'a request_uri',
      { request_uri: 'https://x.example' },
      'request_uri_not_supported',
      /request_uri/,
    ],
    ['registration', { registration: '{}' }, 'registration_not_supported', /registration/],
    [
      'an unknown scope',
      { scope: 'openid no.such' },
      'invalid_scope',
      /no\.such is not in the list/,
    ],
    ['colons', { scope: 'tags:read' }, 'invalid_scope', /write tags\.read/],
    [
      'a scope of others',
      { scope: 'members.read' },
      'invalid_scope',
      /members\.read is not a scope of this client/,
    ],
    ['only ignored scopes', { scope: 'offline_access phone' }, 'invalid_scope', /none of these/],
    ['a scope with a comma', { scope: 'openid,email openid' }, 'invalid_scope', /spaces/],
    ['a quoted scope', { scope: '"\\ü' }, 'invalid_scope', /^''\? is not in the list/],
    ['an empty scope', { scope: '  ' }, 'invalid_scope', /is empty/],
    ['none and more', { prompt: 'none login' }, 'invalid_request', /prompt=none/],
    ['max_age', { max_age: '-1' }, 'invalid_request', /max_age/],
    ['max_age of words', { max_age: '1e3' }, 'invalid_request', /max_age/],
    ['a long max_age', { max_age: '10000000000' }, 'invalid_request', /max_age/],
    ['a nonce that is no text', { nonce: 'a\x01b' }, 'invalid_request', /nonce/],
    ['a target elsewhere', { resource: 'https://x.example/' }, 'invalid_target', /x\.example/],
    ['no ID token', { id_token_hint: 'e30.e30.e30' }, 'invalid_request', /id_token_hint/],
    [
      'a method alone',
      { code_challenge_method: 'S256' },
      'invalid_request',
      /requires code_challenge/,
    ],
  ];
  for (const [name, changes, error, description] of cases) {
    test(`the client is told of ${name}`, async () => {
      const answer = await visitor.open(authPath(secret, changes));
      assert.match(errorOf(answer, error), description);
      const { state, iss } = answerTo(answer);
      assert.deepEqual([state, iss], ['s t/a+t&e=', server.origin]);
    });
  }

  test('PKCE: demanded without a secret, welcome with one, S256 alone', async () => {
    const { challenge } = createPkce();
    const s256 = { code_challenge: challenge, code_challenge_method: 'S256' };
    const of = (client: Json, changes: Fields) => visitor.open(authPath(client, changes));
    const missing = { code_challenge: undefined, code_challenge_method: undefined };
    assert.match(errorOf(await of(open, missing), 'invalid_request'), /must use PKCE/);
    consentPathOf(await of(secret, missing));
    for (const client of [open, secret]) {
      consentPathOf(await of(client, s256));
      const bare = { code_challenge: challenge, code_challenge_method: undefined };
      assert.match(errorOf(await of(client, bare), 'invalid_request'), /missing.*must be S256/);
      for (const method of ['plain', 's256', 'S512']) {
        const other = { ...s256, code_challenge_method: method };
        assert.match(errorOf(await of(client, other), 'invalid_request'), /must be S256/);
      }
      for (const bad of [
        challenge.slice(1),
        `${challenge}A`,
        `${challenge}=`,
        `${challenge.slice(1)}+`,
        `${challenge.slice(1)}~`,
        `${challenge}\n`,
      ]) {
        const other = { ...s256, code_challenge: bad };
        assert.match(errorOf(await of(client, other), 'invalid_request'), /43 characters/, bad);
      }
    }
  });

  test('what must not be repeated is refused, whatever it is', async () => {
    for (const name of ['response_type', 'scope', 'nonce', 'code_challenge', 'prompt', 'x']) {
      const query = `${queryOf(secret, { x: '1' })}&${name}=${name}&${name}=`;
      const answer = await openPath(query);
      assert.equal(errorOf(answer, 'invalid_request'), `${name} must not be repeated`);
    }
    const twoStates = await openPath(`${queryOf(secret)}&state=other`);
    assert.equal(errorOf(twoStates, 'invalid_request'), 'state must not be repeated');
    assert.equal('state' in answerTo(twoStates), false);
    const resources = [`${server.origin}/client/v4`, server.origin, `${server.origin}/`];
    const several = resources.map((uri) => `&resource=${encodeURIComponent(uri)}`).join('');
    consentPathOf(await openPath(queryOf(secret) + several));
  });

  test('what is unknown or empty is ignored', async () => {
    const changes = { foo: 'bar', __proto__: 'x', claims: '{', acr_values: '1', display: 'popup' };
    consentPathOf(await visitor.open(authPath(secret, changes)));
    const empty = { request: '', request_uri: '', nonce: '', max_age: '', resource: '', scope: '' };
    consentPathOf(await visitor.open(authPath(secret, empty)));
    consentPathOf(await visitor.open(authPath(secret, { response_mode: 'query' })));
    consentPathOf(await visitor.open(authPath(secret, { max_age: '9999999999' })));
  });

  test('a prompt that the metadata does not list is refused', async () => {
    for (const prompt of ['create', 'consent create', 'Login']) {
      const answer = await visitor.open(authPath(secret, { prompt }));
      const description = errorOf(answer, 'invalid_request');
      assert.equal(description, 'prompt must be none, login, consent or select_account', prompt);
    }
    consentPathOf(await visitor.open(authPath(secret, { prompt: 'consent select_account' })));
  });

  test('the state goes back as it came, and is left out when there was none', async () => {
    const states = [
      'a',
      '%41',
      'ü€😀',
      '<&"\'>',
      'a\r\nset-cookie: x=1',
      '\x01',
      ' ',
      'x'.repeat(2_000),
    ];
    for (const state of states) {
      const answer = await visitor.open(authPath(secret, { state, scope: 'x' }));
      assert.equal(answerTo(answer).state, state);
      assert.equal(answer.headers.get('set-cookie'), null);
    }
    const none = answerTo(await visitor.open(authPath(secret, { state: undefined, scope: 'x' })));
    assert.deepEqual(Object.keys(none), ['error', 'error_description', 'iss']);
  });

  test('a request may be as long as a person may come back with', async () => {
    const errorWith = async (length: number) => {
      const answer = await visitor.open(authPath(secret, { state: 'x'.repeat(length) }));
      return answerTo(answer, undefined).error;
    };
    let [fits, tooLong] = [1_000, 7_000];
    assert.equal(await errorWith(tooLong), 'invalid_request');
    while (tooLong - fits > 1) {
      const middle = Math.floor((fits + tooLong) / 2);
      const answer = await visitor.open(authPath(secret, { state: 'x'.repeat(middle) }));
      if (answer.headers.get('location')?.startsWith('/oauth2/consent') === true) fits = middle;
      else tooLong = middle;
    }
    assert.equal(tooLong - fits, 1);
    assert.ok(fits > 5_000, String(fits));
    // Also for who is not signed in, by both ways.
    const fields = authFields(secret, { state: 'x'.repeat(fits) });
    const sent = await fetch(`${server.origin}/oauth2/auth`, {
      method: 'POST',
      body: new URLSearchParams(fields),
      redirect: 'manual',
    });
    const resume = sent.headers.get('location') ?? '';
    assert.ok(resume.startsWith('/oauth2/auth/resume?') && resume.length <= 8_192, resume);
    consentPathOf(await visitor.open(resume));
  });

  test('other methods are refused, and a form of another kind', async () => {
    for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      const answer = await fetch(`${server.origin}/oauth2/auth`, { method });
      assert.equal(answer.status, 405);
      assert.equal(answer.headers.get('allow'), 'GET, HEAD, POST');
      assert.equal(answer.headers.get('access-control-allow-origin'), null);
    }
    const json = await fetch(`${server.origin}/oauth2/auth`, {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json' },
    });
    assert.equal(json.status, 415);
  });
});
