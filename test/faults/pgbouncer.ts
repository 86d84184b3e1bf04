import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { eventually } from '../support/eventually.ts';
import { accountOfPostgres } from '../support/postgres-pair.ts';
import { freePort } from '../support/postgres-server.ts';

const PLACES = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/usr/local/bin/pgbouncer'];

/** PgBouncer in transaction mode, as its package configures it but for the mode. */
export class PgBouncer {
  readonly url: string;
  readonly #binary: string;
  readonly #file: string;
  #process: ChildProcess | undefined;

  private constructor(binary: string, file: string, url: string) {
    this.#binary = binary;
    this.#file = file;
    this.url = url;
  }

  /** @throws when it is not installed */
  static async start(directory: string, target: string): Promise<PgBouncer> {
    const binary = PLACES.find((place) => existsSync(place));
    if (binary === undefined) {
      throw new Error('this proof needs PgBouncer: apt-get install pgbouncer');
    }
    const { hostname, port, pathname } = new URL(target);
    const listenPort = await freePort();
    const own = path.join(directory, 'pgbouncer');
    await mkdir(own);
    await chmod(own, 0o755);
    const file = path.join(own, 'pgbouncer.ini');
    const lines = [
      '[databases]',
      `* = host=${hostname} port=${port} user=postgres`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${listenPort}`,
      'unix_socket_dir =',
      'auth_type = any',
      'pool_mode = transaction',
      'default_pool_size = 8',
      'max_client_conn = 200',
    ];
    await writeFile(file, `${lines.join('\n')}\n`);
    const url = `postgres://postgres@127.0.0.1:${listenPort}${pathname}`;
    const bouncer = new PgBouncer(binary, file, url);
    await bouncer.run();
    return bouncer;
  }

  async run(): Promise<void> {
    const child = spawn(this.#binary, [this.#file], { ...accountOfPostgres(), stdio: 'ignore' });
    this.#process = child;
    await eventually('PgBouncer takes connections', async () => {
      if (child.exitCode !== null) throw new Error('PgBouncer did not start');
      const client = new pg.Client(this.url);
      client.on('error', () => {});
      try {
        await client.connect();
        await client.query('select 1');
        return true;
      } catch {
        return false;
      } finally {
        await client.end().catch(() => {});
      }
    });
  }

  async kill(): Promise<void> {
    const child = this.#process;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }
}
