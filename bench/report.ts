import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Goal, type Standing, goals, judge } from './goals.ts';
import { toMarkdown } from './outcome.ts';
import { type Result, readResults } from './results.ts';

/** docs/benchmarks.md, from what bench/results keeps and what misses.md says of each goal that is missed. */

const MISSES_FILE = path.join(import.meta.dirname, 'misses.md');
const METHOD_FILE = path.join(import.meta.dirname, 'method.md');

const NOTE =
  '<!-- Made from bench/results, bench/goals.ts, bench/method.md and bench/misses.md by `npm run generate`: change those. -->';

const words: Readonly<Record<Standing, string>> = {
  stretch: 'yes, also the stretch goal',
  met: 'yes',
  missed: '**no**',
  shown: 'not judged',
  'not measured': 'not measured',
};

/**
 * The page of what is kept.
 * @throws Error when a goal is missed and misses.md says nothing of it, or the other way round
 */
export function benchmarksPage(): string {
  return composePage(readResults(), readFileSync(MISSES_FILE, 'utf8'));
}

/**
 * The page of some results.
 * @param missesText a paragraph for each goal that is missed, below a heading with its key
 * @throws Error when one is lacking, or there is one of a goal that is met
 */
export function composePage(results: ReadonlyMap<string, Result>, missesText: string): string {
  const misses = readMisses(missesText);
  const missed = goals.filter((goal) => judge(goal, results).standing === 'missed');
  checkMisses(results, misses, missed);
  return `${[
    '# Benchmarks',
    NOTE,
    'Latchkey beside its peers, on one machine, in one run of `npm run bench`. What counts are ratios within a run; ' +
      'absolute figures are those of the machine.',
    ...warningOf(results),
    '## The goals',
    goalsTable(results),
    ...missesSection(missed, misses),
    '## Machine, versions, method',
    ...machines(results),
    versionsTable(results),
    readFileSync(METHOD_FILE, 'utf8').trim(),
    '## All figures',
    ...[...results.values()].flatMap((result) => result.tables.map(toMarkdown)),
  ].join('\n\n')}\n`;
}

function warningOf(results: ReadonlyMap<string, Result>): string[] {
  const quick = [...results.values()].filter(({ isQuick }) => isQuick).map(({ name }) => name);
  if (quick.length === 0) return [];
  return [
    `**From a quick run, which proves that it runs and says nothing of speed: ${quick.join(', ')}.** \`npm run bench\` puts figures that count in their place.`,
  ];
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [head, head.map(() => '---'), ...rows].map(line).join('\n');
}

function goalsTable(results: ReadonlyMap<string, Result>): string {
  return table(
    ['What', 'At least', 'Stretch', 'Measured', 'Met'],
    goals.map((goal) => {
      const { standing, measured } = judge(goal, results);
      const failures = measured?.failures ?? 0;
      const bound = goal.better === 'more' ? '≥' : '≤';
      return [
        goal.what,
        `${bound} ${inUnit(goal, goal.atLeast)}`,
        goal.stretch === undefined ? '' : `${bound} ${inUnit(goal, goal.stretch)}`,
        measured === undefined
          ? ''
          : inUnit(goal, measured.value, true) +
            (measured.of === undefined ? '' : ` (${measured.of})`) +
            (failures === 0 ? '' : `, **${failures} failures**`),
        words[standing],
      ];
    }),
  );
}

function inUnit({ unit }: Goal, value: number, isMeasured = false): string {
  const decimals = Math.abs(value) < 10 ? 2 : Math.abs(value) < 100 ? 1 : 0;
  const text = isMeasured && unit !== '' ? value.toFixed(decimals) : String(value);
  const grouped = value >= 1_000 ? Math.round(value).toLocaleString('en') : text;
  return unit === '' || unit === '/s' ? `${grouped}${unit}` : `${grouped} ${unit}`;
}

/** The paragraphs of a text, by the headings above them. */
function readMisses(text: string): ReadonlyMap<string, string> {
  const [, ...sections] = text.split(/^## /m);
  return new Map(
    sections.map((section) => {
      const [key = '', ...lines] = section.split('\n');
      return [key.trim(), lines.join('\n').trim()];
    }),
  );
}

function checkMisses(
  results: ReadonlyMap<string, Result>,
  misses: ReadonlyMap<string, string>,
  missed: readonly Goal[],
): void {
  const silent = missed.filter(({ key }) => (misses.get(key) ?? '') === '');
  if (silent.length > 0) {
    throw new Error(`bench/misses.md says nothing of ${silent.map(({ key }) => key).join(', ')}`);
  }
  for (const key of misses.keys()) {
    const goal = goals.find((one) => one.key === key);
    const standing = goal === undefined ? undefined : judge(goal, results).standing;
    if (standing === undefined) throw new Error(`bench/misses.md: there is no goal ${key}`);
    if (standing === 'met' || standing === 'stretch') {
      throw new Error(`bench/misses.md: ${key} is met`);
    }
  }
}

function missesSection(missed: readonly Goal[], misses: ReadonlyMap<string, string>): string[] {
  if (missed.length === 0) return [];
  return ['## Missed', ...missed.map(({ key, what }) => `**${what}**: ${misses.get(key) ?? ''}`)];
}

/** Each machine, with what was measured on it, and when. */
function machines(results: ReadonlyMap<string, Result>): string[] {
  const all = [...results.values()];
  return [...new Set(all.map(({ machine }) => machine))].map((machine) => {
    const parts = all
      .filter((result) => result.machine === machine)
      .map(({ name, day, options, isQuick }) => {
        const rounds = `${options.rounds} × ${options.seconds} s`;
        return `${name} on ${day} (${rounds}${isQuick ? ', quick' : ''})`;
      });
    return `**${machine}**: ${parts.join('; ')}.`;
  });
}

function versionsTable(results: ReadonlyMap<string, Result>): string {
  const versions = new Map<string, Set<string>>();
  for (const result of results.values()) {
    for (const [name, version] of Object.entries(result.versions)) {
      versions.set(name, (versions.get(name) ?? new Set()).add(version));
    }
  }
  return table(
    ['Program', 'Version'],
    [...versions].map(([name, all]) => [name, [...all].join(', ')]),
  );
}
