import assert from 'node:assert/strict';
import type { Proof } from '../proof.ts';
import { SpendBench } from './spend-attack.ts';

const DATABASES = ['sqlite', 'postgres'] as const;
const PARALLEL = 32;
const BATCH = 1_000;
const LIMIT = 2;

/** Many calls of callers who try to avoid being charged, on one node and on two. */
export const prove: Proof = async ({ count, progress }) => {
  const calls = count('calls', 20_000);
  const lines: string[] = [];
  for (const database of DATABASES) {
    const bench = await SpendBench.start(database);
    try {
      for (let sent = 0; sent < calls / DATABASES.length; sent += BATCH) {
        await bench.attack(`batch-${sent}`, BATCH, PARALLEL);
        progress(`${database}: ${sent + BATCH} calls, ${bench.provider.calls.length} served`);
      }
      const served = bench.provider.calls.length;
      await bench.createGateway('limited', LIMIT);
      const before = bench.provider.usd;
      await bench.useUp('limited', PARALLEL);
      const used = bench.provider.usd - before;
      assert.ok(used <= LIMIT, `$${used} of $${LIMIT}`);
      lines.push(
        `| ${bench.nodes.length}, ${database} | ${served} | $${before.toFixed(4)} | $${used.toFixed(4)} of $${LIMIT} |`,
      );
    } finally {
      await bench.stop();
    }
  }
  return `## Clients evade their budget\n\n| Nodes | Calls | Cost, all charged | Used of a limit |\n| --- | --- | --- | --- |\n${lines.join('\n')}`;
};
