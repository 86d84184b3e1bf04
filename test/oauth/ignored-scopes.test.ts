import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { redeem } from '../support/authorizations.ts';
import { onEachDatabase } from '../support/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { type Json, type TestServer, bootServer } from '../support/server.ts';
import {
  answerTo,
  authPath,
  codeOf,
  consent,
  consentPathOf,
  errorOf,
  signedIn,
} from './authorizing.ts';
import { createClient } from './client-bodies.ts';
import { assertRefused, createTokenClient, obtain, refresh } from './redemptions.ts';

/** Scopes that the server ignores (OpenID Connect Core sections 3.1.2.1 and 11). */
onEachDatabase((database) => {
  let server: TestServer;
  const clock = new ManualClock();
  before(async () => {
    server = await bootServer(database, { clock });
  });
  after(() => server.stop());

  async function grantedFor(client: Json, scope: string): Promise<Json> {
    const { visitor } = await signedIn(server, clock);
    const answer = await visitor.open(authPath(client, { scope }));
    const code = codeOf(await consent(server, visitor, consentPathOf(answer)));
    const tokens = await redeem(server, client, code);
    assert.equal(tokens.status, 200, tokens.text);
    return tokens.json;
  }

  describe('the token response names the granted scopes', () => {
    test('without offline_access if the client cannot refresh', async () => {
      const client = await createClient(server);
      const tokens = await grantedFor(client, 'openid profile email offline_access');
      assert.equal(tokens.scope, 'openid profile email');
      assert.equal('refresh_token' in tokens, false);
    });

    test('without OpenID scopes that are unknown or not registered', async () => {
      const client = await createClient(server);
      for (const scope of ['openid profile email groups', 'phone address openid profile email']) {
        assert.equal((await grantedFor(client, scope)).scope, 'openid profile email');
      }
      const other = await createClient(server, { scopes: ['tags.read'] });
      assert.equal((await grantedFor(other, 'email profile openid')).scope, 'openid');
    });

    test('with offline_access and a refresh token if the client can refresh', async () => {
      const client = await createTokenClient(server, { scopes: ['profile'] });
      const tokens = await grantedFor(client, 'openid profile email offline_access');
      assert.equal(tokens.scope, 'openid profile offline_access');
      const { status, json } = await refresh(server, client, tokens.refresh_token, {
        scope: 'openid profile email offline_access',
      });
      assert.deepEqual([status, json.scope], [200, 'openid profile offline_access']);
    });
  });

  test('a refresh refuses a registered scope that was not granted', async () => {
    const client = await createTokenClient(server);
    const { person } = await signedIn(server, clock);
    const tokens = await obtain(server, client, { userId: person.userId, clock });
    for (const scope of ['tags.read email', 'tags.read phone.number', 'phone']) {
      const answer = await refresh(server, client, tokens.refresh_token, { scope });
      assertRefused(answer, 'invalid_scope');
    }
    const answer = await refresh(server, client, tokens.refresh_token, {
      scope: 'phone tags.read',
    });
    assert.deepEqual([answer.status, answer.json.scope], [200, 'tags.read']);
  });

  test('a client that is created without scopes can request profile and email', async () => {
    const client = await createClient(server, { optional_scopes: ['email'] });
    assert.deepEqual(client.scopes, ['profile', 'email', 'openid']);
    assert.deepEqual((await createClient(server, { scopes: [] })).scopes, ['openid']);
  });

  test('the user is asked for exactly the registered scopes of a list, or an error names another scope', async () => {
    const client = await createClient(server, { scopes: ['profile', 'tags.read'] });
    const { visitor } = await signedIn(server, clock);
    const registered: string[] = client.scopes;
    const token = fc.stringMatching(/^[abz09_.:/!~A-]{1,8}$/);
    const scope = fc.oneof(
      token,
      fc.constantFrom(
        ...registered,
        'phone',
        'groups',
        'offline_access',
        'tags.write',
        'tags:read',
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(scope, { minLength: 1, maxLength: 5 }), async (scopes) => {
        const answer = await visitor.open(authPath(client, { scope: scopes.join(' ') }));
        const kept = scopes.filter((name) => registered.includes(name));
        const refused = scopes.filter((name) => /[.:]/.test(name) && !registered.includes(name));
        if (refused.length > 0) {
          const description = errorOf(answer, 'invalid_scope');
          assert.ok(
            refused.some((name) => description.startsWith(`${name} `)),
            description,
          );
        } else if (kept.length === 0) {
          errorOf(answer, 'invalid_scope');
        } else {
          const page = await visitor.open(consentPathOf(answer));
          const shown = [...page.text.matchAll(/name="scope"\s+value="([^"]*)"/g)];
          assert.deepEqual(new Set(shown.map(([, name]) => name)), new Set(kept));
        }
      }),
      { numRuns: 60 },
    );
    assert.equal(answerTo(await visitor.open(authPath(client, { scope: 'a.b' }))).code, undefined);
  });
});
