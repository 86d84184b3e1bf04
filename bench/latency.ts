import { completionTargets } from './completions.ts';
import { type Figures, failuresOf, measureInRounds, median } from './figures.ts';
import { describeLog } from './latchkey.ts';
import { halfOfThroughput, sendAtRate } from './load-at-rate.ts';
import { startNginxProxy } from './nginx.ts';
import type { Bench } from './options.ts';
import type { Outcome } from './outcome.ts';
import { startPortkey } from './portkey.ts';
import type { Target } from './target.ts';

const TITLE = 'Latency of a chat completion at half of the throughput';

/** What each way to the static upstream adds in latency. Latchkey and the upstream run. */
export async function compareLatency(bench: Bench): Promise<Outcome> {
  const peers = [await startPortkey(), await startNginxProxy(bench.directory, 'on')];
  const { latchkey, portkey, nginx, direct } = completionTargets({ stream: false });
  const rate = await halfOfThroughput(TITLE, bench, latchkey);
  // Portkey could not stand half of ours.
  const portkeyRate = Math.min(rate, await halfOfThroughput(TITLE, bench, portkey));
  const contender = (target: Target, requestsPerSecond: number) => ({
    name: target.name,
    measure: () => sendAtRate({ target, requestsPerSecond, seconds: bench.seconds }),
  });
  const results = await measureInRounds(
    TITLE,
    [
      contender(direct, rate),
      contender(latchkey, rate),
      contender(nginx, rate),
      contender(portkey, portkeyRate),
    ],
    bench.rounds,
  );
  for (const peer of peers) await peer.stop();
  const p50 = (rounds: readonly Figures[]) => median(rounds, (one) => one.p50Ms);
  const p99 = (rounds: readonly Figures[]) => median(rounds, (one) => one.p99Ms);
  const base = results[0]?.rounds ?? [];
  const ours = results[1]?.rounds ?? [];
  const added = (rounds: readonly Figures[], of: typeof p50): number => of(rounds) - of(base);
  return {
    measured: { 'latency added, p99': { value: added(ours, p99), failures: failuresOf(ours) } },
    tables: [
      {
        title: TITLE,
        text: [
          'Requests are sent at even intervals, whether or not earlier ones were answered: half of what Latchkey can do,',
          `to Portkey half of what Portkey can do if that is less. ${await describeLog()}`,
        ].join('\n'),
        head: ['', 'requests/s', 'p50 ms', 'p99 ms', 'added p50 ms', 'added p99 ms', 'failures'],
        rows: results.map(({ name, rounds }) => [
          name,
          String(Math.round(median(rounds, (one) => one.requestsPerSecond))),
          p50(rounds).toFixed(2),
          p99(rounds).toFixed(2),
          rounds === base ? '' : added(rounds, p50).toFixed(2),
          rounds === base ? '' : added(rounds, p99).toFixed(2),
          String(failuresOf(rounds)),
        ]),
      },
    ],
  };
}
