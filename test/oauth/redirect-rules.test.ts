import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { SettingError, readSettings } from '../../src/config/settings.ts';
import { parseHttpHost, parseRedirectScheme } from '../../src/lib/redirect-rules.ts';
import { redeem } from '../support/authorizations.ts';
import { onEachDatabase } from '../support/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { type Json, type TestServer, bootServer, createDataDir } from '../support/server.ts';
import { authPath, codeOf, consent, consentPathOf, signedIn } from './authorizing.ts';
import { createClient, tryCreate } from './client-bodies.ts';
import { scriptSchemes } from './redirect-uri-cases.ts';

const SETTINGS = {
  REDIRECT_SCHEMES: 'cursor, VSCode,obsidian',
  REDIRECT_HTTP_HOSTS: 'nas, *.localhost, app.local, 10.0.0.0/8, 192.168.1.5, fd00::/8',
};

const SCHEMES = [
  'cursor://anysphere.cursor-mcp/oauth/callback',
  'vscode://vscode.dev/callback?x=1',
  'obsidian:/callback',
];
const HTTP = [
  'http://nas/cb',
  'http://NAS:8080/cb',
  'http://x.localhost:3000/cb',
  'http://a.b.localhost/cb',
  'http://app.local/cb',
  'http://10.0.0.5/cb',
  'http://10.255.255.255:81/cb',
  'http://192.168.1.5/cb',
  'http://[fd00::1]:8080/cb',
];
/** Refused with these settings, and without. */
const REFUSED = [
  'http://nas.example.com/cb',
  'http://other/cb',
  'http://localhost.example.com/cb',
  'http://xlocalhost/cb',
  'http://x.app.local/cb',
  'http://11.0.0.5/cb',
  'http://192.168.1.6/cb',
  'http://0x0a.0.0.5/cb',
  'http://10.1/cb',
  'http://[2001:db8::1]/cb',
  'http://nas@evil.example/cb',
  'cursorx://a/b',
  'cursor:callback',
  'cursor://user@host/cb',
  'cursor://a/b#c',
  ...scriptSchemes.map((scheme) => `${scheme}:/x`),
];

onEachDatabase((database) => {
  const clock = new ManualClock();
  let server: TestServer;
  let plain: TestServer;
  before(async () => {
    server = await bootServer(database, { clock, settings: SETTINGS });
    plain = await bootServer(database);
  });
  after(async () => {
    await server.stop();
    await plain.stop();
  });

  const none = { token_endpoint_auth_method: 'none' };

  test('with the settings, these redirect URIs can be registered; without them, none of them', async () => {
    for (const [uris, changes] of [
      [SCHEMES, none],
      [HTTP, none],
      [HTTP, {}],
    ] as const) {
      const body = { ...changes, redirect_uris: uris, post_logout_redirect_uris: uris };
      const client = await createClient(server, body);
      assert.deepEqual(client.redirect_uris, uris);
      for (const uri of uris) {
        const refused = await tryCreate(plain, { ...changes, redirect_uris: [uri] });
        assert.deepEqual([refused.status, refused.code], [400, 4005], uri);
      }
    }
    // A scheme is for applications on a device.
    for (const uri of SCHEMES) {
      assert.equal((await tryCreate(server, { redirect_uris: [uri] })).code, 4005, uri);
    }
  });

  test('everything else stays refused', async () => {
    for (const uri of REFUSED) {
      for (const which of [server, plain]) {
        const refused = await tryCreate(which, { ...none, redirect_uris: [uri] });
        assert.deepEqual([refused.status, refused.code], [400, 4005], uri);
      }
    }
  });

  describe('the consent page states the risk', () => {
    async function pageFor(client: Json, redirectUri: string) {
      const { visitor } = await signedIn(server, clock);
      const fields = { scope: 'openid', redirect_uri: redirectUri };
      const path = consentPathOf(await visitor.open(authPath(client, fields)));
      return { visitor, path, page: await visitor.open(path) };
    }

    for (const [uris, words] of [
      [SCHEMES, /Any app can claim this scheme/],
      [HTTP, /is not encrypted/],
      [['com.example.app:/callback'], /Any app can claim this scheme/],
      [['https://app.example.com/callback', 'http://127.0.0.1:8000/cb'], undefined],
    ] as const) {
      test(uris[0], async () => {
        const client = await createClient(server, { ...none, redirect_uris: uris });
        for (const uri of uris) {
          const { page } = await pageFor(client, uri);
          if (words === undefined)
            assert.doesNotMatch(page.text, /claim this scheme|not encrypted/);
          else assert.match(page.text, words);
        }
      });
    }

    test('the code reaches the application, and works', async () => {
      const uri = 'cursor://anysphere.cursor-mcp/oauth/callback';
      const client = await createClient(server, {
        token_endpoint_auth_method: 'client_secret_basic',
        redirect_uris: ['http://nas/cb'],
      });
      const { visitor, path } = await pageFor(client, 'http://nas/cb');
      const code = codeOf(await consent(server, visitor, path), 'http://nas/cb');
      const tokens = await redeem(server, client, code, { redirect_uri: 'http://nas/cb' });
      assert.equal(tokens.status, 200, tokens.text);
      const app = await createClient(server, { ...none, redirect_uris: [uri] });
      const asked = await pageFor(app, uri);
      codeOf(await consent(server, asked.visitor, asked.path), uri);
    });
  });
});

