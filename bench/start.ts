import { mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { bareUrl, launchBareFastify } from './bare-fastify.ts';
import { failuresOf, measureInRounds, median } from './figures.ts';
import { latchkeyReadyUrl, launchLatchkey } from './latchkey.ts';
import type { Bench } from './options.ts';
import type { Outcome } from './outcome.ts';
import { type PinnedProcess, untilReady } from './pinned-process.ts';
import { launchPortkey, portkeyUrl } from './portkey.ts';
import { usageOf } from './process-usage.ts';

const TITLE = 'Start, and memory at rest';
// What is asked is hardly work, and how late the answer may be seen.
const POLL_MS = 5;
const SETTLE_MS = 10_000;
const BYTES_PER_MIB = 1024 * 1024;

interface Started {
  readySeconds: number;
  /** When nothing was asked of it for a while. */
  idleMib: number;
  failures: number;
}

/** From the start of the process until it says that it is ready, and its memory a while later. */
export async function compareStart(bench: Bench): Promise<Outcome> {
  // They are short, and vary more than what goes on for seconds.
  const starts = bench.rounds * 2 - 1;
  const grown = mkdtempSync(path.join(bench.directory, 'grown-'));
  await measureStart(() => launchLatchkey(grown), latchkeyReadyUrl, 0);
  const settings: readonly [string, () => Promise<Started>][] = [
    [
      'Latchkey, SQLite, a later start',
      () => measureStart(() => launchLatchkey(grown), latchkeyReadyUrl),
    ],
    [
      'Latchkey, SQLite, the first start (migrations, master key, first account)',
      async () => {
        const directory = mkdtempSync(path.join(bench.directory, 'first-'));
        const started = await measureStart(() => launchLatchkey(directory), latchkeyReadyUrl);
        rmSync(directory, { recursive: true, force: true });
        return started;
      },
    ],
    ['Portkey OSS', () => measureStart(launchPortkey, portkeyUrl)],
    ['bare Fastify route', () => measureStart(launchBareFastify, bareUrl)],
  ];
  const results = await measureInRounds(
    TITLE,
    settings.map(([name, measure]) => ({ name, measure })),
    starts,
  );
  const [later = [], first = []] = results.map(({ rounds }) => rounds);
  const ready = (rounds: readonly Started[]) => ({
    value: median(rounds, (one) => one.readySeconds),
    failures: failuresOf(rounds),
  });
  return {
    measured: {
      'seconds to ready': ready(later),
      'seconds to ready, first start': ready(first),
      'idle MiB': { value: median(later, (one) => one.idleMib) },
    },
    tables: [
      {
        title: TITLE,
        text: [
          `Median of ${starts} starts, the slowest in brackets: from the start of the process to the first 200`,
          `of \`/readyz\`; resident memory ${SETTLE_MS / 1_000} s after that, in which nothing was asked of it.`,
        ].join('\n'),
        head: ['', 'ready after', 'memory at rest'],
        rows: results.map(({ name, rounds }) => [
          name,
          `${median(rounds, (one) => one.readySeconds).toFixed(2)} s (${Math.max(...rounds.map((one) => one.readySeconds)).toFixed(2)} s)`,
          `${median(rounds, (one) => one.idleMib).toFixed(0)} MiB`,
        ]),
      },
    ],
  };
}

async function measureStart(
  launch: () => PinnedProcess,
  readyUrl: string,
  settleMs = SETTLE_MS,
): Promise<Started> {
  const beganAtMs = performance.now();
  const server = launch();
  await untilReady(readyUrl, server, POLL_MS);
  const readySeconds = (performance.now() - beganAtMs) / 1_000;
  await delay(settleMs);
  const idleMib = usageOf(server.pid).residentBytes / BYTES_PER_MIB;
  const failures = server.hasEnded ? 1 : 0;
  await server.stop();
  return { readySeconds, idleMib, failures };
}
