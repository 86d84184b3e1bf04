import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { EmbeddedPostgres } from '../../test/support/postgres-server.ts';

/**
 * PostgreSQL in `DIRECTORY` at `PORT`, made there if there is none, until it is told to end or its parent has
 * ended. What it has said so far is told when it does not start.
 */

// What its manual advises for a machine of its own; the rest is as it comes, so that a commit is on disk
// before the answer.
const FLAGS = [
  'shared_buffers=2GB',
  'effective_cache_size=6GB',
  'work_mem=64MB',
  'maintenance_work_mem=1GB',
  // None of the tables grows so much within a measurement that a checkpoint would fall into it.
  'max_wal_size=16GB',
  'checkpoint_timeout=30min',
  // The disk is an SSD.
  'random_page_cost=1.1',
  // It has one core. Compiling takes longer than what these statements gain by it.
  'max_parallel_workers_per_gather=0',
  'jit=off',
];
const PARENT_CHECK_MS = 1_000;

const { DIRECTORY = '', PORT } = process.env;
const databaseDir = path.resolve(DIRECTORY);
const lines: string[] = [];
const postgres = new EmbeddedPostgres({
  databaseDir,
  port: Number(PORT),
  user: 'postgres',
  password: 'postgres',
  persistent: true,
  createPostgresUser: process.getuid?.() === 0,
  initdbFlags: ['--encoding=UTF8', '--locale=C', '--auth=trust'],
  postgresFlags: FLAGS.flatMap((flag) => ['-c', flag]),
  onLog: (message) => lines.push(message),
  onError: (message) => lines.push(String(message)),
});
const parent = process.ppid;
setInterval(() => {
  // The library stops PostgreSQL when this process exits.
  if (process.ppid !== parent) process.exit();
}, PARENT_CHECK_MS);
try {
  if (!existsSync(path.join(databaseDir, 'PG_VERSION'))) {
    mkdirSync(databaseDir, { recursive: true });
    await postgres.initialise();
  }
  await postgres.start();
} catch (error) {
  process.stderr.write(`PostgreSQL did not start:\n${lines.join('')}${String(error)}\n`);
  process.exit(1);
}
