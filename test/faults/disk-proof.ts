import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { LOG_FILE } from '../../src/storage/log-file.ts';
import { eventually } from '../support/eventually.ts';
import { type Answer, request } from '../support/server.ts';
import {
  type Installation,
  type ServerProcess,
  type TestScope,
  createInstallation,
} from '../support/server-process.ts';
import type { Proof, ProofContext } from './proof.ts';

const MIB = 1024 * 1024;
const SMALL_BYTES = 12 * MIB;
const IN_FLIGHT = 8;
const MOST_WRITES = 20_000;
const RECOVERY_MS = 30_000;
const LONG_VALUE = 'x'.repeat(1_000);
const LONG_CONTENT = 'x'.repeat(100_000);

/** What was seen while a disk took nothing. */
interface Figures {
  fault: string;
  written: number;
  refused: number;
  told: string;
  logged: number;
  recoveredMs: number;
}

/**
 * A file system that is full, and one that takes no writes any more, under a server that runs: both are real
 * here, and need root on Linux. What needs neither is in the tests.
 */
export const prove: Proof = async (context) => {
  assert.equal(process.getuid?.(), 0, 'only root may mount a small disk');
  const figures = [await onFullDisk(context), await onFrozenFiles(context)];
  const rows = figures.map(
    ({ fault, written, refused, told, logged, recoveredMs }) =>
      `| ${fault} | ${written} | ${refused} | ${told} | ${logged} | ${recoveredMs} ms |`,
  );
  return [
    '## The disk is full or read-only',
    '',
    '| Fault | 200 | 503 | `/readyz` | Log lines | Recovery |',
    '| --- | ---: | ---: | --- | ---: | ---: |',
    ...rows,
    '',
    'Every write with a 200 response is stored, and every write with a 503 response is absent. Reads and gateway',
    'requests succeed during the fault, and also after a kill and a start on the full disk.',
  ].join('\n');
};

/** Runs something that must succeed. */
function run(program: string, ...args: string[]): void {
  const { status, stderr, error } = spawnSync(program, args, { encoding: 'utf8' });
  assert.equal(status, 0, `${program} ${args.join(' ')}: ${stderr} ${error?.message ?? ''}`);
}

async function withScope<T>(work: (scope: TestScope) => Promise<T>): Promise<T> {
  const ends: (() => unknown)[] = [];
  try {
    return await work({ after: (end) => void ends.unshift(end) });
  } finally {
    for (const end of ends) await end();
  }
}

async function onFullDisk({ directory, progress }: ProofContext): Promise<Figures> {
  return withScope(async (scope) => {
    const disk = path.join(directory, 'small');
    mkdirSync(disk);
    run('mount', '-t', 'tmpfs', '-o', `size=${SMALL_BYTES}`, 'none', disk);
    scope.after(() => run('umount', disk));
    const dataDir = path.join(disk, 'data');
    const installation = await createInstallation(scope, 'sqlite', { DATA_DIR: dataDir });
    const server = await installation.start();
    const load = new Load(installation, server);
    await load.fill();
    progress(`full after ${load.stored.size} writes`);
    await load.assertServed();
    const told = await load.readiness();
    assert.match(told, /storage is full/);
    const startMs = performance.now();
    run('mount', '-o', `remount,size=${16 * SMALL_BYTES}`, disk);
    await load.awaitReady();
    const recoveredMs = Math.round(performance.now() - startMs);
    await load.assertStored();
    const logged = load.linesLogged();
    await assertStartsFull(installation, server, disk);
    return { fault: 'full (ENOSPC)', ...load.figures(), told, logged, recoveredMs };
  });
}

/** Whoever restarts the server because of a full disk is not worse off than before. */
async function assertStartsFull(
  installation: Installation,
  server: ServerProcess,
  disk: string,
): Promise<void> {
  server.process.kill('SIGKILL');
  await server.process.result();
  spawnSync('dd', ['if=/dev/zero', `of=${path.join(disk, 'filler')}`, 'bs=64k']);
  const load = new Load(installation, await installation.start());
  // There is room in the write-ahead log that the kill has left.
  await load.fill();
  assert.match(await load.readiness(), /storage is full/);
  await load.assertServed();
}

