import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { onEachDatabase } from '../support/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { type TestServer, bootServer } from '../support/server.ts';
import { readPage, redirectOf } from '../support/visitor.ts';
import { answerTo, authPath, codeOf, giveSession, remember, signedIn } from './authorizing.ts';
import { createClient } from './client-bodies.ts';
import {
  addAccount,
  askedAt,
  decideWith,
  formOf,
  grantsOf,
  leave,
  readForm,
  setClient,
} from './consent-form.ts';

const SCOPES = ['profile', 'email', 'tags.read', 'tags.write', 'user-details.read'];
const OPTIONAL = ['email', 'tags.write'];
const CHANGED = 'The requested permissions have changed. Review them again.';
const NO_LONGER = 'One of the selected accounts is no longer available. Review your selection.';
const PICK = 'Select at least one account.';

onEachDatabase((database) => {
  const clock = new ManualClock();
  let server: TestServer;
  before(async () => {
    server = await bootServer(database, { clock });
  });
  after(() => server.stop());

  async function begin(changes: Record<string, unknown> = {}) {
    const { person, visitor } = await signedIn(server, clock);
    const client = await createClient(server, {
      scopes: SCOPES,
      optional_scopes: OPTIONAL,
      ...changes,
    });
    return { person, visitor, client };
  }

  test('yes: a code for what is ticked', async () => {
    const { person, visitor, client } = await begin();
    const second = await addAccount(server, person.userId, 'Second');
    await addAccount(server, person.userId, 'Third');
    const form = await formOf(visitor, client, { scope: 'openid email tags.read tags.write' });
    const answer = await decideWith(server, visitor, form, 'approve', (fields) => {
      fields.append('account', server.accountId);
      fields.append('account', second);
      fields.delete('scope', 'tags.write');
    });
    codeOf(answer);
    const { state, iss } = answerTo(answer);
    assert.deepEqual([state, iss], ['s t/a+t&e=', server.origin]);
    assert.deepEqual(await grantsOf(server, client), [
      {
        userId: person.userId,
        accounts: [server.accountId, second].sort(),
        scopes: ['openid', 'email', 'tags.read'],
        declined: ['tags.write'],
      },
    ]);
  });

  test('no: whatever is ticked, and whatever does not say yes', async () => {
    const { visitor, client } = await begin();
    const clear = (fields: URLSearchParams): void => {
      fields.delete('account');
      fields.delete('scope');
    };
    for (const [decision, edit] of [
      ['deny', undefined],
      ['deny', clear],
      ['', undefined],
      ['Approve', undefined],
    ] as const) {
      const form = await formOf(visitor, client);
      const answer = await decideWith(server, visitor, form, decision, edit);
      const { error, code, state, iss } = answerTo(answer);
      assert.deepEqual([error, code], ['access_denied', undefined]);
      assert.deepEqual([state, iss], ['s t/a+t&e=', server.origin]);
    }
    assert.deepEqual(await grantsOf(server, client), []);
  });

  test('without an account, the form comes again as it was', async () => {
    const { person, visitor, client } = await begin();
    await addAccount(server, person.userId, 'Second');
    const form = await formOf(visitor, client, { scope: 'openid email tags.read tags.write' });
    const without = await decideWith(server, visitor, form, 'approve', (fields) => {
      fields.delete('scope', 'email');
    });
    assert.deepEqual(readPage(without), {
      status: 400,
      title: 'Allow Example to access your account?',
      error: PICK,
    });
    const again = readForm(without);
    assert.equal(again.scopes.email, 'unticked');
    assert.equal(again.scopes['tags.write'], 'ticked');
    assert.match(without.text, /aria-describedby="accounts-error"/);
    assert.match(without.text, /\sautofocus/);
    const answer = await decideWith(server, visitor, again, 'approve', (fields) => {
      fields.append('account', server.accountId);
    });
    codeOf(answer);
    const [grant] = await grantsOf(server, client);
    assert.deepEqual(grant?.declined, ['email']);
  });

  test('accounts do not matter where nothing in them is allowed', async () => {
    const { person, visitor, client } = await begin();
    for (const scope of ['openid profile user-details.read', 'openid tags.write']) {
      const form = await formOf(visitor, client, { scope, prompt: 'consent' });
      const answer = await decideWith(server, visitor, form, 'approve', (fields) => {
        fields.set('account', server.accountId);
        fields.delete('scope', 'tags.write');
      });
      codeOf(answer);
    }
    assert.deepEqual(await grantsOf(server, client), [
      {
        userId: person.userId,
        accounts: [],
        scopes: ['openid', 'profile', 'user-details.read'],
        declined: ['tags.write'],
      },
    ]);
  });

  test('an altered form gives nothing that was not offered', async () => {
    const { person, visitor, client } = await begin();
    const guarded = await addAccount(server, person.userId, 'G', { demandsSecondFactor: true });
    const { person: other } = await signedIn(server, new ManualClock());
    const foreign = await addAccount(server, other.userId, 'Foreign');
    for (const [error, edit] of [
      [CHANGED, (fields: URLSearchParams) => fields.append('scope', 'email')],
      [CHANGED, (fields: URLSearchParams) => fields.append('scope', 'members.write')],
      [CHANGED, (fields: URLSearchParams) => fields.append('scope', '')],
      [CHANGED, (fields: URLSearchParams) => fields.delete('scope', 'tags.read')],
      [CHANGED, (fields: URLSearchParams) => fields.delete('scope', 'openid')],
      [CHANGED, (fields: URLSearchParams) => fields.delete('scope')],
      [NO_LONGER, (fields: URLSearchParams) => fields.append('account', guarded)],
      [NO_LONGER, (fields: URLSearchParams) => fields.append('account', foreign)],
      [NO_LONGER, (fields: URLSearchParams) => fields.append('account', '')],
      [PICK, (fields: URLSearchParams) => fields.delete('account')],
    ] as const) {
      const form = await formOf(visitor, client, { scope: 'openid tags.read' });
      const answer = await decideWith(server, visitor, form, 'approve', edit);
      assert.deepEqual([readPage(answer).status, readPage(answer).error], [400, error]);
    }
    assert.deepEqual(await grantsOf(server, client), []);
  });

  test('to ask for more takes nothing away, and other accounts are another grant', async () => {
    const { person, visitor, client } = await begin();
    const second = await addAccount(server, person.userId, 'Second');
    const { userId } = person;
    const { accountId } = server;
    await remember(server, clock, { userId, clientId: client.client_id });
    clock.advance(1);
    const form = await formOf(visitor, client, { scope: 'tags.read email tags.write' });
    codeOf(
      await decideWith(server, visitor, form, 'approve', (fields) =>
        fields.delete('scope', 'email'),
      ),
    );
    const first = {
      userId,
      accounts: [accountId],
      scopes: ['tags.read', 'tags.write', 'openid'],
      declined: ['email'],
    };
    assert.deepEqual(await grantsOf(server, client), [first]);
    clock.advance(1);
    const again = await formOf(visitor, client, { scope: 'tags.read', prompt: 'consent' });
    codeOf(
      await decideWith(server, visitor, again, 'approve', (fields) =>
        fields.append('account', second),
      ),
    );
    const both = [accountId, second].sort();
    const other = { userId, accounts: both, scopes: ['tags.read'], declined: [] };
    const grants = await grantsOf(server, client);
    assert.equal(grants.length, 2);
    assert.deepEqual(new Set(grants), new Set([first, other]));
  });

  test('what the client has changed meanwhile counts', async () => {
    const { visitor, client } = await begin();
    const scope = 'openid email tags.read';
    // What could be declined no longer can.
    const form = await formOf(visitor, client, { scope });
    await setClient(server, client, { optional_scopes: [] });
    const refused = await decideWith(server, visitor, form, 'approve', (fields) => {
      fields.delete('scope', 'email');
    });
    assert.equal(readPage(refused).error, CHANGED);
    assert.equal(readForm(refused).scopes.email, 'required');
    // What it asks for is no longer its own.
    const path = await askedAt(visitor, client, { scope });
    await setClient(server, client, { scopes: ['openid', 'tags.read'] });
    for (const answer of [
      await decideWith(server, visitor, form, 'approve'),
      await visitor.open(path),
    ]) {
      assert.equal(answerTo(answer).error, 'invalid_scope');
    }
    // Where the answer should go is no longer its own: nothing goes there.
    const last = await formOf(visitor, client, { scope: 'openid' });
    await setClient(server, client, { redirect_uris: ['https://app.example.com/other'] });
    for (const decision of ['approve', 'deny']) {
      const answer = await decideWith(server, visitor, last, decision);
      assert.deepEqual(
        [readPage(answer).status, readPage(answer).title],
        [400, 'Invalid authorization request'],
      );
    }
    await server.call('DELETE', `${server.account}/oauth_clients/${client.client_id}`);
    const gone = await decideWith(server, visitor, last, 'approve');
    assert.equal(readPage(gone).title, 'Invalid authorization request');
  });

  test('so does what has become of the person', async () => {
    const { person, visitor, client } = await begin();
    await setClient(server, client, { visibility: 'public' });
    const second = await addAccount(server, person.userId, 'Second');
    const form = await formOf(visitor, client);
    await leave(server, person.userId, second);
    const answer = await decideWith(server, visitor, form, 'approve', (fields) => {
      fields.set('account', second);
    });
    assert.equal(readPage(answer).error, NO_LONGER);
    assert.deepEqual(readForm(answer).accounts, { 'First account': 'unticked' });
  });

  test('a private client is for members until the very end', async () => {
    const { person, visitor, client } = await begin();
    const form = await formOf(visitor, client, { scope: 'openid' });
    await leave(server, person.userId, server.accountId);
    for (const decision of ['approve', 'deny']) {
      const answer = await decideWith(server, visitor, form, decision);
      assert.deepEqual(
        [readPage(answer).status, readPage(answer).title],
        [403, 'This application is private'],
      );
    }
    assert.deepEqual(await grantsOf(server, client), []);
  });

  test('somebody without an account may say no, and yes to the rest', async () => {
    const { visitor, client } = await begin();
    await setClient(server, client, { visibility: 'public' });
    const { person: loner } = await signedIn(server, clock);
    await leave(server, loner.userId, server.accountId);
    await giveSession(server, clock, visitor, loner.userId);
    const form = await formOf(visitor, client, { scope: 'openid tags.read' });
    const answer = await decideWith(server, visitor, form, 'approve');
    assert.equal(readPage(answer).error, 'None of your accounts has the requested permissions.');
    const denied = await decideWith(server, visitor, form, 'deny');
    assert.equal(answerTo(denied).error, 'access_denied');
    const rest = await formOf(visitor, client, { scope: 'openid tags.write' });
    const untick = (fields: URLSearchParams): void => fields.delete('scope', 'tags.write');
    codeOf(await decideWith(server, visitor, rest, 'approve', untick));
    assert.deepEqual((await grantsOf(server, client))[0]?.accounts, []);
  });

  test('as many accounts as a person can have', async () => {
    const { person, visitor, client } = await begin();
    const ids = Array.from({ length: 499 }, (_, i) => i.toString(16).padStart(32, '0'));
    await server.app.database.transaction(async (tx) => {
      const accounts = ids.map((id) => ({ id, name: id, created_at: 0 }));
      await tx.insertInto('accounts').values(accounts).execute();
      await tx
        .insertInto('members')
        .values(
          ids.map((id) => ({
            account_id: id,
            id,
            user_id: person.userId,
            status: 'accepted' as const,
            created_at: 0,
          })),
        )
        .execute();
      const roles = ids.map((id) => ({ account_id: id, member_id: id, role: 'member' }));
      await tx.insertInto('member_roles').values(roles).execute();
    });
    const form = await formOf(visitor, client);
    const answer = await decideWith(server, visitor, form, 'approve', (fields) => {
      for (const id of [...ids, server.accountId]) fields.append('account', id);
    });
    codeOf(answer);
    assert.equal((await grantsOf(server, client))[0]?.accounts.length, 500);
  });

  test('once decided, it is remembered', async () => {
    const { visitor, client } = await begin();
    const form = await formOf(visitor, client);
    codeOf(await decideWith(server, visitor, form, 'approve'));
    codeOf(await visitor.open(authPath(client)));
    const [status] = redirectOf(await visitor.open(authPath(client, { prompt: 'consent' })));
    assert.equal(status, 303);
  });
});
