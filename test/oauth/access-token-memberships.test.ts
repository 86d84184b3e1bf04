import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { issueAccessToken } from '../support/access-tokens.ts';
import { onEachDatabase } from '../support/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { type SessionHeaders, createPerson, signInAs } from '../support/people.ts';
import { type Answer, type Json, type TestServer, bootServer } from '../support/server.ts';
import { codeOf, signedIn } from './authorizing.ts';
import { createClient } from './client-bodies.ts';
import { addAccount, decideWith, formOf, grantsOf, leave } from './consent-form.ts';

/** A client that may see memberships sees those in the accounts that were picked for it. */
onEachDatabase((database) => {
  const clock = new ManualClock();
  let server: TestServer;
  let clientId: string;
  before(async () => {
    server = await bootServer(database, { clock });
    ({ client_id: clientId } = await createClient(server, { scopes: ['memberships.read'] }));
  });
  after(() => server.stop());

  /** A member of the first account and of another, who is invited into a third. */
  async function person() {
    const made = await createPerson(server, { accountId: server.accountId, roles: ['tag-admin'] });
    const { userId } = made;
    const other = await addAccount(server, userId, 'Another');
    const third = await addAccount(server, userId, 'Third');
    await server.app.database.transaction(async (tx) => {
      await tx
        .updateTable('members')
        .set({ status: 'pending' })
        .where('account_id', '=', third)
        .execute();
    });
    return { userId, other, third, session: await signInAs(server, userId, clock) };
  }

  const issue = async (userId: string, accountIds: string[]) => {
    const options = { userId, clientId, scopes: ['memberships.read'], accountIds, clock };
    return (await issueAccessToken(server, options)).value;
  };

  const list = (token: string, query = ''): Promise<Answer> =>
    server.call('GET', `/memberships${query}`, { token });

  function accountsIn({ status, json, text }: Answer): string[] {
    assert.equal(status, 200, text);
    assert.equal(json.result_info.total_count, json.result.length);
    return json.result.map(({ account }: Json) => account.id as string);
  }

  /** The ids of memberships by account. */
  async function membershipsOf(session: SessionHeaders): Promise<Map<string, string>> {
    const { json } = await server.call('GET', '/memberships', { token: null, headers: session });
    return new Map(json.result.map(({ id, account }: Json) => [account.id, id]));
  }

  test('whoever is asked for memberships alone says in which accounts, too', async () => {
    const { person: made, visitor } = await signedIn(server, clock);
    const other = await addAccount(server, made.userId, 'Another');
    const client = await createClient(server, { scopes: ['memberships.read'] });
    const form = await formOf(visitor, client, { scope: 'memberships.read' });
    assert.deepEqual(form.accounts, { Another: 'unticked', 'First account': 'unticked' });
    codeOf(
      await decideWith(server, visitor, form, 'approve', (fields) => {
        fields.append('account', other);
      }),
    );
    const [grant] = await grantsOf(server, client);
    assert.deepEqual(grant?.accounts, [other]);
  });

  test('the person sees all three', async () => {
    const { session, other, third } = await person();
    const seen = [...(await membershipsOf(session)).keys()];
    assert.deepEqual(seen.sort(), [server.accountId, other, third].sort());
  });

  test('a client sees what was picked', async () => {
    const { userId, other, third } = await person();
    const { accountId } = server;
    const here = await issue(userId, [accountId]);
    assert.deepEqual(accountsIn(await list(here)), [accountId]);
    assert.deepEqual(accountsIn(await list(here, '?name=Another')), []);
    assert.deepEqual(accountsIn(await list(here, '?status=pending')), []);
    assert.deepEqual(accountsIn(await list(here, '?status=rejected')), []);
    const there = await issue(userId, [other]);
    assert.deepEqual(accountsIn(await list(there, '?account.name=Another')), [other]);
    const both = await issue(userId, [accountId, other]);
    assert.deepEqual(accountsIn(await list(both)), [other, accountId]);
    assert.deepEqual(accountsIn(await list(both, '?direction=desc')), [accountId, other]);
    assert.deepEqual(accountsIn(await list(await issue(userId, []))), []);
    // Nobody can pick an account before having joined it.
    assert.deepEqual(accountsIn(await list(await issue(userId, [third]))), []);
  });

  test('a page of them counts no others', async () => {
    const { userId, other } = await person();
    const { json } = await list(await issue(userId, [other]), '?per_page=5&page=1');
    const { total_count: total, count } = json.result_info;
    assert.deepEqual([count, total], [1, 1]);
  });

  test('one by one: 404 for the others', async () => {
    const { userId, session, other, third } = await person();
    const ids = await membershipsOf(session);
    const token = await issue(userId, [other]);
    for (const [account, status] of [
      [other, 200],
      [server.accountId, 404],
      [third, 404],
    ] as const) {
      const answer = await server.call('GET', `/memberships/${ids.get(account)}`, { token });
      assert.equal(answer.status, status, answer.text);
      assert.equal(answer.code, status === 404 ? 7003 : undefined);
    }
  });

  test('an account that the person has left is gone from it', async () => {
    const { userId, other } = await person();
    const token = await issue(userId, [server.accountId, other]);
    await leave(server, userId, other);
    assert.deepEqual(accountsIn(await list(token)), [server.accountId]);
  });
});
