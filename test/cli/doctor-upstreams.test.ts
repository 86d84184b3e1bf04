import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import type { SMTPServerOptions } from 'smtp-server';
import { type Diagnosis, diagnose } from '../../src/cli/doctor/doctor.ts';
import { readSettings } from '../../src/config/settings.ts';
import { createCertificate } from '../support/certificate.ts';
import { startFileServer } from '../support/file-server.ts';
import { startForwardProxy } from '../support/forward-proxy.ts';
import { startListener, startMailServer } from '../support/mail-server.ts';
import { createDataDir } from '../support/server.ts';

describe('doctor', () => {
  let dataDir: string;
  before(async () => {
    dataDir = await createDataDir();
  });
  after(() => rm(dataDir, { recursive: true, force: true }));

  /** The finding about one upstream service. */
  async function examine(environment: Record<string, string>, subject: string) {
    const settings = readSettings({
      LATCHKEY_DATA_DIR: dataDir,
      LATCHKEY_DNS_SERVERS: '127.0.0.1:9',
      ...environment,
    });
    const { findings }: Diagnosis = await diagnose(() => Promise.resolve(settings));
    const found = findings.filter(({ message }) => message.startsWith(subject));
    assert.equal(found.length, 1, JSON.stringify(findings));
    const [{ verdict, message, advice = '' }] = found as [(typeof found)[number]];
    assert.equal(JSON.stringify(found).includes('pass-word'), false);
    return { verdict, text: `${message} | ${advice}` };
  }

  const examineMail = (url: string, environment: Record<string, string> = {}) =>
    examine(
      { LATCHKEY_SMTP_URL: url, LATCHKEY_MAIL_FROM: 'a@example.com', ...environment },
      'mail server',
    );

  /** An address of this machine that the server does not recognize as such. */
  const remote = (url: string): string => url.replace('127.0.0.1', '0.0.0.0');
  const withLogin = (url: string): string => url.replace('//', '//me:pass-word@');
  const withTls = (url: string): string => url.replace('smtp:', 'smtps:');
  const accounts: SMTPServerOptions = {
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: ({ password }, _session, callback) =>
      password === 'pass-word' ? callback(null, { user: 'me' }) : callback(new Error('wrong')),
  };

  test('reports mail servers that accept the connection and the login', async (t) => {
    const plain = await startMailServer(t);
    const accepted = await examineMail(remote(plain.url));
    assert.equal(accepted.verdict, 'ok');
    assert.match(accepted.text, /^mail server 0\.0\.0\.0:\d+ accepts connections \|/);
    const loggedIn = await examineMail(withLogin((await startMailServer(t, accounts)).url));
    assert.deepEqual(loggedIn.verdict, 'ok');
    assert.match(loggedIn.text, /accepts the login/);
    // Its own certificate does not matter without credentials.
    const ownCertificate = { hideSTARTTLS: false, ...createCertificate() };
    const opportunistic = await startMailServer(t, ownCertificate);
    assert.equal((await examineMail(remote(opportunistic.url))).verdict, 'ok');
    assert.equal(plain.received.length + opportunistic.received.length, 0);
  });

  test('names the cause and the setting of mail servers that cannot be used', async (t) => {
    const certificate = createCertificate();
    const startTls = { ...accounts, hideSTARTTLS: false, ...certificate };
    const implicit = (await startMailServer(t, { ...accounts, secure: true, ...certificate })).url;
    const upgraded = (await startMailServer(t, startTls)).url;
    const noTls = (await startMailServer(t, { ...accounts, disabledCommands: ['STARTTLS'] })).url;
    const silent = (await startListener(t, () => {})).url;
    const untrusted = /is not trusted: set NODE_EXTRA_CA_CERTS/;
    const cases: [name: string, url: string, expected: RegExp][] = [
      ['own certificate and a login', withLogin(remote(upgraded)), untrusted],
      ['own certificate at once', withTls(remote(implicit)), untrusted],
      [
        'a login without TLS',
        withLogin(remote(noTls)),
        /never sent unencrypted.*LATCHKEY_SMTP_URL/,
      ],
      [
        'TLS at once where STARTTLS is expected',
        withTls(noTls),
        /use smtp:\/\/ in LATCHKEY_SMTP_URL/,
      ],
      ['STARTTLS where TLS is expected at once', implicit, /use smtps:\/\/ in LATCHKEY_SMTP_URL/],
      ['a silent server', silent, /sent no greeting/],
      [
        'a wrong password',
        noTls.replace('//', '//me:pass-word-2@'),
        /EAUTH 535 .*check user and password in LATCHKEY_SMTP_URL/,
      ],
      ['a closed port', 'smtp://127.0.0.1:9', /ECONNREFUSED.*check the host and the port/],
      ['an unknown host', 'smtp://nowhere.invalid', /check the host in LATCHKEY_SMTP_URL, and DNS/],
    ];
    await Promise.all(
      cases.map(async ([name, url, expected]) => {
        const { verdict, text } = await examineMail(url);
        assert.equal(verdict, 'fault', name);
        assert.match(text, /^mail server \S+:\d+ is unusable: /, name);
        assert.match(text, expected, name);
      }),
    );
  });

  test('reads the metadata of the OpenID provider', async (t) => {
    const files = await startFileServer(t);
    const environment = { LATCHKEY_OIDC_ISSUER: files.origin, LATCHKEY_OIDC_CLIENT_ID: 'me' };
    const missing = await examine(environment, 'OpenID provider');
    assert.equal(missing.verdict, 'fault');
    assert.match(missing.text, /is unusable.*check LATCHKEY_OIDC_ISSUER/);
    files.answer = (_request, response) =>
      response
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify({ issuer: 'https://other.example' }));
    assert.equal((await examine(environment, 'OpenID provider')).verdict, 'fault');
    files.answer = (_request, response) =>
      response
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify({ issuer: files.origin }));
    const { verdict, text } = await examine(environment, 'OpenID provider');
    assert.equal(verdict, 'ok', text);
  });

  test('reaches model providers with TLS, also through a forward proxy', async (t) => {
    const files = await startFileServer(t, 'https');
    const setting = 'LATCHKEY_PROVIDER_OPENAI_BASE_URL';
    const trusted = await examine({ [setting]: `${files.origin}/v1` }, 'provider openai');
    assert.equal(trusted.verdict, 'ok', trusted.text);
    const mail = await startMailServer(t);
    const proxy = await startForwardProxy(t, {
      route: (authority) => (authority.startsWith('mail.') ? mail.port : files.port),
    });
    const behindProxy = { HTTPS_PROXY: proxy.url };
    const proxied = await examine(
      { [setting]: 'https://provider.example/v1', ...behindProxy },
      'provider openai',
    );
    assert.equal(proxied.verdict, 'ok', proxied.text);
    assert.equal((await examineMail('smtp://mail.example', behindProxy)).verdict, 'ok');
    assert.deepEqual(proxy.requests, ['CONNECT provider.example:443', 'CONNECT mail.example:587']);
    const refusing = await startForwardProxy(t, { route: () => undefined });
    const refused = await examineMail('smtp://mail.example', { HTTPS_PROXY: refusing.url });
    assert.match(refused.text, /the forward proxy localhost:\d+ did not connect.*status 403/);
    const plain = await startMailServer(t);
    const notTls = await examine(
      { [setting]: `https://127.0.0.1:${plain.port}/v1` },
      'provider openai',
    );
    assert.equal(notTls.verdict, 'fault');
  });
});
