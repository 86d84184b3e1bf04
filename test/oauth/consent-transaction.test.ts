import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { csrfTokenOf } from '../../src/iam/sessions/session-cookie.ts';
import { redeem } from '../support/authorizations.ts';
import { onEachDatabase } from '../support/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { type Answer, type Json, type TestServer, bootServer, request } from '../support/server.ts';
import { Visitor, readPage } from '../support/visitor.ts';
import { answerTo, codeOf, giveSession, signedIn } from './authorizing.ts';
import { createClient } from './client-bodies.ts';
import { askedAt, decideWith, endSession, formOf, grantsOf, readForm } from './consent-form.ts';

const HOUR_MS = 3_600_000;
const REPEATED_MS = 60_000;
const CODE_MS = 60_000;

function assertOver(answer: Answer, status = 400): void {
  const { title, ...page } = readPage(answer);
  assert.deepEqual([page.status, title], [status, 'This page has expired']);
  assert.match(answer.text, /Return to the application and start over/);
}

onEachDatabase((database) => {
  const clock = new ManualClock();
  let server: TestServer;
  before(async () => {
    server = await bootServer(database, { clock });
  });
  after(() => server.stop());

  async function begin() {
    const { person, visitor } = await signedIn(server, clock);
    const client = await createClient(server, { scopes: ['tags.read'] });
    return { person, visitor, client };
  }

  async function familiesOf({ client_id: clientId }: Json): Promise<number> {
    const families = await server.app.database.read
      .selectFrom('oauth_families')
      .innerJoin('oauth_grants', 'oauth_grants.id', 'oauth_families.grant_id')
      .select('oauth_families.id')
      .where('client_id', '=', clientId)
      .execute();
    return families.length;
  }

  test('a repeated submission gets the response of the first one, for a minute', async () => {
    const { visitor, client } = await begin();
    for (const first of ['approve', 'deny'] as const) {
      const form = await formOf(visitor, client, { prompt: 'consent' });
      const answer = answerTo(await decideWith(server, visitor, form, first));
      assert.equal('code' in answer, first === 'approve');
      clock.advance(REPEATED_MS - 1);
      // The decision stays, whatever the second submission says.
      for (const second of ['approve', 'deny'] as const) {
        const again = await decideWith(server, visitor, form, second);
        assert.deepEqual(answerTo(again), answer);
      }
      clock.advance(1);
      assertOver(await decideWith(server, visitor, form, 'approve'));
      assertOver(await decideWith(server, visitor, form, 'deny'));
      const transaction = form.fields.get('transaction');
      assertOver(await visitor.open(`/oauth2/consent?transaction=${transaction}`));
    }
  });

  test('a code is repeated until it is redeemed or has expired', async () => {
    const { visitor, client } = await begin();
    const form = await formOf(visitor, client);
    const code = codeOf(await decideWith(server, visitor, form, 'approve'));
    clock.advance(CODE_MS - 1);
    assert.equal(codeOf(await decideWith(server, visitor, form, 'approve')), code);
    const tokens = await redeem(server, client, code);
    assert.equal(tokens.status, 200, tokens.text);
    const page = readPage(await decideWith(server, visitor, form, 'approve'));
    assert.deepEqual([page.status, page.title], [200, 'Access approved']);
    const { access_token: token } = tokens.json;
    const userinfo = await request('GET', `${server.origin}/oauth2/userinfo`, { token });
    assert.equal(userinfo.status, 200);
    const late = await formOf(visitor, client, { prompt: 'consent' });
    codeOf(await decideWith(server, visitor, late, 'approve'));
    clock.advance(CODE_MS);
    assert.notEqual((await decideWith(server, visitor, late, 'approve')).status, 303);
  });

  test('ten submissions at once get one code', async () => {
    const { visitor, client } = await begin();
    const form = await formOf(visitor, client);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => decideWith(server, visitor, form, 'approve')),
    );
    assert.equal(new Set(answers.map((answer) => codeOf(answer))).size, 1);
    assert.equal(await familiesOf(client), 1);
  });

  test('a repeated submission needs the token of the form', async () => {
    const { visitor, client } = await begin();
    const form = await formOf(visitor, client);
    codeOf(await decideWith(server, visitor, form, 'approve'));
    const answer = await decideWith(server, visitor, form, 'approve', (fields) => {
      fields.set('form_token', 'x');
    });
    assertOver(answer, 403);
  });

  test('a form from elsewhere decides nothing, and spoils nothing', async () => {
    const { visitor, client } = await begin();
    const form = await formOf(visitor, client);
    const other = await formOf(visitor, client);
    const session = visitor.cookie('latchkey_session') ?? '';
    for (const token of [
      undefined,
      '',
      'x'.repeat(43),
      // What scripts of our own pages can read.
      csrfTokenOf(session),
      // Of another question to the same person.
      other.fields.get('form_token') ?? '',
    ]) {
      const answer = await decideWith(server, visitor, form, 'approve', (fields) => {
        if (token === undefined) fields.delete('form_token');
        else fields.set('form_token', token);
      });
      assertOver(answer, 403);
    }
    const sent = new URLSearchParams(form.fields);
    sent.set('decision', 'approve');
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.example' },
    ]) {
      assertOver(await visitor.post('/oauth2/consent', Object.fromEntries(sent), headers), 403);
    }
    assert.deepEqual(await grantsOf(server, client), []);
    codeOf(await decideWith(server, visitor, form, 'approve'));
  });

  test('it belongs to the person and to the session', async () => {
    const { person, visitor, client } = await begin();
    const path = await askedAt(visitor, client);
    const form = readForm(await visitor.open(path));
    const { visitor: stranger } = await signedIn(server, clock);
    const elsewhere = new Visitor(server);
    await giveSession(server, clock, elsewhere, person.userId);
    const nobody = new Visitor(server);
    for (const other of [stranger, elsewhere]) {
      assertOver(await other.open(path));
      assertOver(await decideWith(server, other, form, 'approve'), 403);
      const own = csrfTokenOf(
        `${other.cookie('latchkey_session')} ${form.fields.get('transaction')}`,
      );
      const answer = await decideWith(server, other, form, 'approve', (fields) => {
        fields.set('form_token', own);
      });
      assertOver(answer);
    }
    assertOver(await nobody.open(path));
    assertOver(await decideWith(server, nobody, form, 'approve'));
    // It is still that of whom it was made for.
    assert.equal((await visitor.open(path)).status, 200);
    await endSession(server, visitor);
    assertOver(await visitor.open(path));
    assertOver(await decideWith(server, visitor, form, 'approve'));
    await giveSession(server, clock, visitor, person.userId);
    assertOver(await visitor.open(path));
    assert.deepEqual(await grantsOf(server, client), []);
  });

  test('it waits for an hour', async () => {
    const { visitor, client } = await begin();
    const path = await askedAt(visitor, client);
    const form = readForm(await visitor.open(path));
    clock.advance(HOUR_MS - 1);
    assert.equal((await visitor.open(path)).status, 200);
    clock.advance(1);
    assertOver(await visitor.open(path));
    assertOver(await decideWith(server, visitor, form, 'approve'));
    assertOver(await decideWith(server, visitor, form, 'deny'));
  });

  test('a name that was made up', async () => {
    const { visitor, client } = await begin();
    const path = await askedAt(visitor, client);
    for (const bad of [
      '/oauth2/consent',
      '/oauth2/consent?transaction=',
      '/oauth2/consent?transaction=lkot_x',
      path.slice(0, -1),
      `${path}x`,
      path.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a')),
    ]) {
      assertOver(await visitor.open(bad));
    }
  });

  test('twenty questions are open at most', async () => {
    const { visitor, client } = await begin();
    const paths = [];
    for (let i = 0; i < 20; i++) {
      paths.push(await askedAt(visitor, client));
      clock.advance(1);
    }
    const [first = '', second = ''] = paths;
    const { visitor: other } = await signedIn(server, clock);
    await askedAt(other, client);
    assert.equal((await visitor.open(first)).status, 200);
    const last = await askedAt(visitor, client);
    assertOver(await visitor.open(first));
    for (const path of [second, last]) assert.equal((await visitor.open(path)).status, 200);
  });

  test('only what a form sends is taken', async () => {
    const { visitor, client } = await begin();
    const path = await askedAt(visitor, client);
    const put = await request('PUT', server.origin + path);
    assert.deepEqual([put.status, put.headers.get('allow')], [405, 'GET, HEAD, POST']);
    const json = await visitor.post('/oauth2/consent', {}, { 'content-type': 'application/json' });
    assert.equal(json.status, 415);
    // What stands in the address decides nothing.
    const form = readForm(await visitor.open(path));
    const query = new URLSearchParams(form.fields);
    query.set('decision', 'approve');
    assert.equal((await visitor.open(`/oauth2/consent?${query.toString()}`)).status, 200);
    assertOver(await visitor.post(`/oauth2/consent?${query.toString()}`, {}), 403);
    assert.equal(answerTo(await decideWith(server, visitor, form, 'deny')).error, 'access_denied');
  });
});
