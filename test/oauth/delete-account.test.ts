import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { onEachDatabase } from '../support/databases.ts';
import { DnsServer } from '../support/dns-server.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { type SessionHeaders, firstPerson, signInAs } from '../support/people.ts';
import { type Json, type TestServer, bootServer } from '../support/server.ts';
import { clientBody } from './client-bodies.ts';
import { newHost, untilLookedThrough } from './verification-clients.ts';

onEachDatabase((database) => {
  let server: TestServer;
  let dns: DnsServer;
  let chief: SessionHeaders;
  const clock = new ManualClock();
  before(async () => {
    dns = await DnsServer.start();
    server = await bootServer(database, { clock, settings: { DNS_SERVERS: dns.address } });
    chief = await signInAs(server, (await firstPerson(server)).userId, clock);
  });
  after(async () => {
    await server.stop();
    dns.stop();
  });

  async function call(method: string, path: string, body?: unknown): Promise<Json> {
    const answer = await server.call(method, path, { token: null, headers: chief, body });
    assert.equal(answer.status, 200, answer.text);
    return answer.json.result;
  }

  /** An account with one client, whose host is being looked up. */
  async function createAccount() {
    const { id: accountId } = await call('POST', '/accounts', { name: 'doomed' });
    const host = newHost();
    const end = Promise.withResolvers<string[]>();
    dns.set(host, async () => ({ txt: await end.promise }));
    const body = clientBody({ client_uri: `https://${host}/` });
    const client = await call('POST', `/accounts/${accountId}/oauth_clients`, body);
    await dns.untilAsked(host);
    const { text } = client.client_uri_verification;
    return { accountId, clientId: client.client_id as string, host, text, end: end.resolve };
  }

  async function countRows(clientId: string): Promise<number[]> {
    const { read } = server.app.database;
    const lists = [
      await read.selectFrom('oauth_clients').select('id').where('id', '=', clientId).execute(),
      await read
        .selectFrom('oauth_client_secrets')
        .select('client_id')
        .where('client_id', '=', clientId)
        .execute(),
      await read
        .selectFrom('oauth_client_verifications')
        .select('client_id')
        .where('client_id', '=', clientId)
        .execute(),
    ];
    return lists.map(({ length }) => length);
  }

  test('an account takes its clients with it, their secrets and verifications', async () => {
    const { accountId, clientId, host, end } = await createAccount();
    end([]);
    const path = `/accounts/${accountId}/oauth_clients/${clientId}/rotate_secret`;
    await call('POST', path);
    assert.deepEqual(await countRows(clientId), [1, 2, 1]);
    await call('DELETE', `/accounts/${accountId}`);
    assert.deepEqual(await countRows(clientId), [0, 0, 0]);
    clock.advance(60_000);
    await untilLookedThrough(server, dns);
    assert.equal(dns.asked(host), 1);
  });

  test('also while a look-up runs: nothing comes of that, not even trouble', async () => {
    const { accountId, clientId, text, end } = await createAccount();
    await call('DELETE', `/accounts/${accountId}`);
    assert.deepEqual(await countRows(clientId), [0, 0, 0]);
    end([text]);
    await untilLookedThrough(server, dns);
    assert.deepEqual(await countRows(clientId), [0, 0, 0]);
    const rows = await server.app.database.read
      .selectFrom('audit_logs')
      .select('action_type')
      .where('resource_id', '=', clientId)
      .execute();
    assert.deepEqual(
      rows.map((row) => row.action_type),
      ['create'],
    );
    const errors = server.logLines.filter((line) => JSON.parse(line).level >= 50);
    assert.deepEqual(errors, []);
  });
});