async function onFrozenFiles({ directory, progress }: ProofContext): Promise<Figures> {
  return withScope(async (scope) => {
    const dataDir = path.join(directory, 'frozen');
    const installation = await createInstallation(scope, 'sqlite', { DATA_DIR: dataDir });
    const server = await installation.start();
    const load = new Load(installation, server);
    for (let i = 0; i < 100; i++) await load.put();
    await load.ask('hello');
    await eventually('the log is there', () => load.hasLog());
    const files = ['latchkey.db', LOG_FILE].flatMap((name) => [name, `${name}-wal`]);
    const paths = files.map((name) => path.join(dataDir, name));
    // No open file is spared: the kernel refuses each write, as it does when a disk has turned read-only.
    run('chattr', '+i', ...paths);
    scope.after(() => spawnSync('chattr', ['-i', ...paths]));
    for (let i = 0; i < 100; i++) await load.put();
    progress(`${load.refused} writes refused`);
    assert.equal(load.refused, 100);
    await load.assertServed();
    const told = await load.readiness();
    const startMs = performance.now();
    run('chattr', '-i', ...paths);
    await load.awaitReady();
    const recoveredMs = Math.round(performance.now() - startMs);
    await load.assertStored();
    const logged = load.linesLogged();
    return { fault: 'read-only (files open)', ...load.figures(), told, logged, recoveredMs };
  });
}

/** Writes, and knows which of them must be there. */
class Load {
  readonly stored = new Set<string>();
  refused = 0;
  readonly #server: ServerProcess;
  readonly #token: string;
  #sent = 0;

  constructor({ token }: Installation, server: ServerProcess) {
    this.#server = server;
    this.#token = token;
  }

  #call(method: string, resource: string, body?: unknown): Promise<Answer> {
    return request(method, this.#server.account + resource, { token: this.#token, body });
  }

  /** Writes until nothing can be written any more, logs included. */
  async fill(): Promise<void> {
    while (this.refused === 0 && this.#sent < MOST_WRITES) {
      await this.ask(LONG_CONTENT);
      await Promise.all(Array.from({ length: IN_FLIGHT }, () => this.put()));
    }
    for (let i = 0; i < 200; i++) await this.put();
    assert.ok(this.refused > 0, 'the disk is not full');
  }

  async put(): Promise<void> {
    const id = `queue-${this.#sent++}`;
    const tags = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`k${i}`, LONG_VALUE]));
    const body = { resource_type: 'queue', resource_id: id, tags };
    const { status, code, text, headers } = await this.#call('PUT', '/tags', body);
    if (status === 200) this.stored.add(id);
    else {
      assert.deepEqual([status, code], [503, 1001], text);
      assert.ok(Number(headers.get('retry-after')) > 0);
      this.refused++;
    }
  }

  async ask(content: string): Promise<void> {
    const messages = [{ role: 'user', content }];
    const { status, text } = await this.#call('POST', '/ai/v1/chat/completions', {
      model: 'local/echo',
      messages,
    });
    assert.equal(status, 200, text);
  }

  async hasLog(): Promise<boolean> {
    const { json } = await this.#call('GET', '/ai-gateway/gateways/default/logs');
    return json.result.length > 0;
  }

  /** What needs no write goes on. */
  async assertServed(): Promise<void> {
    for (let i = 0; i < 50; i++) {
      await this.ask('hello');
      assert.equal((await this.#call('GET', '/tags/resources')).status, 200);
    }
  }

  async readiness(): Promise<string> {
    const { status, json } = await request('GET', `${this.#server.origin}/readyz`);
    assert.equal(status, 503);
    return json.errors[0].message as string;
  }

  awaitReady(): Promise<void> {
    const isReady = async (): Promise<boolean> =>
      (await request('GET', `${this.#server.origin}/readyz`)).status === 200;
    return eventually('it is ready', isReady, RECOVERY_MS);
  }

  /** All that was acknowledged is there, and nothing else. */
  async assertStored(): Promise<void> {
    const found = new Set<string>();
    for (let cursor = ''; ;) {
      const { json } = await this.#call('GET', `/tags/resources?limit=1000&cursor=${cursor}`);
      for (const { id } of json.result as { id: string }[]) found.add(id);
      cursor = (json.result_info.cursor as string | undefined) ?? '';
      if (cursor === '') break;
    }
    assert.deepEqual([...found].toSorted(), [...this.stored].toSorted());
  }

  linesLogged(): number {
    return this.#server.process.stdout.split('\n').filter((line) => line.startsWith('{')).length;
  }

  figures(): { written: number; refused: number } {
    return { written: this.stored.size, refused: this.refused };
  }
}
