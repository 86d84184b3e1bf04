import { chmod, rm } from 'node:fs/promises';
import { type TestContext, describe, test } from 'node:test';
import { PostgresPair } from '../support/postgres-pair.ts';
import { type TestServer, bootServer, createDataDir, newInstallation } from '../support/server.ts';
import { assertNothingLost, failOver, revokeEverywhere } from './failover.ts';
import { NodeLoad } from './node-load.ts';

const WRITERS_PER_NODE = 4;

async function startPair(t: TestContext): Promise<PostgresPair> {
  const directory = await createDataDir();
  // For root PostgreSQL runs as another user, who must get to its own directory below.
  await chmod(directory, 0o711);
  const pair = await PostgresPair.start(directory);
  t.after(async () => {
    await pair.stop();
    await rm(directory, { recursive: true });
  });
  await pair.query(pair.primaryPort, 'create database latchkey');
  return pair;
}

describe('two nodes on a PostgreSQL primary with a standby', () => {
  test('the primary is gone, the standby promoted: nothing is lost, and both go on', async (t) => {
    const pair = await startPair(t);
    const url = pair.url('latchkey');
    const besides = newInstallation(url);
    const boot = (): Promise<TestServer> => bootServer('postgres', { besides });
    const boots = [boot(), boot()] as const;
    // One that comes up is stopped, whatever becomes of the other.
    t.after(() => Promise.allSettled(boots.map(async (booting) => (await booting).stop())));
    const [a, b] = await Promise.all(boots);
    const nodes = [
      { name: 'a', origin: a.origin },
      { name: 'b', origin: b.origin },
    ];
    const load = new NodeLoad(nodes, besides);
    t.after(() => load.close());
    load.start(WRITERS_PER_NODE);
    await failOver(pair, nodes, load, { changesPerNode: 20, outageMs: 0, how: 'killed' });
    await load.stop();
    await revokeEverywhere(nodes, load, besides);
    await assertNothingLost(nodes, load, url);
  });
});
