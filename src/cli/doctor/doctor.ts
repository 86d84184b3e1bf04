import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Settings } from '../../config/settings.ts';
import { DATABASE_FILE } from '../../storage/database.ts';
import type { Db } from '../../storage/schema.ts';
import { openReadDatabase } from '../open-databases.ts';
import { type Check, type Finding, type Surroundings, type Verdict, fault } from './check.ts';
import { databaseChecks } from './database-checks.ts';
import { directoryChecks } from './directory-checks.ts';
import { networkChecks } from './network-checks.ts';
import { processChecks } from './process-checks.ts';

/** What is waited for a check; then it has failed. */
const CHECK_TIMEOUT_MS = 8_000;

/** One step after the other, since to read a file through holds up what waits for others. */
const STEPS: readonly (readonly Check[])[] = [
  [...processChecks, ...directoryChecks],
  [...databaseChecks, ...networkChecks],
];

/** What `doctor` prints for machines, with `--json`. */
export interface Diagnosis {
  /** The worst of all findings. */
  verdict: Verdict;
  findings: (Finding & { check: string })[];
}

/**
 * `latchkey doctor`: looks at the installation and what it depends on, and changes nothing of it.
 * @param settings how to read them: that they are wrong is a finding
 */
export async function diagnose(readSettings: () => Promise<Settings>): Promise<Diagnosis> {
  let settings: Settings;
  try {
    settings = await readSettings();
  } catch (error) {
    const advice =
      'correct the setting (see docs/settings.md), then run this command again: the other checks need valid settings';
    return conclude([{ check: 'settings', ...fault((error as Error).message, advice) }]);
  }
  const database = open(settings);
  const findings: Diagnosis['findings'] = [];
  try {
    for (const checks of STEPS) {
      const found = checks.map(async (check) => {
        const all = await runBounded(check, settings, database);
        return all.map((finding) => ({ check: check.name, ...finding }));
      });
      findings.push(...(await Promise.all(found)).flat());
    }
    return conclude(findings);
  } finally {
    await database.close();
  }
}

interface OpenDatabase {
  /** @throws when it cannot be opened: each check that needs it says so */
  read(): Db | undefined;
  close(): Promise<void>;
}

function open(settings: Settings): OpenDatabase {
  const close = () => Promise.resolve();
  if (!hasDatabase(settings)) return { read: () => undefined, close };
  try {
    const database = openReadDatabase(settings);
    return { read: () => database.read, close: () => database.close() };
  } catch (error) {
    const read = (): never => {
      throw error;
    };
    return { read, close };
  }
}

function hasDatabase({ DATABASE_URL, DATA_DIR }: Settings): boolean {
  return DATABASE_URL !== undefined || existsSync(path.join(DATA_DIR, DATABASE_FILE));
}

async function runBounded(
  check: Check,
  settings: Settings,
  database: OpenDatabase,
): Promise<Finding[]> {
  const surroundings: Surroundings = {
    settings,
    get db() {
      return database.read();
    },
    signal: AbortSignal.timeout(CHECK_TIMEOUT_MS),
  };
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new Error(`no result within ${CHECK_TIMEOUT_MS / 1_000} s`)),
    CHECK_TIMEOUT_MS,
  );
  try {
    return await Promise.race([late, Promise.try(() => check.run(surroundings))]);
  } catch (error) {
    return [fault(describe(error), 'see the message; this check found no further details')];
  } finally {
    clearTimeout(timer);
  }
}

/** A refused connection arrives as one error per address tried, with an empty message. */
function describe(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') {
    return error.errors.map(describe).join('; ');
  }
  return error instanceof Error ? error.message : String(error);
}

function conclude(findings: Diagnosis['findings']): Diagnosis {
  const has = (verdict: Verdict): boolean => findings.some((one) => one.verdict === verdict);
  const verdict = has('fault') ? 'fault' : has('warning') ? 'warning' : 'ok';
  return { verdict, findings };
}

const MARKS: Readonly<Record<Verdict, string>> = { ok: 'ok', warning: 'WARNING', fault: 'FAULT' };

/** The same for people: a line each, and what to do below it. */
export function formatDiagnosis({ findings }: Diagnosis): string {
  const lines = findings.flatMap(({ check, verdict, message, advice }) => {
    const line = `${MARKS[verdict].padEnd(8)} ${check.padEnd(16)}  ${message}`;
    return advice === undefined ? [line] : [line, `${' '.repeat(27)}${advice}`];
  });
  const count = (verdict: Verdict): number =>
    findings.filter((one) => one.verdict === verdict).length;
  lines.push('', `${count('fault')} faults, ${count('warning')} warnings`);
  return `${lines.join('\n')}\n`;
}
