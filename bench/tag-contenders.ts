import { globSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { FillTagsPlan } from './contenders/fill-latchkey-tags.ts';
import type { FillPeerPlan } from './contenders/fill-peer-tags.ts';
import { tagDesigns } from './contenders/tag-designs.ts';
import { ACCOUNT_ID, dataDirOf, latchkey, startLatchkey } from './latchkey.ts';
import { type PinnedProcess, runPinned, startPinned, untilReady } from './pinned-process.ts';
import { ports } from './ports.ts';
import { postgresUrl, startPostgres } from './postgres.ts';

/** Somebody who keeps tags. All of it runs on the first core, PostgreSQL too. */
export interface TagContender {
  name: string;
  /** Of the directories that it fills. */
  slug: string;
  isOurs: boolean;
  /** What the filled directory depends on, beside the resources. */
  layout: () => string;
  /** Fills an empty directory with so many resources. */
  fill: (directory: string, resources: number) => Promise<void>;
  /** Starts it with a directory that was filled. */
  start: (directory: string) => Promise<RunningTags>;
}

export interface RunningTags {
  /** What the paths of its requests are below. */
  url: string;
  headers: Record<string, string>;
  stop: () => Promise<void>;
}

/** For so long a query is waited for. */
export const PATIENCE_MS = 10_000;
/** Up to here the tables that were filled in bulk are compared with those that the server writes itself. */
const MAX_CHECKED_RESOURCES = 10_000;
const TAGGED_AT_MS = Date.UTC(2026, 0, 1);

const settings = {
  // The data has one time, which is long ago.
  LATCHKEY_TAG_CHANGES_DAYS: '0',
};

/** Whatever says what the tables of Latchkey are and what they hold. */
function latchkeyLayout(): string {
  return [
    'bench/tag-tables.ts',
    'src/lib/bit-block.ts',
    'src/storage/tag-tables.ts',
    'src/tags/store/fold.ts',
    'src/tags/store/tag-terms.ts',
    'src/tags/store/value-key.ts',
    ...globSync('src/storage/migrations/0*.ts').toSorted(),
  ]
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
}

const postgresDir = (directory: string): string => path.join(directory, 'postgres');

async function fillLatchkey(
  directory: string,
  resources: number,
  databaseUrl?: string,
): Promise<void> {
  const dataDir = path.resolve(dataDirOf(directory));
  mkdirSync(dataDir, { recursive: true });
  const plan: FillTagsPlan = {
    accountId: ACCOUNT_ID,
    resources,
    nowMs: TAGGED_AT_MS,
    dataDir,
    ...(databaseUrl === undefined ? {} : { databaseUrl }),
  };
  const env = { PLAN: JSON.stringify(plan) };
  await runPinned(1, [process.execPath, 'bench/contenders/fill-latchkey-tags.ts'], env);
  if (databaseUrl === undefined && resources <= MAX_CHECKED_RESOURCES) {
    await runPinned(1, [process.execPath, 'bench/contenders/check-latchkey-tags.ts'], env);
  }
}

async function withPostgres(directory: string, work: () => Promise<void>): Promise<void> {
  const postgres = await startPostgres(0, postgresDir(directory));
  try {
    await work();
  } finally {
    await postgres.stop();
  }
}

const runningLatchkey = (server: PinnedProcess, postgres?: PinnedProcess): RunningTags => ({
  url: `${latchkey.accountUrl}/tags`,
  headers: latchkey.headers,
  async stop() {
    await server.stop();
    await postgres?.stop();
  },
});

/** Latchkey with its embedded database. */
export const onSqlite: TagContender = {
  name: 'Latchkey, SQLite',
  slug: 'latchkey-sqlite',
  isOurs: true,
  layout: latchkeyLayout,
  fill: (directory, resources) => fillLatchkey(directory, resources),
  start: async (directory) => runningLatchkey(await startLatchkey(directory, [], settings)),
};

const onPostgres: TagContender = {
  name: 'Latchkey, PostgreSQL',
  slug: 'latchkey-postgres',
  isOurs: true,
  layout: latchkeyLayout,
  fill: (directory, resources) =>
    withPostgres(directory, () => fillLatchkey(directory, resources, postgresUrl)),
  async start(directory) {
    const postgres = await startPostgres(0, postgresDir(directory));
    const onIt = { ...settings, LATCHKEY_DATABASE_URL: postgresUrl };
    return runningLatchkey(await startLatchkey(directory, [], onIt), postgres);
  },
};

/** A bare server before PostgreSQL. @param design see contenders/tag-designs.ts */
function peer(name: string, design: string): TagContender {
  const url = `http://127.0.0.1:${ports.tags}`;
  return {
    name,
    slug: design,
    isOurs: false,
    layout() {
      const { tables, copy, indexes } = tagDesigns[design] ?? {};
      return JSON.stringify([tables, copy, indexes]);
    },
    fill: (directory, resources) =>
      withPostgres(directory, async () => {
        const plan: FillPeerPlan = { design, resources };
        const fill = [process.execPath, 'bench/contenders/fill-peer-tags.ts'];
        await runPinned(1, fill, { PLAN: JSON.stringify(plan) });
      }),
    async start(directory) {
      const postgres = await startPostgres(0, postgresDir(directory));
      const server = startPinned(0, [process.execPath, 'bench/contenders/tags-in-postgres.ts'], {
        PORT: String(ports.tags),
        DATABASE_URL: postgresUrl,
        DESIGN: design,
        STATEMENT_TIMEOUT_MS: String(PATIENCE_MS),
        NODE_ENV: 'production',
      });
      await untilReady(url, server);
      return {
        url: `${url}/tags`,
        headers: {},
        async stop() {
          await server.stop();
          await postgres.stop();
        },
      };
    },
  };
}

export const tagContenders: readonly TagContender[] = [
  onSqlite,
  onPostgres,
  peer('jsonb and GIN', 'jsonb'),
  peer('a row a tag', 'rows'),
];
