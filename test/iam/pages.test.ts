import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { onEachDatabase, refuseConnections } from '../support/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { createPerson } from '../support/people.ts';
import { type TestServer, bootServer } from '../support/server.ts';
import { Visitor, hiddenFields, readPage, redirectOf, setCookies } from '../support/visitor.ts';
import { forgetGuesses } from './guesses.ts';

const PASSWORD = 'blue kettle on the roof';
const POLICY = "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; object-src 'none'";

interface Context {
  after(work: () => unknown): void;
}

onEachDatabase((database) => {
  const clock = new ManualClock();
  let shared: TestServer;
  before(async () => {
    shared = await bootServer(database, { clock });
  });
  after(() => shared.stop());

  /** The server of all these tests, or with settings one of its own. */
  async function boot(t: Context, settings?: Record<string, string>) {
    const server =
      settings === undefined ? shared : await bootServer(database, { clock, settings });
    if (settings !== undefined) t.after(() => server.stop());
    await forgetGuesses(server);
    const { userId, email } = await createPerson(server, { password: PASSWORD });
    return { clock, server, userId, email };
  }

  test('a person signs in and out with pages alone', async (t) => {
    const { server, email } = await boot(t);
    const visitor = new Visitor(server);
    assert.deepEqual(readPage(await visitor.open('/login')), {
      status: 200,
      title: 'Sign in',
      error: undefined,
    });
    const signedIn = await visitor.submit('/login', { email: ` ${email} `, password: PASSWORD });
    assert.deepEqual(redirectOf(signedIn), [303, '/']);
    assert.equal((await visitor.call('GET', '/user/sessions')).status, 200);
    assert.deepEqual(redirectOf(await visitor.open('/login?return_to=/docs')), [303, '/docs']);
    const page = await visitor.open('/logout');
    assert.deepEqual(readPage(page).title, 'Sign out?');
    assert.ok(page.text.includes(email));
    const session = visitor.cookie('latchkey_session') ?? '';
    const signedOut = await visitor.submit('/logout');
    assert.deepEqual(redirectOf(signedOut), [303, '/login']);
    assert.equal(visitor.cookie('latchkey_session'), undefined);
    visitor.cookies.set('latchkey_session', session);
    assert.deepEqual(redirectOf(await visitor.open('/logout')), [303, '/login']);
    assert.equal((await visitor.open('/login')).status, 200);
  });

  test('what was wrong is said, and the email address is kept', async (t) => {
    const { server, email } = await boot(t);
    const visitor = new Visitor(server);
    const strange = `"><script>alert(1)</script>'&@example.com`;
    for (const address of [email, strange, 'nul\0@example.com', '']) {
      const answer = await visitor.submit('/login', { email: address, password: 'not the one' });
      assert.deepEqual(readPage(answer), {
        status: 401,
        title: 'Sign in',
        error: 'Wrong email address or password.',
      });
      assert.ok(!answer.text.includes('<script>alert'), answer.text);
      assert.ok(!answer.text.includes('not the one'));
    }
    const kept = await visitor.submit('/login', { email: strange, password: 'not the one' });
    assert.ok(
      kept.text.includes(
        'value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&#39;&amp;@example.com"',
      ),
      kept.text,
    );
    assert.match(kept.text, /<title>\s*Error: Sign in · Latchkey\s*<\/title>/);
    for (let i = 0; i < 4; i++) {
      await visitor.submit('/login', { email, password: 'not the one' });
    }
    const limited = await visitor.submit('/login', { email, password: PASSWORD });
    assert.deepEqual(readPage(limited), {
      status: 429,
      title: 'Sign in',
      error: 'Too many attempts: try again in 1 second.',
    });
    assert.equal(limited.headers.get('retry-after'), '1');
  });

  test('the answer is the same for who is unknown', async (t) => {
    const { server, email } = await boot(t);
    const shown: string[] = [];
    for (const address of [email, 'x'.repeat(email.length - 4) + '@b.c']) {
      const answer = await new Visitor(server).submit('/login', {
        email: address,
        password: 'not the one',
      });
      shown.push(
        answer.text.replaceAll(address, 'E').replace(/name="form_token"\s+value="[^"]*"/, ''),
      );
    }
    assert.equal(shown[0], shown[1]);
  });

  test('a form that no page of ours has sent is refused', async (t) => {
    const { server, email } = await boot(t);
    const visitor = new Visitor(server);
    const hidden = hiddenFields((await visitor.open('/login')).text);
    const other = hiddenFields((await new Visitor(server).open('/login')).text);
    const fields = { email, password: PASSWORD };
    const forged = [
      () => visitor.post('/login', fields),
      () => visitor.post('/login', { ...fields, form_token: '' }),
      () => visitor.post('/login', { ...fields, form_token: other.form_token ?? '' }),
      () => new Visitor(server).post('/login', { ...fields, ...hidden }),
      ...[
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
        { origin: 'https://evil.example' },
        { origin: 'not an origin' },
      ].map((headers) => () => visitor.post('/login', { ...fields, ...hidden }, headers)),
    ];
    for (const send of forged) {
      const answer = await send();
      assert.equal(readPage(answer).status, 403);
      assert.match(
        readPage(answer).error ?? '',
        /^(?:This form (?:has expired|was sent from another site)|Your browser did not send)/,
      );
      // The browser may have sent a new token; nothing else was set.
      assert.deepEqual(
        setCookies(answer).map(({ name }) => name),
        ['latchkey_form'],
      );
    }
    for (const headers of [
      { 'sec-fetch-site': 'same-origin', origin: 'null' },
      { 'sec-fetch-site': 'none' },
      { origin: server.origin },
      { origin: 'null' },
    ]) {
      const answer = await visitor.post('/login', { ...fields, ...hidden }, headers);
      assert.deepEqual(redirectOf(answer), [303, '/'], JSON.stringify(headers));
    }
  });

  test("to sign out needs the session's own token", async (t) => {
    const { server, email } = await boot(t);
    const [visitor, other] = [new Visitor(server), new Visitor(server)];
    for (const person of [visitor, other])
      await person.submit('/login', { email, password: PASSWORD });
    const foreign = hiddenFields((await other.open('/logout')).text);
    const before = {
      form_token: hiddenFields((await new Visitor(server).open('/login')).text).form_token ?? '',
    };
    for (const fields of [{}, foreign, before]) {
      const answer = await visitor.post('/logout', fields);
      assert.deepEqual([answer.status, readPage(answer).title], [403, 'The request failed']);
    }
    assert.equal((await visitor.call('GET', '/user/sessions')).status, 200);
    assert.deepEqual(redirectOf(await new Visitor(server).post('/logout', {})), [303, '/login']);
  });

  test('the session is a new one, and the cookies are those of the API', async (t) => {
    const { server, email } = await boot(t);
    const visitor = new Visitor(server);
    visitor.cookies.set('latchkey_session', `lkss_${'x'.repeat(46)}`);
    const answer = await visitor.submit('/login', { email, password: PASSWORD });
    const cookies = setCookies(answer);
    assert.deepEqual(
      cookies.map(({ name, attributes }) => [
        name,
        attributes.has('httponly'),
        attributes.get('samesite'),
        attributes.get('path'),
      ]),
      [
        ['latchkey_session', true, 'Lax', '/'],
        ['latchkey_csrf', false, 'Lax', '/'],
        ['latchkey_device', true, 'Lax', '/'],
      ],
    );
    const [form] = setCookies(await new Visitor(server).open('/login'));
    assert.deepEqual(
      [form?.name, Object.fromEntries(form?.attributes ?? [])],
      ['latchkey_form', { 'max-age': '86400', path: '/', httponly: '', samesite: 'Lax' }],
    );
  });

  test('over https every cookie is bound to the host', async (t) => {
    const { server } = await boot(t, { BASE_URL: 'https://id.example.com/client/v4' });
    const [form] = setCookies(await new Visitor(server).open('/login'));
    assert.equal(form?.name, '__Host-latchkey_form');
    assert.ok(form?.attributes.has('secure'));
  });

  test('every page has its headers, and its files are kept for ever', async (t) => {
    const { server } = await boot(t);
    const visitor = new Visitor(server);
    const ownForms = `${POLICY}; form-action 'self'`;
    for (const [path, policy] of [
      ['/login', POLICY],
      ['/login/second-factor', POLICY],
      ['/forgot-password', ownForms],
      ['/logout', ownForms],
      ['/signed-in', ownForms],
      ['/reset-password?token=x', POLICY],
      ['/invitation?token=x', POLICY],
    ] as const) {
      const { status, headers, text } = await visitor.open(path);
      assert.equal(headers.get('content-security-policy'), policy, path);
      // A client may have opened the page in a window that it waits for.
      assert.equal(headers.get('cross-origin-opener-policy'), null);
      if (status === 303) continue;
      assert.equal(headers.get('cache-control'), 'no-store');
      assert.equal(headers.get('x-frame-options'), 'DENY');
      assert.equal(headers.get('referrer-policy'), 'no-referrer');
      assert.equal(headers.get('x-content-type-options'), 'nosniff');
      assert.ok(headers.get('x-request-id'));
      assert.ok(!/<style|<script(?![^>]*src=)|style="|onclick/.test(text), path);
      assert.ok(text.startsWith('<!doctype html>'), text.slice(0, 40));
    }
    const { text } = await visitor.open('/login');
    const files = [...text.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(
      ([, file = '']) => file,
    );
    assert.equal(new Set(files).size, 4, String(files));
    const script = files.find((file) => file.includes('/passkey-')) ?? '';
    const imported = /from '(\/assets\/webauthn-[0-9a-f]+\.js)'/.exec(
      (await visitor.open(script)).text,
    )?.[1];
    files.push(imported ?? 'nothing imported');
    for (const file of new Set(files)) {
      const { status, headers } = await visitor.open(file);
      assert.equal(status, 200, file);
      assert.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable');
      const type = headers.get('content-type') ?? '';
      assert.match(type, /^(text\/css|text\/javascript|image\/svg\+xml)/);
    }
    assert.equal((await visitor.open('/assets/style-000000000000.css')).status, 404);
  });

  test('what a page does not take', async (t) => {
    const { server } = await boot(t);
    const visitor = new Visitor(server);
    const json = await visitor.post('/login', {}, { 'content-type': 'application/json' });
    assert.deepEqual([json.status, readPage(json).title], [415, 'The request failed']);
    const field = 'x'.repeat(32_768 - 'email='.length);
    const atLimit = await visitor.post('/login', { email: field });
    assert.equal(readPage(atLimit).status, 403);
    const large = await visitor.post('/login', { email: `${field}x` });
    assert.deepEqual([large.status, readPage(large).title], [413, 'The request failed']);
    const put = await fetch(`${server.origin}/login`, { method: 'PUT' });
    assert.deepEqual([put.status, put.headers.get('allow')], [405, 'GET, HEAD, POST']);
    const head = await fetch(`${server.origin}/login`, { method: 'HEAD' });
    assert.equal(head.status, 200);
    const twice = await visitor.open('/login?return_to=/docs&return_to=//evil.example');
    assert.equal(hiddenFields(twice.text).return_to, '/docs');
  });

  test('only to places on this server', async (t) => {
    const { server, email } = await boot(t);
    const good = [
      '/docs',
      '/a/b?c=d&e=%2F%2Ff#g',
      '/oauth2/auth?redirect_uri=https%3A%2F%2Fx.y%2F',
    ];
    for (const place of good) {
      const path = `/login?return_to=${encodeURIComponent(place)}`;
      const answer = await new Visitor(server).submit(path, { email, password: PASSWORD });
      assert.deepEqual(redirectOf(answer), [303, place]);
    }
    const bad = [
      '',
      'docs',
      '//evil.example',
      '///evil.example',
      '/\\evil.example',
      '\\\\evil.example',
      '/\t/evil.example',
      '/\n/evil.example',
      '\t//evil.example',
      ' //evil.example',
      '/%2Fevil.example',
      '/%2f%2fevil.example',
      '/%5Cevil.example',
      '/%252Fevil.example',
      '/%09/evil.example',
      '/.//evil.example',
      '/x/..//evil.example',
      '/a\\b',
      'https://evil.example',
      'https:evil.example',
      'javascript:alert(1)',
      'data:text/html,x',
      '/\u0000',
      '/\u2028',
      `/${'x'.repeat(8_192)}`,
    ];
    const visitor = new Visitor(server);
    const { form_token = '' } = hiddenFields((await visitor.open('/login')).text);
    for (const place of bad.filter((candidate) => !candidate.includes('\0'))) {
      const shown = await visitor.open(`/login?return_to=${encodeURIComponent(place)}`);
      assert.equal(hiddenFields(shown.text).return_to, '/', JSON.stringify(place));
    }
    for (const place of bad) {
      const fields = { email, password: PASSWORD, form_token, return_to: place };
      const answer = await visitor.post('/login', fields);
      assert.deepEqual(redirectOf(answer), [303, '/'], JSON.stringify(place));
    }
    const signedIn = await visitor.open('/login?return_to=//evil.example');
    assert.deepEqual(redirectOf(signedIn), [303, '/']);
  });
});

test('trouble with the database is told by a page', async (t) => {
  const server = await bootServer('postgres');
  t.after(() => server.stop());
  const visitor = new Visitor(server);
  const hidden = hiddenFields((await visitor.open('/login')).text);
  const restore = await refuseConnections(server.postgresUrl ?? '');
  const fields = { ...hidden, email: 'a@b', password: PASSWORD };
  const answer = await visitor.post('/login', fields);
  await restore();
  assert.deepEqual(readPage(answer), {
    status: 503,
    title: 'Something went wrong',
    error: undefined,
  });
  assert.equal(answer.headers.get('retry-after'), '1');
});
