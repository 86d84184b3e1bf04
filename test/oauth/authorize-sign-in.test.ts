import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { SigningKeys } from '../../src/oauth/oidc/signing-keys.ts';
import { onEachDatabase } from '../support/databases.ts';
import { bootWithKeys } from '../support/id-tokens.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { createPerson } from '../support/people.ts';
import type { TestServer } from '../support/server.ts';
import { Visitor, hiddenFields, readPage, redirectOf } from '../support/visitor.ts';
import {
  authFields,
  authPath,
  consentPathOf,
  errorOf,
  giveSession,
  signInPathOf,
  signedIn,
} from './authorizing.ts';
import { setClient } from './consent-form.ts';
import { createClient, patch } from './client-bodies.ts';

const PASSWORD = 'blue kettle on the roof';
const HOUR_MS = 3_600_000;

onEachDatabase((database) => {
  const clock = new ManualClock();
  let server: TestServer;
  let keys: SigningKeys;
  before(async () => {
    ({ server, keys } = await bootWithKeys(database, { clock }));
  });
  after(() => server.stop());

  const newClient = () => createClient(server, { scopes: ['tags.read'] });

  async function countRows(): Promise<number> {
    const { read } = server.app.database;
    const tables = ['one_time_secrets', 'sessions', 'oauth_grants', 'oauth_families'] as const;
    let count = 0;
    for (const table of tables) {
      count += (await read.selectFrom(table).selectAll().execute()).length;
    }
    return count;
  }

  test('who is not signed in signs in and comes back; until then nothing is kept', async () => {
    const client = await newClient();
    const { email } = await createPerson(server, {
      accountId: server.accountId,
      password: PASSWORD,
    });
    const rows = await countRows();
    const visitor = new Visitor(server);
    // Whoever brings a session along from elsewhere must not find the person in it afterwards.
    const planted = `lkss_${'a'.repeat(46)}`;
    visitor.cookies.set('latchkey_session', planted);
    const { path, query, resume } = signInPathOf(
      await visitor.open(authPath(client, { login_hint: email })),
    );
    assert.equal(await countRows(), rows);
    assert.equal(query.get('prompt'), null);
    assert.equal(query.get('login_hint'), email);
    const page = await visitor.open(path);
    assert.ok(page.text.includes(`value="${email}"`), page.text);
    const done = await visitor.submit(path, { email, password: PASSWORD });
    assert.deepEqual(redirectOf(done), [303, resume]);
    assert.notEqual(visitor.cookie('latchkey_session'), planted);
    consentPathOf(await visitor.open(resume));
    visitor.cookies.set('latchkey_session', planted);
    signInPathOf(await visitor.open(resume));
  });

  test('what a browser kept from before the sign-in is worth nothing after it', async () => {
    const client = await newClient();
    const attacker = await signedIn(server, clock);
    const planted = attacker.visitor.cookie('latchkey_session') ?? '';
    const { email } = await createPerson(server, { password: PASSWORD });
    const victim = new Visitor(server);
    victim.cookies.set('latchkey_session', planted);
    const { path, resume } = signInPathOf(await victim.open(authPath(client, { prompt: 'login' })));
    await victim.submit(path, { email, password: PASSWORD });
    assert.notEqual(victim.cookie('latchkey_session'), planted);
    const stolen = new Visitor(server);
    stolen.cookies.set('latchkey_session', planted);
    signInPathOf(await stolen.open(resume));
  });

  test('prompt=none asks nobody', async () => {
    const client = await newClient();
    await setClient(server, client, { visibility: 'public' });
    const silent = authPath(client, { prompt: 'none' });
    assert.match(errorOf(await new Visitor(server).open(silent), 'login_required'), /prompt=none/);
    const { visitor } = await signedIn(server, clock);
    assert.match(errorOf(await visitor.open(silent), 'consent_required'), /prompt=none/);
    clock.advance(60_000);
    const young = authPath(client, { prompt: 'none', max_age: '59' });
    errorOf(await visitor.open(young), 'login_required');
    errorOf(
      await visitor.open(authPath(client, { prompt: 'none', max_age: '0' })),
      'login_required',
    );
    const fits = authPath(client, { prompt: 'none', max_age: '60' });
    errorOf(await visitor.open(fits), 'consent_required');
  });

  test('prompt=login asks once, by whatever way the person proves it', async () => {
    const client = await newClient();
    const { person, visitor } = await signedIn(server, clock, { password: PASSWORD });
    for (const changes of [{ prompt: 'login' }, { max_age: '0' }, { prompt: 'login consent' }]) {
      const { path, query, resume } = signInPathOf(await visitor.open(authPath(client, changes)));
      assert.equal(query.get('prompt'), 'login');
      // To go there without a new proof leads to the same place.
      assert.equal(signInPathOf(await visitor.open(resume)).query.get('prompt'), 'login');
      assert.equal(readPage(await visitor.open(path)).title, 'Sign in');
      const done = await visitor.submit(path, { email: person.email, password: PASSWORD });
      assert.deepEqual(redirectOf(done), [303, resume]);
      consentPathOf(await visitor.open(resume));
      clock.advance(1_000);
    }
  });

  test('a clock that is a little late makes no endless loop', async () => {
    const client = await newClient();
    const { person, visitor } = await signedIn(server, clock);
    const begin = async () =>
      signInPathOf(await visitor.open(authPath(client, { prompt: 'login' }))).resume;
    const near = await begin();
    clock.advance(-5_000);
    await giveSession(server, clock, visitor, person.userId);
    consentPathOf(await visitor.open(near));
    clock.advance(5_000);
    const far = await begin();
    clock.advance(-5_001);
    await giveSession(server, clock, visitor, person.userId);
    signInPathOf(await visitor.open(far));
  });

  test('max_age counts from the request, and a younger session will do', async () => {
    const client = await newClient();
    const { person, visitor } = await signedIn(server, clock);
    clock.advance(60_000);
    consentPathOf(await visitor.open(authPath(client, { max_age: '60' })));
    const { query, resume } = signInPathOf(await visitor.open(authPath(client, { max_age: '59' })));
    assert.equal(query.get('prompt'), 'login');
    signInPathOf(await visitor.open(resume));
    await giveSession(server, clock, visitor, person.userId);
    clock.advance(10 * 60_000);
    consentPathOf(await visitor.open(resume));
  });

  test('id_token_hint demands one person', async () => {
    const client = await newClient();
    const { person, visitor } = await signedIn(server, clock);
    const other = await signedIn(server, clock);
    const claims = { iss: server.origin, aud: client.client_id, sub: person.userId, exp: 1 };
    const sign = (changes: object) => keys.sign('ES256', { ...claims, ...changes });
    const path = authPath(client, { id_token_hint: await sign({}) });
    consentPathOf(await visitor.open(path));
    assert.match(errorOf(await other.visitor.open(path), 'login_required'), /id_token_hint/);
    const silent = authPath(client, { id_token_hint: await sign({}), prompt: 'none' });
    errorOf(await other.visitor.open(silent), 'login_required');
    errorOf(await visitor.open(silent), 'consent_required');
    const { resume } = signInPathOf(await new Visitor(server).open(path));
    errorOf(await other.visitor.open(resume), 'login_required');
    consentPathOf(await visitor.open(resume));
    for (const changes of [{ aud: 'another' }, { iss: 'https://other.example' }, { sub: 1 }]) {
      const foreign = authPath(client, { id_token_hint: await sign(changes) });
      assert.match(errorOf(await visitor.open(foreign), 'invalid_request'), /id_token_hint/);
    }
    const own = authPath(client, { id_token_hint: await sign({ aud: ['x', client.client_id] }) });
    consentPathOf(await visitor.open(own));
  });

  test('a hint that is no address is no hint', async () => {
    const client = await newClient();
    const hintOf = async (hint: string) =>
      signInPathOf(
        await new Visitor(server).open(authPath(client, { login_hint: hint })),
      ).query.get('login_hint');
    const longest = `${'a'.repeat(242)}@example.com`;
    assert.equal(await hintOf(longest), longest);
    assert.equal(await hintOf(`a${longest}`), null);
    assert.equal(await hintOf('a\nb'), null);
    const strange = `"><script>alert(1)</script>`;
    const visitor = new Visitor(server);
    const { path } = signInPathOf(await visitor.open(authPath(client, { login_hint: strange })));
    assert.ok(!(await visitor.open(path)).text.includes('<script>alert'));
  });

  test('who comes back too late is told so', async () => {
    const client = await newClient();
    const { visitor } = await signedIn(server, clock);
    const { resume } = signInPathOf(await new Visitor(server).open(authPath(client)));
    clock.advance(HOUR_MS - 1);
    consentPathOf(await visitor.open(resume));
    clock.advance(1);
    for (const path of [resume, `${resume.slice(0, -1)}_`, '/oauth2/auth/resume']) {
      const answer = await visitor.open(path);
      assert.deepEqual(readPage(answer), {
        status: 400,
        title: 'This request has expired',
        error: undefined,
      });
    }
  });

  test('the client is asked again when the person comes back', async () => {
    const client = await newClient();
    const { visitor } = await signedIn(server, clock);
    const { resume } = signInPathOf(await new Visitor(server).open(authPath(client)));
    const changed = await patch(server, client.client_id, { scopes: ['tags.write'] });
    assert.equal(changed.status, 200, changed.text);
    assert.match(errorOf(await visitor.open(resume), 'invalid_scope'), /tags\.read/);
    const gone = await server.call('DELETE', `${server.account}/oauth_clients/${client.client_id}`);
    assert.equal(gone.status, 200, gone.text);
    const answer = await visitor.open(resume);
    assert.deepEqual(
      [answer.status, readPage(answer).title],
      [400, 'Invalid authorization request'],
    );
  });

  test('a form is answered with a GET, which brings the cookies of who is signed in', async () => {
    const client = await newClient();
    const { visitor } = await signedIn(server, clock);
    const stranger = new Visitor(server);
    for (const headers of [
      {},
      { origin: 'https://other.example', 'sec-fetch-site': 'cross-site' },
    ]) {
      const sent = await stranger.post('/oauth2/auth', authFields(client), headers);
      const [status, resume] = redirectOf(sent);
      assert.equal(status, 303);
      assert.match(String(resume), /^\/oauth2\/auth\/resume\?request=/);
      consentPathOf(await visitor.open(String(resume)));
      signInPathOf(await stranger.open(String(resume)));
    }
    const wrong = await stranger.post('/oauth2/auth', authFields(client, { scope: 'x' }));
    assert.deepEqual([wrong.status, redirectOf(wrong)[1]], [400, null]);
    assert.match(wrong.text, /scope/);
    const page = await stranger.post('/oauth2/auth', { redirect_uri: 'x' });
    assert.equal(readPage(page).status, 400);
    // What is in the address of a form does not count.
    const split = await stranger.post(authPath(client), {});
    assert.equal(readPage(split).status, 400);
    const nul = await stranger.post('/oauth2/auth', authFields(client, { nonce: 'a\0b' }));
    assert.equal(nul.status, 400);
    const silent = await visitor.post('/oauth2/auth', authFields(client, { prompt: 'none' }));
    errorOf(await visitor.open(String(redirectOf(silent)[1])), 'consent_required');
  });

  test('a private client is for members alone', async () => {
    const client = await newClient();
    const { email, userId } = await createPerson(server);
    const visitor = new Visitor(server);
    await giveSession(server, clock, visitor, userId);
    const { resume } = signInPathOf(await new Visitor(server).open(authPath(client)));
    for (const path of [authPath(client), authPath(client, { prompt: 'none' }), resume]) {
      const answer = await visitor.open(path);
      assert.deepEqual(
        [answer.status, readPage(answer).title],
        [403, 'This application is private'],
      );
      assert.ok(answer.text.includes(email) && answer.text.includes(client.client_name));
      assert.match(
        answer.text,
        /href="\/login\?prompt=select_account&amp;return_to=%2Foauth2%2Fauth%2F/,
      );
    }
    // Nobody learns that before they have signed in.
    const unknown = await new Visitor(server).open(authPath(client, { prompt: 'none' }));
    assert.deepEqual([unknown.status, redirectOf(unknown)[1]], [400, null]);
    assert.doesNotMatch(unknown.text, /private/);
    const link = /href="(\/login[^"]*)"/.exec((await visitor.open(resume)).text)?.[1] ?? '';
    const page = await visitor.open(link.replaceAll('&amp;', '&'));
    assert.equal(readPage(page).title, 'Sign in');
    assert.match(hiddenFields(page.text).return_to ?? '', /^\/oauth2\/auth\/resume/);
  });
});
