import { PostgresPair } from '../support/postgres-pair.ts';
import { type Failover, assertNothingLost, failOver, revokeEverywhere } from './failover.ts';
import { NodeLoad } from './node-load.ts';
import { startNodes } from './node-processes.ts';
import type { Proof } from './proof.ts';

const NODES = 2;
const WRITERS_PER_NODE = 8;
const CHANGES_PER_NODE = 200;
const MAX_OUTAGE_MS = 8_000;

interface Round extends Failover {
  how: 'killed' | 'silent';
  outageMs: number;
  revokedMs: number;
}

/**
 * Two nodes write while the PostgreSQL primary goes and the standby takes over, again and again in both
 * directions. Every second primary is not killed but falls silent, without closing a connection.
 */
export const prove: Proof = async (context) => {
  const { directory } = context;
  const rounds = context.count('rounds', 10);
  const pair = await PostgresPair.start(directory);
  try {
    await pair.query(pair.primaryPort, 'create database latchkey');
    const url = pair.url('latchkey');
    const installation = await startNodes(directory, NODES, { DATABASE_URL: url });
    const { nodes } = installation;
    try {
      const seen: Round[] = [];
      for (let round = 1; round <= rounds; round++) {
        const how = round % 2 === 0 ? 'silent' : 'killed';
        const outageMs = Math.round(Math.random() * MAX_OUTAGE_MS);
        const load = new NodeLoad(nodes, installation);
        load.start(WRITERS_PER_NODE);
        const options = { changesPerNode: CHANGES_PER_NODE, outageMs, how } as const;
        const failover = await failOver(pair, nodes, load, options);
        // The base backup for the next standby is made while all go on writing.
        await pair.addStandby();
        await load.stop();
        const revokedMs = await revokeEverywhere(nodes, load, installation);
        await assertNothingLost(nodes, load, url);
        await load.close();
        seen.push({ ...failover, how, outageMs, revokedMs });
        context.progress(
          `round ${round}: ${how}, ${JSON.stringify({ ...failover, outageMs, revokedMs })}`,
        );
      }
      return report(seen);
    } finally {
      await installation.stop();
    }
  } finally {
    await pair.stop();
  }
};

function report(rounds: readonly Round[]): string {
  const rows = (['killed', 'silent'] as const).map((how) => {
    const these = rounds.filter((round) => round.how === how);
    if (these.length === 0) return '';
    const backs = these.flatMap(({ backMs }) => backMs);
    const cells = [
      how,
      these.length,
      sum(these.map(({ changesBefore, changesAfter }) => changesBefore + changesAfter)),
      0,
      sum(these.map(({ refusals }) => refusals)),
      `${seconds(median(backs))} / ${seconds(Math.max(...backs))}`,
      `${Math.round(Math.max(...these.map(({ revokedMs }) => revokedMs)))} ms`,
    ];
    return `| ${cells.join(' | ')} |`;
  });
  return `## The PostgreSQL primary fails

${NODES} nodes use a primary with a synchronous standby, and ${WRITERS_PER_NODE} clients write to each node. The test kills all processes of
the primary, or makes it silent without closing connections. Up to ${seconds(MAX_OUTAGE_MS)} later, it promotes the standby. The test checks:

- \`/readyz\` of both nodes reports the outage, and both nodes recover without help.
- Both nodes return every acknowledged change, and the audit chains verify.
- Every gateway request with a response is in the log.

| Primary | Failovers | Acknowledged changes | Lost | 503 | Recovery after promotion, median / longest | Longest revocation on the other node |
| --- | --- | --- | --- | --- | --- | --- |
${rows.filter((row) => row !== '').join('\n')}`;
}

const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0);

const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
