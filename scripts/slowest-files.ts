import type { TestEvent } from 'node:test/reporters';
import { recordResult } from '../test/support/file-results.ts';

const SHOWN = 10;
const MS_PER_SECOND = 1_000;

/**
 * A reporter of node:test that lists the slowest test files at the end of a run, and records the result of each
 * file for `npm test`.
 */
// eslint-disable-next-line import/no-default-export -- node:test expects one
export default async function* listSlowestFiles(
  source: AsyncIterable<TestEvent>,
): AsyncGenerator<string> {
  const files: { name: string; durationMs: number }[] = [];
  for await (const { type, data } of source) {
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    // The suite of a file is below the process that runs it.
    if (!data.name.endsWith('.test.ts')) continue;
    recordResult(data.name, type === 'test:pass' ? 'passed' : 'failed');
    files.push({ name: data.name, durationMs: data.details.duration_ms });
  }
  if (files.length < 2) return;
  files.sort((a, b) => b.durationMs - a.durationMs);
  const lines = files
    .slice(0, SHOWN)
    .map(
      ({ name, durationMs }) => `${(durationMs / MS_PER_SECOND).toFixed(1).padStart(7)} s  ${name}`,
    );
  yield `\nThe slowest of ${files.length} test files:\n${lines.join('\n')}\n`;
}