describe('the settings', () => {
  test('take schemes that no browser interprets', () => {
    for (const scheme of ['cursor', 'vscode-insiders', 'web+app', 'X-App']) {
      assert.equal(parseRedirectScheme(scheme), scheme.toLowerCase());
    }
    for (const scheme of [
      ...scriptSchemes,
      ...scriptSchemes.map((name) => name.toUpperCase()),
      'http',
      'HTTPS',
      'ws',
      'intent',
      'view-source',
      '',
      '1x',
      'a:b',
      'a b',
      'a.b',
      'cursor:',
    ]) {
      assert.equal(parseRedirectScheme(scheme), undefined, scheme);
    }
    assert.throws(
      () => readSettings({ LATCHKEY_REDIRECT_SCHEMES: 'cursor,javascript' }),
      (error: Error) => error instanceof SettingError && /"javascript"/.test(error.message),
    );
  });

  test('take hosts of local networks alone', () => {
    for (const host of [
      'nas',
      'NAS_1',
      'app.local',
      '*.local',
      '*.lab.internal',
      '*.home.arpa',
      '*.localhost',
      '127.0.0.2',
      '10.0.0.0/8',
      '172.16.0.0/12',
      '192.168.0.0/16',
      '169.254.0.0/16',
      '100.64.0.0/10',
      'fd00::/8',
      'fe80::/10',
      '[fd00::1]',
    ]) {
      assert.notEqual(parseHttpHost(host), undefined, host);
    }
    for (const host of [
      '',
      '*',
      '*.*',
      '*.com',
      '*.example.com',
      'example.com',
      'app.example.com',
      'local.example.com',
      'xlocal.com',
      '8.8.8.8',
      '0.0.0.0/0',
      '10.0.0.0/7',
      '172.16.0.0/11',
      '::/0',
      '2001:db8::/32',
      '127.1',
      '0x7f000001',
      '2130706433',
      'nas:8080',
      'http://nas',
      'a b',
      'nas/',
    ]) {
      assert.equal(parseHttpHost(host), undefined, host);
    }
    assert.throws(
      () => readSettings({ LATCHKEY_REDIRECT_HTTP_HOSTS: 'nas,example.com' }),
      (error: Error) => error instanceof SettingError && /"example\.com"/.test(error.message),
    );
  });

  test('no text allows a public host', () => {
    const octet = fc.integer({ min: 0, max: 255 });
    const cidr = fc
      .tuple(octet, octet, octet, octet, fc.integer({ min: 0, max: 32 }))
      .map(([a, b, c, d, bits]) => `${a}.${b}.${c}.${d}/${bits}`);
    const isLocal =
      /^(?:10\.|127\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|169\.254\.|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.)/;
    fc.assert(
      fc.property(cidr, (text) => {
        if (parseHttpHost(text) !== undefined) assert.match(text, isLocal);
      }),
      { numRuns: 3_000 },
    );
  });
});

test('a redirect URI that the operator no longer allows is an error on a page', async (t) => {
  const dataDir = await createDataDir();
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  const first = await bootServer('sqlite', { dataDir, settings: SETTINGS });
  const app = await createClient(first, {
    token_endpoint_auth_method: 'none',
    redirect_uris: SCHEMES,
  });
  const web = await createClient(first, { redirect_uris: HTTP });
  await first.stop();
  const clock = new ManualClock();
  const later = await bootServer('sqlite', { dataDir, clock });
  t.after(() => later.stop());
  const { visitor } = await signedIn(later, clock, { accountId: first.accountId });
  for (const [client, uris] of [
    [app, SCHEMES],
    [web, HTTP],
  ] as const) {
    for (const uri of uris) {
      const answer = await visitor.open(authPath(client, { redirect_uri: uri, scope: 'openid' }));
      assert.equal(answer.status, 400, uri);
      assert.match(answer.text, /redirect_uri must use https/);
    }
  }
});
