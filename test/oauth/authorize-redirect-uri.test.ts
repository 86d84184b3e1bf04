import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { REDIRECT_URI } from '../support/authorizations.ts';
import { onEachDatabase } from '../support/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { type Json, type TestServer, bootServer } from '../support/server.ts';
import { type Visitor, readPage } from '../support/visitor.ts';
import { authPath, codeOf, consent, consentPathOf, signedIn } from './authorizing.ts';
import { createClient, patch } from './client-bodies.ts';

const LOOPBACKS = [
  'http://127.0.0.1/callback',
  'http://[::1]:5000/callback',
  'http://localhost:3000/Local?a=b',
  'http://localhost',
  'com.example.app:/callback',
];

/** Where answers go, and where they must not (RFC 9700 section 4.1, RFC 8252 section 7.3). */
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
    secret = await createClient(server, {
      redirect_uris: [
        REDIRECT_URI,
        'https://app.example.com/with?query=1',
        'https://app.example.com/empty?',
        'https://app.example.com/open?a=b&',
        'https://app.example.com/%7Euser/../..//a;b?c[]=%2F',
        'http://localhost:3000/callback',
      ],
    });
    open = await createClient(server, {
      token_endpoint_auth_method: 'none',
      redirect_uris: [REDIRECT_URI, ...LOOPBACKS],
    });
  });
  after(() => server.stop());

  /** Where an error of the request is sent; undefined when a page tells it. */
  async function placeOf(client: Json, redirectUri: string): Promise<string | undefined> {
    const answer = await visitor.open(authPath(client, { redirect_uri: redirectUri, scope: 'x' }));
    const location = answer.headers.get('location');
    if (location !== null) return location.slice(0, location.indexOf('error='));
    assert.equal(readPage(answer).status, 400);
    return undefined;
  }

  const others = [
    'https://evil.example/callback',
    `${REDIRECT_URI}?x=1`,
    `${REDIRECT_URI}?`,
    `${REDIRECT_URI}#`,
    `${REDIRECT_URI}#x`,
    `${REDIRECT_URI}/`,
    `${REDIRECT_URI} `,
    ` ${REDIRECT_URI}`,
    `${REDIRECT_URI}\n`,
    REDIRECT_URI.slice(0, -1),
    'https://APP.example.com/callback',
    'HTTPS://app.example.com/callback',
    'https://app.example.com/Callback',
    'https://app.example.com:443/callback',
    'https://app.example.com./callback',
    'http://app.example.com/callback',
    'https://app.example.com@evil.example/callback',
    'https://app.example.com:443@evil.example/callback',
    'https://evil@app.example.com/callback',
    'https://app.example.com/callback/../callback',
    'https://app.example.com/../callback',
    'https://app.example.com/x/%2e%2e/callback',
    'https://app.example.com/x/%252e%252e/callback',
    'https://app.example.com/%63allback',
    'https://app.example.com\\@evil.example/callback',
    'https:/app.example.com/callback',
    '//app.example.com/callback',
    '/callback',
    'https://app.example.com/with?query=2',
    'https://app.example.com/with?query=1&x=2',
    'https://app.example.com/~user/../..//a;b?c[]=/',
    'JavaScript:alert(1)',
    'java\tscript:alert(1)',
    'DATA:text/html,<script>alert(1)</script>',
    'vbScript:x',
    'bLob:https://app.example.com/x',
    'File:///etc/passwd',
    'About:blank',
  ];

  test('nothing but the registered text will do', async () => {
    for (const client of [secret, open]) {
      for (const uri of others) assert.equal(await placeOf(client, uri), undefined, uri);
    }
  });

  test('parameters are appended to the text as it is', async () => {
    const places = [
      [REDIRECT_URI, `${REDIRECT_URI}?`],
      ['https://app.example.com/with?query=1', 'https://app.example.com/with?query=1&'],
      ['https://app.example.com/empty?', 'https://app.example.com/empty?'],
      ['https://app.example.com/open?a=b&', 'https://app.example.com/open?a=b&'],
      [
        'https://app.example.com/%7Euser/../..//a;b?c[]=%2F',
        'https://app.example.com/%7Euser/../..//a;b?c[]=%2F&',
      ],
    ] as const;
    for (const [uri, place] of places) assert.equal(await placeOf(secret, uri), place);
    const own = 'com.example.app:/callback';
    assert.equal(await placeOf(open, own), `${own}?`);
  });

  test('without a secret, the port of a loopback address is free', async () => {
    const free = [
      'http://127.0.0.1/callback',
      'http://127.0.0.1:1/callback',
      'http://127.0.0.1:65535/callback',
      'http://[::1]/callback',
      'http://[::1]:49152/callback',
      'http://localhost:8080',
    ];
    for (const uri of free) assert.equal(await placeOf(open, uri), `${uri}?`, uri);
    const withQuery = 'http://localhost:8080/Local?a=b';
    assert.equal(await placeOf(open, withQuery), `${withQuery}&`);
  });

  test('nothing else of a loopback address is', async () => {
    const wrong = [
      'http://127.0.0.1:8080/other',
      'http://127.0.0.1:8080/callback/',
      'http://127.0.0.1:8080/callback?x=1',
      'http://127.0.0.1:8080/',
      'http://127.0.0.1:0/callback',
      'http://127.0.0.1:080/callback',
      'http://127.0.0.1:65536/callback',
      'http://127.0.0.1:100000/callback',
      'http://127.0.0.1:/callback',
      'http://127.0.0.1:80a/callback',
      'http://127.0.0.1:80@evil.example/callback',
      'http://127.0.0.1.evil.example/callback',
      'http://127.0.0.2:80/callback',
      'http://127.1/callback',
      'http://0x7f.0.0.1/callback',
      'https://127.0.0.1/callback',
      'http://localhost:80@evil',
      'http://localhost:80@evil/Local?a=b',
      'http://localhost.evil.example:80',
      'http://LOCALHOST:80',
      'http://localhost:80/',
      'http://localhost:80\\@evil.example',
      'http://localhost/local?a=b',
      // The three names of the machine are three hosts.
      'http://[::1]:8080/Local?a=b',
      'http://127.0.0.1:8080/Local?a=b',
      'http://localhost:8080/callback',
      'http://[::1]',
      'http://[::ffff:127.0.0.1]/callback',
      'http://[0:0:0:0:0:0:0:1]/callback',
      'com.example.app:8080/callback',
      'com.example.app://callback',
    ];
    for (const uri of wrong) assert.equal(await placeOf(open, uri), undefined, uri);
  });

  test('with a secret, the port counts too', async () => {
    const registered = 'http://localhost:3000/callback';
    assert.equal(await placeOf(secret, registered), `${registered}?`);
    for (const uri of ['http://localhost/callback', 'http://localhost:3001/callback']) {
      assert.equal(await placeOf(secret, uri), undefined, uri);
    }
  });

  test('a code goes there, and is bound to the address with its port', async () => {
    const client = await createClient(server, {
      token_endpoint_auth_method: 'none',
      redirect_uris: LOOPBACKS,
    });
    const uri = 'http://127.0.0.1:49152/callback';
    const asked = consentPathOf(
      await visitor.open(authPath(client, { redirect_uri: uri, scope: 'openid' })),
    );
    codeOf(await consent(server, visitor, asked), uri);
    const family = await server.app.database.read
      .selectFrom('oauth_families')
      .select('redirect_uri')
      .executeTakeFirstOrThrow();
    assert.equal(family.redirect_uri, uri);
  });

  test('an address that was taken out meanwhile gets no answer', async () => {
    const client = await createClient(server, { scopes: ['tags.read'] });
    const asked = consentPathOf(await visitor.open(authPath(client)));
    const resume = (
      await visitor.post('/oauth2/auth', {
        client_id: client.client_id,
        redirect_uri: REDIRECT_URI,
        response_type: 'code',
      })
    ).headers.get('location');
    const changed = await patch(server, client.client_id, {
      redirect_uris: ['https://app.example.com/new'],
    });
    assert.equal(changed.status, 200, changed.text);
    for (const path of [asked, String(resume)]) {
      const answer = await visitor.open(path);
      assert.equal(readPage(answer).title, 'Invalid authorization request');
      assert.equal(answer.status, 400);
    }
  });
});
