import assert from 'node:assert/strict';
import { createPostgresDatabase } from '../support/databases.ts';
import { assertNothingLost, revokeEverywhere } from './failover.ts';
import { NodeLoad } from './node-load.ts';
import { type NodeProcesses, startNodes } from './node-processes.ts';
import { PgBouncer } from './pgbouncer.ts';
import type { Proof } from './proof.ts';

const NODES = 2;
const WRITERS_PER_NODE = 12;
const BACK_MS = 60_000;
// The promise is one second; the rest is for the request that finds out, on a busy machine.
const REVOKED_MS = 2_000;
const DEAF = 'announcements do not arrive';

interface Seen {
  changes: number;
  refusals: number;
  revokedMs: number;
}

/** Two nodes behind PgBouncer in transaction mode, which is restarted under load. */
export const prove: Proof = async (context) => {
  const { directory } = context;
  const changes = context.count('changes', 500);
  const rounds = context.count('rounds', 3);
  const database = await createPostgresDatabase();
  const bouncer = await PgBouncer.start(directory, database.url);
  try {
    const settings = { DATABASE_URL: bouncer.url, DATABASE_DIRECT_URL: database.url };
    const direct = await withNodes(directory, settings, async (nodes) => {
      const seen: Seen[] = [];
      for (let round = 1; round <= rounds; round++) {
        seen.push(await loadAndRestart(nodes, bouncer, database.url, changes));
        context.progress(`round ${round}: ${JSON.stringify(seen.at(-1))}`);
      }
      assert.equal(sayDeaf(nodes), 0);
      return seen;
    });
    const other = await createPostgresDatabase();
    const name = new URL(other.url).pathname;
    const lone = { DATABASE_URL: new URL(name, bouncer.url).href };
    const alone = await withNodes(directory, lone, async (nodes) => {
      assert.equal(sayDeaf(nodes), NODES, 'each node says so once');
      const seen = await loadAndRestart(nodes, bouncer, other.url, changes);
      context.progress(`without a direct address: ${JSON.stringify(seen)}`);
      return seen;
    });
    await other.drop();
    return report(direct, alone);
  } finally {
    await bouncer.kill();
    await database.drop();
  }
};

async function withNodes<T>(
  directory: string,
  settings: Record<string, string>,
  work: (nodes: NodeProcesses) => Promise<T>,
): Promise<T> {
  const nodes = await startNodes(directory, NODES, settings);
  try {
    return await work(nodes);
  } finally {
    await nodes.stop();
  }
}

/** How many of them have said that they hear nothing, each in one line. */
function sayDeaf({ nodes }: NodeProcesses): number {
  const lines = nodes.flatMap(({ process }) => process.stdout.split('\n'));
  return lines.filter((line) => line.includes(DEAF)).length;
}

async function loadAndRestart(
  { nodes, ...installation }: NodeProcesses,
  bouncer: PgBouncer,
  url: string,
  changes: number,
): Promise<Seen> {
  const load = new NodeLoad(nodes, installation);
  try {
    load.start(WRITERS_PER_NODE);
    await load.progress(Math.ceil(changes / NODES / 2), BACK_MS);
    await bouncer.kill();
    await bouncer.run();
    await load.progress(Math.ceil(changes / NODES / 2), BACK_MS);
    await load.stop();
    const { refusals } = load;
    const revokedMs = await revokeEverywhere(nodes, load, installation);
    assert.ok(revokedMs < REVOKED_MS, `${revokedMs} ms`);
    await assertNothingLost(nodes, load, url);
    return { changes: load.changes, refusals, revokedMs };
  } finally {
    await load.close();
  }
}

function report(direct: readonly Seen[], alone: Seen): string {
  const row = (name: string, seen: readonly Seen[]): string => {
    const sum = (of: (one: Seen) => number): number => seen.reduce((all, one) => all + of(one), 0);
    const revoked = Math.max(...seen.map(({ revokedMs }) => revokedMs));
    const cells = [name, sum((one) => one.changes), 0, sum((one) => one.refusals)];
    return `| ${cells.join(' | ')} | ${Math.round(revoked)} ms |`;
  };
  return `## The connection pooler fails

${NODES} nodes connect through PgBouncer in transaction mode, with 8 connections in all. ${WRITERS_PER_NODE} clients write to each node. The
test kills and restarts PgBouncer under load. Both nodes recover without help and return every acknowledged change.
Without \`LATCHKEY_DATABASE_DIRECT_URL\`, each node logs that notifications do not arrive. Its caches then expire after one
second.

| \`LATCHKEY_DATABASE_DIRECT_URL\` | Acknowledged changes | Lost | 503 | Longest revocation on the other node |
| --- | --- | --- | --- | --- |
${row('set', direct)}
${row('not set', [alone])}`;
}
