import type { Group } from './client.ts';
import { GROUPS } from './client.ts';
import { type Panel, drawPanels } from './chart.ts';
import type { Sample } from './samples.ts';
import { type Finding, settled } from './verdict.ts';

const BYTES_PER_MIB = 1024 * 1024;
const SECONDS_PER_MINUTE = 60;

/** Everything that was sampled, over time. */
export function drawSamples(title: string, samples: readonly Sample[]): string {
  const of = (pick: (one: Sample) => number | undefined) => samples.map(pick);
  const mib = (pick: (one: Sample) => number) => of((one) => pick(one) / BYTES_PER_MIB);
  const latencies = (which: 'p50Ms' | 'p99Ms') =>
    GROUPS.map((name) => ({ name, values: of((one) => one.latencies[name]?.[which]) }));
  const panels: Panel[] = [
    {
      title: 'Resident memory',
      unit: 'MiB',
      lines: [
        { name: 'all', values: mib((one) => one.residentBytes) },
        { name: 'page caches (limit)', values: mib((one) => one.pageCacheBytes) },
      ],
    },
    {
      title: 'Memory of the main thread',
      unit: 'MiB',
      lines: [
        { name: 'heap', values: mib((one) => one.heapBytes) },
        { name: 'external', values: mib((one) => one.externalBytes) },
      ],
    },
    {
      title: 'Descriptors and threads',
      unit: 'open',
      lines: [
        { name: 'descriptors', values: of((one) => one.descriptors) },
        { name: 'threads', values: of((one) => one.threads) },
      ],
    },
    {
      title: 'Event-loop delay, p99',
      unit: 'ms',
      lines: [{ values: of((one) => one.eventLoopDelayMs) }],
    },
    { title: 'Latency, p50', unit: 'ms', lines: latencies('p50Ms') },
    { title: 'Latency, p99', unit: 'ms', lines: latencies('p99Ms') },
    {
      title: 'Responses',
      unit: 'per second',
      lines: [{ values: of((one) => one.answeredPerSecond) }],
    },
    {
      title: 'Failures in total, queued log rows',
      unit: 'count',
      lines: [
        { name: 'failures', values: of((one) => one.failed) },
        { name: 'rows', values: of((one) => one.queuedLogRows) },
      ],
    },
    {
      title: 'Databases',
      unit: 'MiB',
      lines: [
        { name: 'database', values: mib((one) => one.databaseBytes) },
        { name: 'logs', values: mib((one) => one.logBytes) },
      ],
    },
    { title: 'Write-ahead log', unit: 'MiB', lines: [{ values: mib((one) => one.walBytes) }] },
  ];
  return drawPanels(title, panels, (samples.at(-1)?.atSeconds ?? 0) / SECONDS_PER_MINUTE);
}

/** What was seen, as Markdown. */
export function describeSoak(
  title: string,
  image: string,
  samples: readonly Sample[],
  findings: readonly Finding[],
  activities: readonly { name: string; perSecond: number }[],
): string {
  const later = settled(samples);
  const median = (pick: (one: Sample) => number | undefined): number => {
    const known = later.map(pick).filter((value) => value !== undefined);
    return known.toSorted((a, b) => a - b)[Math.floor(known.length / 2)] ?? Number.NaN;
  };
  const latency = (group: Group): string => {
    const ms = (which: 'p50Ms' | 'p99Ms') =>
      median((one) => one.latencies[group]?.[which]).toFixed(1);
    return `${group} ${ms('p50Ms')} / ${ms('p99Ms')}`;
  };
  return [
    `## ${title}`,
    '',
    `![${title}: memory, descriptors, delays, latencies and file sizes over time](${image})`,
    '',
    '| Condition | Result | |',
    '| --- | --- | --- |',
    ...findings.map(({ what, seen, holds }) => `| ${what} | ${seen} | ${holds ? '✓' : '**✗**'} |`),
    '',
    'Memory is measured in the last two thirds of the run: a least-squares line through the minimum of each ' +
      'twentieth. Growth of 10 % is the limit.',
    '',
    `The server sends ${median((one) => one.answeredPerSecond).toFixed(0)} responses per second. ` +
      `Time to the first byte in ms, median of p50 / p99: ${GROUPS.map(latency).join('; ')}.`,
    '',
    'Load per second:',
    '',
    ...activities.map(({ name, perSecond }) => `- ${name}: ${perSecond}`),
  ].join('\n');
}
