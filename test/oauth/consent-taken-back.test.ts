import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { CompiledQuery } from 'kysely';
import type { Database } from '../../src/storage/database.ts';
import { onEachDatabase } from '../support/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { type Json, type TestServer, bootServer } from '../support/server.ts';
import {
  type Fields,
  authFields,
  codeOf,
  consent,
  consentPathOf,
  errorOf,
  remember,
  signedIn,
} from './authorizing.ts';
import { createClient } from './client-bodies.ts';
import { decideWith, formOf, grantsOf } from './consent-form.ts';
import { postAs } from './redemptions.ts';

const ALL = 'delete from oauth_grants';

/**
 * From now on, what was allowed is taken back in the very moment in which a pushed request is used up:
 * after the last look at it, and before the answer is written.
 */
async function takeBackMeanwhile(database: Database, how = ALL): Promise<void> {
  const when = `when (old.purpose = 'pushed_authorization_request')`;
  const statements =
    database.dialect === 'sqlite'
      ? [
          `create trigger take_back after delete on one_time_secrets ${when}
           begin ${how}; end`,
        ]
      : [
          `create function take_back() returns trigger language plpgsql
           as $$ begin ${how}; return null; end $$`,
          `create trigger take_back after delete on one_time_secrets for each row ${when}
           execute function take_back()`,
        ];
  await database.transaction(async (tx) => {
    for (const statement of statements) await tx.executeQuery(CompiledQuery.raw(statement));
  });
}

onEachDatabase((database) => {
  async function boot(t: TestContext) {
    const clock = new ManualClock();
    const server = await bootServer(database, { clock });
    t.after(() => server.stop());
    const client = await createClient(server, { scopes: ['tags.read', 'tags.write', 'email'] });
    const { person, visitor } = await signedIn(server, clock);
    return { clock, server, client, userId: person.userId, visitor };
  }

  /** Where the person goes with a request that the client has pushed. */
  async function pushed(server: TestServer, client: Json, changes: Fields = {}): Promise<string> {
    const { client_id: clientId = '', ...fields } = authFields(client, changes);
    const { json, text, status } = await postAs(server, client, '/oauth2/par', fields);
    assert.equal(status, 201, text);
    return `/oauth2/auth?client_id=${clientId}&request_uri=${json.request_uri}`;
  }

  for (const how of [ALL, `update oauth_grants set scopes = '["openid"]'`]) {
    test(`a consent that is taken back while its answer is made gives no code: ${how}`, async (t) => {
      const { clock, server, client, userId, visitor } = await boot(t);
      await remember(server, clock, { userId, clientId: client.client_id });
      codeOf(await visitor.open(await pushed(server, client)));
      const path = await pushed(server, client, { prompt: 'none' });
      await takeBackMeanwhile(server.app.database, how);
      assert.match(errorOf(await visitor.open(path), 'consent_required'), /revoked the consent/);
    });
  }

  test('what is taken back while more is allowed does not come back', async (t) => {
    const { clock, server, client, userId, visitor } = await boot(t);
    await remember(server, clock, { userId, clientId: client.client_id });
    const path = await pushed(server, client, { scope: 'openid tags.write' });
    const asked = consentPathOf(await visitor.open(path));
    await takeBackMeanwhile(server.app.database);
    codeOf(await consent(server, visitor, asked));
    const [grant, ...more] = await grantsOf(server, client);
    assert.deepEqual(more, []);
    assert.deepEqual(grant?.scopes, ['openid', 'tags.write']);
  });

  test('of decisions in several tabs, none undoes another', async (t) => {
    const { server, client, visitor } = await boot(t);
    const scopes = ['openid', 'email', 'tags.read', 'tags.write'];
    const forms = [];
    for (const scope of scopes.slice(2)) {
      forms.push(await formOf(visitor, client, { scope: `openid email ${scope}` }));
    }
    const answers = await Promise.all(
      forms.map((form) => decideWith(server, visitor, form, 'approve')),
    );
    for (const answer of answers) codeOf(answer);
    const [grant, ...more] = await grantsOf(server, client);
    assert.deepEqual(more, []);
    assert.deepEqual(grant?.scopes.toSorted(), scopes.toSorted());
  });
});
