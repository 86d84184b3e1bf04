import { type Expression, findExpressions } from './find-expressions.ts';

/**
 * Fails when a regular expression of the server can take more than linear time: `npm run check -- expressions`.
 * An automaton proves most of them. For the others, mostly with large counters or lookarounds, the
 * checker counts the steps of a backtracking engine on hostile texts that it generates.
 */
const TIMEOUT_MS = 60_000;

process.env.RECHECK_BACKEND = 'pure';
// Installed only when the check runs, so the compiler does not know it.
const CHECKER = 'recheck' as string;
const checker = (await import(CHECKER)) as Checker;

/** The part of `recheck` in use. */
interface Checker {
  checkSync(source: string, flags: string, options: { timeout: number }): Result;
}

type Result =
  | { status: 'safe' }
  | { status: 'unknown'; error: { kind: string } }
  | { status: 'vulnerable'; complexity: { summary: string }; attack: { pattern: string } };

function faultOf({ source, flags }: Expression): string | undefined {
  // The checker does not know `y`, with which an expression matches at one position only.
  const searched = flags.includes('y') ? `^(?:${source})` : source;
  const result = checker.checkSync(searched, flags.replaceAll(/[dgy]/g, ''), {
    timeout: TIMEOUT_MS,
  });
  if (result.status === 'safe') return undefined;
  if (result.status === 'unknown') return `cannot be checked (${result.error.kind})`;
  return `takes ${result.complexity.summary} time, for example on ${result.attack.pattern}`;
}

const byExpression = Map.groupBy(
  await findExpressions(),
  ({ source, flags }) => `/${source}/${flags}`,
);
for (const [text, [first]] of byExpression) {
  const fault = first && faultOf(first);
  if (fault === undefined) continue;
  process.exitCode = 1;
  process.stderr.write(`${first?.place}: ${text} ${fault}\n`);
}
process.stdout.write(`${byExpression.size} regular expressions checked\n`);
// Modules of the server may have opened handles.
process.exit();
