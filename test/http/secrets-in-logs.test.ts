import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { createSecret } from '../../src/lib/secrets.ts';
import { createClient } from '../oauth/client-bodies.ts';
import { basic, createPkce, postForm } from '../support/authorizations.ts';
import { onEachDatabase } from '../support/databases.ts';
import { startFileServer } from '../support/file-server.ts';
import { createPerson } from '../support/people.ts';
import { findLeaks, noteAnswer, noteRequest, noteSecret } from '../support/secrets-in-logs.ts';
import { bootServer, request } from '../support/server.ts';

const URL_OF_NOBODY = 'http://127.0.0.1/';
const random = () => randomBytes(32).toString('base64url');
const line = (text: string) => JSON.stringify({ level: 30, msg: `about ${text}.` });

/** That what looks through the log lines of every other test would find something. */
test('a secret of ours is found by its form, wherever it comes from', () => {
  for (const prefix of ['lkat_', 'lkut_', 'lkoat_', 'lkort_', 'lkcs_', 'lkss_', 'lkot_'] as const) {
    const secret = createSecret(prefix);
    for (const text of [secret, `token=${secret}`, `/x/${secret}/y`, `x-${secret}_`]) {
      assert.deepEqual(findLeaks([line('nothing'), line(text)]), [line(text)]);
    }
    const other = secret.endsWith('0') ? '1' : '0';
    assert.deepEqual(findLeaks([line(secret.slice(0, -1) + other)]), []);
  }
});

test('a signed token is found by its form, whoever has seen it', () => {
  const token = `eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJ4In0.${random()}`;
  for (const text of [token, `/oauth2/logout?id_token_hint=${token}&x=y`]) {
    assert.deepEqual(findLeaks([line('nothing'), line(text)]), [line(text)]);
  }
  assert.deepEqual(findLeaks([line(token.slice(0, token.lastIndexOf('.')))]), []);
});

test('the code that a browser or an application is given: found once they have it', async (t) => {
  const files = await startFileServer(t);
  const [atApp, inDatabase] = [random(), random()];
  const lines = [line(atApp), line(inDatabase)];
  assert.deepEqual(findLeaks(lines), []);
  await fetch(`${files.origin}/callback?code=${atApp}`);
  noteSecret(inDatabase);
  assert.deepEqual(findLeaks(lines), lines);
});

test('a password, a code, a signature: found once they went over the wire', () => {
  const [code, csrf, verifier, redirected, signature, state] = Array.from({ length: 6 }, random);
  const password = `a few words ${random()}`;
  const basicHeader = basic('client', random());
  const exchanges = () => {
    const form = new Headers({
      'content-type': 'application/x-www-form-urlencoded',
      authorization: basicHeader,
      'x-csrf-token': csrf ?? '',
    });
    const sent = new URLSearchParams({ code_verifier: verifier ?? '', state: state ?? '' });
    const location = new Headers({ location: `/callback?code=${redirected}` });
    noteRequest(`${URL_OF_NOBODY}?code=${code}`, form, sent.toString());
    noteAnswer(URL_OF_NOBODY, location, undefined);
    const answer = { result: { id_token: `eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJ4In0.${signature}` } };
    noteRequest(URL_OF_NOBODY, new Headers(), { password });
    noteAnswer(URL_OF_NOBODY, new Headers(), answer);
  };
  const secrets = [code, csrf, verifier, redirected, signature, password, basicHeader.slice(6)];
  const lines = secrets.map((secret) => line(String(secret)));
  assert.deepEqual(findLeaks(lines), []);
  exchanges();
  assert.deepEqual(findLeaks(lines), lines);
  assert.deepEqual(findLeaks([line(String(state)), line('eyJhbGciOiJFUzI1NiJ9')]), []);
});

test('what is too short to tell is left alone', () => {
  noteSecret('a'.repeat(9));
  assert.deepEqual(findLeaks([line('a'.repeat(9))]), []);
  noteSecret('a'.repeat(10));
  assert.equal(findLeaks([line('a'.repeat(10))]).length, 1);
});

onEachDatabase((database) => {
  test('a server whose log has one fails the run when it stops', async (t) => {
    const server = await bootServer(database);
    const leak = line(server.token);
    server.logLines.push(line('nothing'), leak);
    const { exitCode } = process;
    const write = t.mock.method(process.stderr, 'write', () => true);
    await server.stop();
    const written = write.mock.calls.map((call) => String(call.arguments[0]));
    write.mock.restore();
    const hasFailed = process.exitCode === 1;
    process.exitCode = exitCode;
    assert.equal(hasFailed, true);
    assert.equal(written.length, 1);
    assert.match(
      written[0] ?? '',
      /^secrets-in-logs\.test\.ts:\d+: there are secrets in log lines:/,
    );
    assert.ok(written[0]?.endsWith(`:\n${leak}\n`));
  });

  test('at the most talkative level, what sends secrets leaves none in the log', async (t) => {
    const server = await bootServer(database, { settings: { LOG_LEVEL: 'trace' } });
    t.after(() => server.stop());
    const password = `blue kettle ${random()}`;
    const { email } = await createPerson(server, { password, accountId: server.accountId });
    const client = await createClient(server, { scopes: ['tags.read'] });
    const { verifier } = createPkce();
    const code = random();
    const body = { grant_type: 'authorization_code', code, code_verifier: verifier };
    const authorization = basic(client.client_id, client.client_secret);
    const answers = [
      await server.call('POST', '/user/sessions', { token: null, body: { email, password } }),
      await postForm(server, '/oauth2/token', body, { authorization }),
      await request('GET', `${server.origin}/oauth2/auth?code=${code}&state=${random()}`),
      await request('GET', `${server.origin}/reset-password?token=${createSecret('lkot_')}`),
      await server.call('GET', '/user', { token: createSecret('lkoat_') }),
      await server.call('GET', `/user?access_token=${createSecret('lkat_')}`),
      // A body that is no JSON, with a secret in it.
      await server.call('POST', '/user/sessions', {
        token: null,
        body: `{"password":"${password}`,
      }),
    ];
    for (const { status } of answers) assert.ok(status < 500, String(status));
    for (const secret of [password, code, verifier, client.client_secret, authorization.slice(6)]) {
      assert.equal(
        server.logLines.some((text) => text.includes(secret)),
        false,
      );
    }
    assert.ok(server.logLines.length >= answers.length);
  });
});
