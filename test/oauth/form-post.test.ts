import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { REDIRECT_URI, redeem } from '../support/authorizations.ts';
import { onEachDatabase } from '../support/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { type Answer, type Json, type TestServer, bootServer } from '../support/server.ts';
import { hiddenFields } from '../support/visitor.ts';
import { answerTo, authPath, consent, consentPathOf, signedIn } from './authorizing.ts';
import { createClient } from './client-bodies.ts';
import { postAs } from './redemptions.ts';

/** OAuth 2.0 Form Post Response Mode. */
onEachDatabase((database) => {
  let server: TestServer;
  let client: Json;
  const clock = new ManualClock();
  before(async () => {
    server = await bootServer(database, { clock });
    client = await createClient(server);
  });
  after(() => server.stop());

  /** Checks the page and returns the fields that its form sends. */
  function fieldsOf(answer: Answer, redirectUri = REDIRECT_URI): Record<string, string> {
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    assert.equal(answer.headers.get('location'), null);
    const policy = answer.headers.get('content-security-policy') ?? '';
    assert.match(policy, new RegExp(`; form-action ${new URL(redirectUri).origin}$`));
    assert.match(policy, /default-src 'self'; frame-ancestors 'none'/);
    const action = /<form method="post" action="([^"]*)" data-submit>/.exec(answer.text)?.[1];
    assert.equal(action?.replaceAll('&amp;', '&'), redirectUri);
    assert.match(answer.text, /<button type="submit">Continue<\/button>/);
    return hiddenFields(answer.text);
  }

  test('the code is in a form, which works once', async () => {
    const { visitor } = await signedIn(server, clock);
    const path = authPath(client, { scope: 'openid email', response_mode: 'form_post' });
    const page = await consent(server, visitor, consentPathOf(await visitor.open(path)));
    const { code = '', ...rest } = fieldsOf(page);
    assert.deepEqual(rest, { state: 's t/a+t&e=', iss: server.origin });
    assert.equal((await redeem(server, client, code)).status, 200);
    // A remembered decision needs no page in between.
    assert.match(fieldsOf(await visitor.open(path)).code ?? '', /^[\w-]{43}$/);
  });

  test('errors are in a form too, also those of the request itself', async () => {
    const { visitor } = await signedIn(server, clock);
    const path = authPath(client, { scope: 'openid email', response_mode: 'form_post' });
    const denied = fieldsOf(
      await consent(
        server,
        visitor,
        consentPathOf(await visitor.open(`${path}&prompt=consent`)),
        'deny',
      ),
    );
    assert.equal(denied.error, 'access_denied');
    for (const [changes, error] of [
      [{ scope: 'no.such' }, 'invalid_scope'],
      [{ prompt: 'none', scope: 'openid profile' }, 'consent_required'],
      [{ response_type: 'token' }, 'unsupported_response_type'],
    ] as const) {
      const fields = { response_mode: 'form_post', scope: 'openid', ...changes };
      const answer = fieldsOf(await visitor.open(authPath(client, fields)));
      assert.deepEqual([answer.error, answer.state], [error, 's t/a+t&e=']);
    }
  });

  test('a mode that is unknown, given twice, or for an application without a server is an error', async () => {
    const { visitor } = await signedIn(server, clock);
    const app = await createClient(server, {
      token_endpoint_auth_method: 'none',
      redirect_uris: ['com.example.app:/callback'],
    });
    const changes = { redirect_uri: 'com.example.app:/callback', response_mode: 'form_post' };
    const refused = await visitor.open(authPath(app, { scope: 'openid', ...changes }));
    const answer = answerTo(refused, 'com.example.app:/callback');
    assert.equal(answer.error, 'invalid_request');
    assert.match(answer.error_description ?? '', /http or https/);
    const twice = `${authPath(client, { response_mode: 'form_post' })}&response_mode=form_post`;
    for (const path of [
      twice,
      authPath(client, { response_mode: 'fragment' }),
      authPath(client, { response_mode: 'Form_Post' }),
      authPath(client, { response_mode: 'query.jwt' }),
    ]) {
      const { error, error_description: description } = answerTo(await visitor.open(path));
      assert.equal(error, 'invalid_request');
      assert.match(description ?? '', /response_mode must/);
    }
  });

  test('a pushed request keeps its mode, and a denial consumes it', async () => {
    const { visitor } = await signedIn(server, clock);
    const pushed = await postAs(server, client, '/oauth2/par', {
      response_type: 'code',
      redirect_uri: REDIRECT_URI,
      scope: 'openid email',
      response_mode: 'form_post',
      prompt: 'consent',
    });
    assert.equal(pushed.status, 201, pushed.text);
    const query = new URLSearchParams({
      client_id: client.client_id as string,
      request_uri: pushed.json.request_uri as string,
      response_mode: 'query',
    });
    const path = `/oauth2/auth?${query.toString()}`;
    const asked = consentPathOf(await visitor.open(path));
    assert.equal(fieldsOf(await consent(server, visitor, asked, 'deny')).error, 'access_denied');
    const again = await visitor.open(path);
    assert.equal(again.status, 400);
    assert.match(again.text, /already used/);
  });

  test('the form carries every state as it came, and nothing else into the page', async () => {
    const { visitor } = await signedIn(server, clock);
    await consent(
      server,
      visitor,
      consentPathOf(await visitor.open(authPath(client, { scope: 'openid', prompt: 'consent' }))),
    );
    const state = fc.string({ unit: 'binary', minLength: 1, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(state, async (text) => {
        const sent = text.toWellFormed().replaceAll('\0', '?');
        const changes = { scope: 'openid', response_mode: 'form_post', state: sent };
        const answer = await visitor.open(authPath(client, changes));
        const fields = fieldsOf(answer);
        assert.deepEqual(Object.keys(fields), ['code', 'state', 'iss']);
        assert.equal(answer.text.match(/<script/g)?.length, 2);
        assert.equal(answer.text.match(/<form/g)?.length, 1);
      }),
      { numRuns: 40 },
    );
  });
});
