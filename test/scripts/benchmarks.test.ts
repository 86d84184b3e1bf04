import assert from 'node:assert/strict';
import { test } from 'node:test';
import { goals } from '../../bench/goals.ts';
import { parseOptions } from '../../bench/options.ts';
import { composePage } from '../../bench/report.ts';
import type { Result } from '../../bench/results.ts';

const MET = { 'seconds to ready': 1, 'seconds to ready, first start': 1.4, 'idle MiB': 70 };
const MISSED = { ...MET, 'idle MiB': 121 };
const PARAGRAPH = '## idle-memory\n\nIt is the libraries.\n';

function pageOf(
  figures: Readonly<Record<string, number>>,
  missesText: string,
  { args = [] as string[], failures = 0 } = {},
): string {
  const { options, isQuick } = parseOptions(args);
  const measured = Object.fromEntries(
    Object.entries(figures).map(([name, value]) => [name, { value, failures }]),
  );
  const result: Result = {
    name: 'start',
    day: '2026-01-02',
    options,
    isQuick,
    machine: 'a machine',
    versions: { Node: '26.0.0' },
    measured,
    tables: [{ title: 'Start', text: 'Of processes.', head: ['', 's'], rows: [['one', '1']] }],
  };
  return composePage(new Map([[result.name, result]]), missesText);
}

const standingOf = (page: string, what: string): string | undefined =>
  page
    .split('\n')
    .find((line) => line.startsWith(`| ${what} |`))
    ?.split(' | ')
    .at(-1)
    ?.replace(/ \|$/, '');

test('the table lists each goal with its result', () => {
  const page = pageOf(MET, '');
  for (const { what } of goals) assert.ok(page.includes(`| ${what} |`), what);
  assert.equal(standingOf(page, 'Startup time'), 'yes');
  assert.equal(standingOf(page, 'Idle memory'), 'yes (stretch)');
  assert.equal(standingOf(page, 'Memory per fast stream'), 'not measured');
  assert.match(page, /a machine:\n\n- 2026-01-02, 3 × 4 s: `start`\n/);
});

test('each missed goal needs a section, and no other goal has one', () => {
  assert.throws(() => pageOf(MISSED, ''), /lacks idle-memory/);
  assert.throws(() => pageOf(MISSED, '## idle-memory\n\n'), /lacks idle-memory/);
  assert.throws(() => pageOf(MET, PARAGRAPH), /idle-memory is met/);
  assert.throws(() => pageOf(MET, '## idle\n\nWhatever.\n'), /unknown goal idle/);
  const page = pageOf(MISSED, PARAGRAPH);
  assert.equal(standingOf(page, 'Idle memory'), '**no**');
  assert.match(page, /\*\*Idle memory\.\*\* It is the libraries\./);
});

test('failures make a goal missed, independent of the figure', () => {
  assert.throws(() => pageOf(MET, '', { failures: 1 }), /lacks start, first-start, idle-memory/);
});

test('results of a quick run are not assessed', () => {
  for (const args of [['--quick'], ['--rounds=2']]) {
    const page = pageOf(MISSED, '', { args });
    assert.equal(standingOf(page, 'Idle memory'), 'not assessed');
    assert.match(page, /Quick runs[^]*: start\.\*\*/);
  }
});
