import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { arch, cpus, release, tmpdir, type } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Proof, ProofContext } from '../test/faults/proof.ts';
import { createTemplates } from '../test/support/databases.ts';
import { startPostgres } from '../test/support/postgres-server.ts';

/**
 * The long forms of what `npm test` proves in short: `npm run faults -- crash --rounds=100`. With `--record` what
 * was seen goes into docs/reliability.md, between the two comments that bear the name of the proof.
 */
const PROOFS: Readonly<Record<string, () => Promise<{ prove: Proof }>>> = {
  connections: () => import('../test/faults/connections.ts'),
  crash: () => import('../test/faults/crash-proof.ts'),
  disk: () => import('../test/faults/disk-proof.ts'),
  failover: () => import('../test/faults/failover-proof.ts'),
  pooler: () => import('../test/faults/pooler-proof.ts'),
  input: () => import('../test/faults/input/input.ts'),
  spend: () => import('../test/faults/spend/spend-proof.ts'),
  soak: () => import('../test/faults/soak/soak.ts'),
};

const RECORD = new URL('../docs/reliability.md', import.meta.url);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  strict: false,
  options: { record: { type: 'boolean' } },
});

function context(directory: string, postgresUrl: string): ProofContext {
  const word = (name: string, byDefault: string): string => {
    const value = values[name];
    if (value === true) throw new Error(`--${name} needs a value: --${name}=…`);
    return typeof value === 'string' ? value : byDefault;
  };
  return {
    directory,
    postgresUrl,
    word,
    count(name, byDefault) {
      const count = Number(word(name, String(byDefault)));
      if (!Number.isSafeInteger(count) || count < 1) throw new Error(`--${name} must be a count`);
      return count;
    },
    progress: (line) => void process.stderr.write(`${line}\n`),
  };
}

function record(name: string, report: string): void {
  const machine = `${type()} ${release()} ${arch()}, ${cpus().length} cores, Node ${process.versions.node}`;
  const day = new Date().toISOString().slice(0, 10);
  const begin = `<!-- ${name} -->`;
  const end = `<!-- end of ${name} -->`;
  const [before, rest] = readFileSync(RECORD, 'utf8').split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) {
    throw new Error(`docs/reliability.md has no place for ${name}`);
  }
  const section = `${begin}\n\n${report.trim()}\n\nMeasured on ${day} with \`npm run faults -- ${process.argv.slice(2).join(' ')}\`: ${machine}.\n\n${end}`;
  writeFileSync(RECORD, `${before}${section}${after}`);
}

async function run(): Promise<void> {
  const [name = '', ...others] = positionals;
  const load = PROOFS[name];
  if (load === undefined || others.length > 0) {
    throw new Error(`name one proof: ${Object.keys(PROOFS).join(', ')}`);
  }
  const directory = mkdtempSync(path.join(tmpdir(), 'latchkey-faults-'));
  // For root PostgreSQL runs as another user, who must get to its own directory below.
  chmodSync(directory, 0o711);
  process.on('exit', () => rmSync(directory, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  const postgres = await startPostgres(directory);
  process.env.LATCHKEY_TEST_RUN_DIR = directory;
  process.env.LATCHKEY_TEST_POSTGRES_URL = postgres.url;
  try {
    await createTemplates(postgres.url, directory);
    const { prove } = await load();
    const report = await prove(context(directory, postgres.url));
    process.stdout.write(`${report}\n`);
    if (values.record === true) record(name, report);
  } finally {
    await postgres.stop();
  }
}

process.exit(
  await run().then(
    () => 0,
    (error: unknown) => {
      process.stderr.write(`${(error as Error).stack}\n`);
      return 1;
    },
  ),
);
