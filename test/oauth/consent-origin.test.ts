import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { grantOrigins } from '../../src/storage/migrations/0014-grant-origins.ts';
import { REDIRECT_URI } from '../support/authorizations.ts';
import { onEachDatabase } from '../support/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { type Json, type TestServer, bootServer } from '../support/server.ts';
import { readPage } from '../support/visitor.ts';
import { authPath, codeOf, consentPathOf, errorOf, remember, signedIn } from './authorizing.ts';
import { createClient, patch } from './client-bodies.ts';
import { decideWith, formOf, setClient } from './consent-form.ts';

const OTHER = 'https://other.example.org/callback';
const SAME_ORIGIN = 'https://app.example.com/second';
const OTHER_PORT = 'https://app.example.com:8443/callback';

onEachDatabase((database) => {
  const clock = new ManualClock();
  let server: TestServer;
  before(async () => {
    server = await bootServer(database, { clock });
  });
  after(() => server.stop());

  async function begin() {
    const client = await createClient(server, {
      scopes: ['tags.read', 'tags.write'],
      client_uri: 'https://example.com',
    });
    const { person, visitor } = await signedIn(server, clock);
    return { client, visitor, userId: person.userId };
  }

  const addUris = async (client: Json, ...uris: string[]): Promise<void> => {
    const body = { redirect_uris: [...client.redirect_uris, ...uris] };
    const { status, text } = await patch(server, client.client_id, body);
    assert.equal(status, 200, text);
  };

  const verify = (clientId: string): Promise<void> =>
    server.app.database.transaction(async (tx, announce) => {
      await tx
        .updateTable('oauth_client_verifications')
        .set({ status: 'verified', verified_at: 1 })
        .where('client_id', '=', clientId)
        .execute();
      announce({ topic: 'oauth_client', key: clientId });
    });

  test('a remembered consent does not cover a redirect origin that is added later', async () => {
    const { client, visitor, userId } = await begin();
    await remember(server, clock, { userId, clientId: client.client_id });
    await addUris(client, OTHER, SAME_ORIGIN, OTHER_PORT);
    codeOf(await visitor.open(authPath(client)));
    codeOf(await visitor.open(authPath(client, { redirect_uri: SAME_ORIGIN })), SAME_ORIGIN);
    for (const redirect_uri of [OTHER, OTHER_PORT]) {
      const silent = await visitor.open(authPath(client, { redirect_uri, prompt: 'none' }));
      assert.match(silent.headers.get('location') ?? '', /error=consent_required/);
      consentPathOf(await visitor.open(authPath(client, { redirect_uri })));
    }
    const form = await formOf(visitor, client, { redirect_uri: OTHER });
    assert.equal(readPage(form.page).title, 'Example has a new redirect address');
    assert.match(
      form.page.text,
      /This application has not sent you to other\.example\.org before\./,
    );
    const decided = await decideWith(server, visitor, form, 'approve', (fields) => {
      fields.append('account', server.accountId);
    });
    codeOf(decided, OTHER);
    codeOf(await visitor.open(authPath(client, { redirect_uri: OTHER })), OTHER);
    codeOf(await visitor.open(authPath(client)));
    consentPathOf(await visitor.open(authPath(client, { redirect_uri: OTHER_PORT })));
  });

  test('each origin has the scopes that were allowed for it', async () => {
    const { client, visitor, userId } = await begin();
    const scopes = ['openid', 'tags.read', 'tags.write'];
    await remember(server, clock, { userId, clientId: client.client_id, scopes });
    await addUris(client, OTHER);
    const small = { redirect_uri: OTHER, scope: 'openid tags.read' };
    const form = await formOf(visitor, client, small);
    const decided = await decideWith(server, visitor, form, 'approve', (fields) => {
      fields.append('account', server.accountId);
    });
    codeOf(decided, OTHER);
    codeOf(await visitor.open(authPath(client, small)), OTHER);
    const all = { scope: scopes.join(' ') };
    codeOf(await visitor.open(authPath(client, all)));
    consentPathOf(await visitor.open(authPath(client, { ...all, redirect_uri: OTHER })));
  });

  test('a scope that is declined at an origin does not return there from another one', async () => {
    const { client, visitor, userId } = await begin();
    await setClient(server, client, { optional_scopes: ['tags.write'] });
    const scopes = ['openid', 'tags.read', 'tags.write'];
    await remember(server, clock, { userId, clientId: client.client_id, scopes });
    await addUris(client, OTHER);
    const decide = async (fields: Record<string, string>, withWrite: boolean) => {
      const form = await formOf(visitor, client, { scope: scopes.join(' '), ...fields });
      await decideWith(server, visitor, form, 'approve', (sent) => {
        sent.delete('scope');
        for (const scope of scopes) {
          if (withWrite || scope !== 'tags.write') sent.append('scope', scope);
        }
        sent.set('account', server.accountId);
      });
    };
    await decide({ prompt: 'consent' }, false);
    await decide({ redirect_uri: OTHER }, true);
    consentPathOf(await visitor.open(authPath(client, { scope: scopes.join(' ') })));
  });

  test('the page says what is verified, and warns of a redirect host elsewhere', async () => {
    const { client, visitor } = await begin();
    const unverified = await formOf(visitor, client);
    assert.doesNotMatch(unverified.page.text, /is not verified as part of|has confirmed/);
    await verify(client.client_id);
    const inside = (await formOf(visitor, client)).page.text;
    assert.match(inside, /<strong>example\.com<\/strong> has confirmed that it publishes/);
    assert.match(inside, /The name and\s+the logo are not verified/);
    assert.doesNotMatch(inside, /is not verified as part of/);
    const lookalike = 'https://badexample.com/callback';
    await addUris(client, OTHER, lookalike);
    for (const [redirect_uri, host] of [
      [OTHER, 'other.example.org'],
      [lookalike, 'badexample.com'],
    ] as const) {
      const { text } = (await formOf(visitor, client, { redirect_uri })).page;
      assert.ok(text.includes(`${host} is not verified as part of example.com.`), text);
    }
    // A new name stays next to the mark, and the sentence says that it is not verified.
    await patch(server, client.client_id, { client_name: 'Your Bank' });
    const renamed = (await formOf(visitor, client)).page.text;
    assert.match(renamed, /Your Bank/);
    assert.match(renamed, /class="mark verified">Verified<[^]*The name and\s+the logo are not/);
  });

  test('what is repeated is checked again when the code is stored', async () => {
    const { client, visitor, userId } = await begin();
    await remember(server, clock, { userId, clientId: client.client_id });
    await server.app.database.transaction(async (tx) => {
      await tx
        .updateTable('oauth_grants')
        .set({ redirect_origins: '{"https://elsewhere.example":["openid","tags.read"]}' })
        .where('user_id', '=', userId)
        .execute();
    });
    errorOf(await visitor.open(authPath(client, { prompt: 'none' })), 'consent_required');
  });

  test('the upgrade keeps the origins to which codes went', async (t) => {
    const old = await bootServer(database, { clock });
    t.after(() => old.stop());
    const known = await createClient(old, { scopes: ['tags.read'] });
    await setClient(old, known, { redirect_uris: [REDIRECT_URI, OTHER] });
    const { person, visitor } = await signedIn(old, clock);
    await remember(old, clock, { userId: person.userId, clientId: known.client_id });
    const store = old.app.database;
    await store.transaction(async (tx) => {
      await tx.schema.alterTable('oauth_grants').dropColumn('redirect_origins').execute();
      await grantOrigins.up(tx, { name: database, text: sql`text`, clustered: sql`` });
    });
    codeOf(await visitor.open(authPath(known)));
    consentPathOf(await visitor.open(authPath(known, { redirect_uri: OTHER })));
  });
});
