import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachDatabase, refuseConnections } from '../support/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { refuseWrites } from '../support/refused-writes.ts';
import { bootServer } from '../support/server.ts';
import {
  authPath,
  codeOf,
  consent,
  consentPathOf,
  errorOf,
  remember,
  signedIn,
} from './authorizing.ts';
import { createClient } from './client-bodies.ts';

onEachDatabase((database) => {
  test('what goes wrong here is told to the client, and leaves nothing behind', async (t) => {
    const clock = new ManualClock();
    const server = await bootServer(database, { clock });
    t.after(() => server.stop());
    const client = await createClient(server, { scopes: ['tags.read'] });
    const { visitor } = await signedIn(server, clock);
    const asked = consentPathOf(await visitor.open(authPath(client)));
    const accept = await refuseWrites(server.app.database, 'insert', 'oauth_families');
    const refused = await consent(server, visitor, asked);
    assert.equal(errorOf(refused, 'server_error'), 'the server had an unexpected error');
    await accept();
    const { read } = server.app.database;
    assert.deepEqual(await read.selectFrom('oauth_grants').selectAll().execute(), []);
    const rows = await read.selectFrom('audit_logs').select('action_type').execute();
    assert.ok(!rows.some((row) => row.action_type === 'authorize'));
    assert.ok(server.logLines.some((line) => line.includes('an authorization failed')));
    codeOf(await consent(server, visitor, consentPathOf(await visitor.open(authPath(client)))));
  });
});

test('a database that is gone is told to the client', async (t) => {
  const clock = new ManualClock();
  const server = await bootServer('postgres', { clock });
  t.after(() => server.stop());
  const client = await createClient(server, { scopes: ['tags.read'] });
  const { person, visitor } = await signedIn(server, clock);
  await remember(server, clock, { userId: person.userId, clientId: client.client_id });
  codeOf(await visitor.open(authPath(client)));
  const accept = await refuseConnections(server.postgresUrl ?? '');
  const answer = await visitor.open(authPath(client));
  await accept();
  assert.equal(errorOf(answer, 'temporarily_unavailable'), 'storage is unreachable');
});
