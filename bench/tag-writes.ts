import path from 'node:path';
import { CONNECTIONS, type Figures, failuresOf, measureInRounds, median } from './figures.ts';
import { type FilledTags, copyFilled } from './filled-tags.ts';
import type { Bench } from './options.ts';
import type { Measured, Outcome, Table } from './outcome.ts';
import { runPinned } from './pinned-process.ts';
import type { TagContender } from './tag-contenders.ts';
import { formatMs } from './tag-report.ts';
import type { WriteKind, WritePlan } from './write-load.ts';

const TITLE = 'Tags: writes';
const BULK_OPERATIONS = 1_000;

const kinds: readonly { kind: WriteKind; name: string; connections: number }[] = [
  { kind: 'put-new', name: 'PUT of 5 tags, new resources', connections: CONNECTIONS },
  {
    kind: 'put-existing',
    name: 'PUT of 5 tags, resources that have others',
    connections: CONNECTIONS,
  },
  { kind: 'patch', name: 'PATCH of 1 tag', connections: CONNECTIONS },
  { kind: 'bulk', name: `bulk: ${BULK_OPERATIONS} PUTs in one request`, connections: 1 },
];

type WriteFigures = Record<WriteKind, Figures>;

/** How fast tags are written, each answer after what it says is on disk. */
export async function compareTagWrites(
  bench: Bench,
  { resources, samplesFile, directories }: FilledTags,
): Promise<Outcome> {
  let seed = 0;
  async function measure(contender: TagContender, directory: string): Promise<WriteFigures> {
    const running = await contender.start(directory);
    const measured: Partial<WriteFigures> = {};
    for (const { kind, connections } of kinds) {
      const { url, headers } = running;
      const { seconds } = bench;
      const plan: WritePlan = {
        url,
        headers,
        kind,
        connections,
        seconds,
        resources,
        samplesFile,
        bulkOperations: BULK_OPERATIONS,
        seed: ++seed,
      };
      const load = [process.execPath, 'bench/write-load.ts'];
      const figures = await runPinned(1, load, { PLAN: JSON.stringify(plan) });
      measured[kind] = JSON.parse(figures) as Figures;
    }
    await running.stop();
    return measured as WriteFigures;
  }
  const contenders = [];
  for (const [contender, filled] of directories) {
    const directory = path.join(bench.directory, `${contender.slug}-written`);
    copyFilled(filled, directory);
    contenders.push({ name: contender.name, measure: () => measure(contender, directory) });
  }
  const results = await measureInRounds(TITLE, contenders, bench.rounds);
  const table: Table = {
    title: `${TITLE} to ${resources} resources`,
    text: [
      'Requests a second, and p50 / p99 in ms of a request, which is',
      `answered when all of it is on disk; ${CONNECTIONS} connections, for bulk one. Latchkey checks a token, keeps an`,
      'audit log and a list of changes; the others do none of it.',
    ].join('\n'),
    head: ['', ...results.map(({ name }) => name)],
    rows: kinds.map(({ kind, name }) => [
      name,
      ...results.map(({ rounds }) => cellOf(rounds.map((round) => round[kind]))),
    ]),
  };
  const ours = [...directories.keys()].filter(({ isOurs }) => isOurs).map(({ name }) => name);
  const measured = results
    .filter(({ name }) => ours.includes(name))
    .map(({ name, rounds }) => [`PUTs of tags a second, ${name}`, slowestPut(rounds)] as const);
  return { measured: Object.fromEntries(measured), tables: [table] };
}

/** Of the two kinds of PUT. */
function slowestPut(rounds: readonly WriteFigures[]): Measured {
  const puts = kinds
    .filter(({ kind }) => kind.startsWith('put'))
    .map(({ kind, name }): Measured => {
      const figures = rounds.map((round) => round[kind]);
      const value = median(figures, (one) => one.requestsPerSecond);
      return { value, of: name, failures: failuresOf(figures) };
    });
  const [slowest] = puts.toSorted((one, other) => one.value - other.value);
  if (slowest === undefined) throw new Error('no PUT was measured');
  return slowest;
}

function cellOf(rounds: readonly Figures[]): string {
  const failures = failuresOf(rounds);
  if (failures > 0) return `${failures} failures`;
  const rate = median(rounds, (one) => one.requestsPerSecond);
  const [p50, p99] = [median(rounds, (one) => one.p50Ms), median(rounds, (one) => one.p99Ms)];
  return `${rate.toFixed(rate < 100 ? 1 : 0)}/s · ${formatMs(p50)} / ${formatMs(p99)}`;
}
