import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type Socket, connect } from 'node:net';
import { CliProcess } from '../support/cli.ts';
import { eventually } from '../support/eventually.ts';
import { request } from '../support/server.ts';
import type { Proof, ProofContext } from './proof.ts';

const KIB = 1024;
// As many are opened at a time as a listener's queue takes.
const BATCH = 100;
const PROBES = 200;
// What the server allows an idle connection, and something for a busy machine.
const IDLE_LIMIT_MS = 150_000;
const REQUEST = 'GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n';

/** What was seen of a server with many idle connections. */
export interface ManyConnections {
  count: number;
  bytesEach: number;
  /** Of a new request beside them, on a connection of its own. */
  p50Ms: number;
  p99Ms: number;
  /** Of those above the limit. */
  refused: number;
  /** Until the server had closed all of them; undefined: not waited for. */
  closedAfterSeconds: number | undefined;
}

async function openOne(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(REQUEST);
  await once(socket, 'data');
  return socket;
}

function residentBytes(pid: number): number {
  const [, kib = '0'] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kib) * KIB;
}

async function probe(origin: string): Promise<{ p50Ms: number; p99Ms: number }> {
  const times: number[] = [];
  for (let i = 0; i < PROBES; i++) {
    const startMs = performance.now();
    const { status } = await request('GET', `${origin}/readyz`, {
      headers: { connection: 'close' },
    });
    assert.equal(status, 200);
    times.push(performance.now() - startMs);
  }
  times.sort((a, b) => a - b);
  const at = (share: number): number => times[Math.floor(times.length * share)] ?? 0;
  return { p50Ms: at(0.5), p99Ms: at(0.99) };
}

/**
 * Opens so many connections to a server of its own, each of which has been used once, and asks new things beside
 * them.
 * @param isPatient waits until the server has closed all of them
 */
export async function openMany(
  { directory, progress }: Pick<ProofContext, 'directory' | 'progress'>,
  count: number,
  isPatient: boolean,
): Promise<ManyConnections> {
  const server = new CliProcess(['serve'], {
    env: {
      LATCHKEY_DATA_DIR: directory,
      LATCHKEY_PORT: '0',
      LATCHKEY_LOG_LEVEL: 'error',
      LATCHKEY_MASTER_KEY: randomBytes(32).toString('base64'),
      LATCHKEY_MAX_CONNECTIONS: String(count + 1),
      LATCHKEY_MAX_CONNECTIONS_PER_ADDRESS: '0',
    },
  });
  const sockets: Socket[] = [];
  let closed = 0;
  try {
    const origin = await server.origin();
    const port = Number(new URL(origin).port);
    const pid = server.child.pid ?? 0;
    await probe(origin);
    const before = residentBytes(pid);
    while (sockets.length < count) {
      const batch = Math.min(BATCH, count - sockets.length);
      const opened = await Promise.all(Array.from({ length: batch }, () => openOne(port)));
      for (const socket of opened) socket.on('close', () => closed++);
      sockets.push(...opened);
      if (sockets.length % 1_000 === 0) progress(`${sockets.length} connections`);
    }
    const bytesEach = (residentBytes(pid) - before) / count;
    const startMs = performance.now();
    const times = await probe(origin);
    assert.equal(closed, 0, 'a connection was closed while there was room');
    const refused = await openTooMany(port);
    let closedAfterSeconds: number | undefined;
    if (isPatient) {
      progress('waiting for the idle ones to be closed');
      await eventually('all are closed', async () => closed === count, IDLE_LIMIT_MS);
      closedAfterSeconds = (performance.now() - startMs) / 1_000;
    } else for (const socket of sockets) socket.destroy();
    await eventually('new requests are served', async () => {
      return (await request('GET', `${origin}/readyz`)).status === 200;
    });
    return { count, bytesEach, ...times, refused, closedAfterSeconds };
  } finally {
    for (const socket of sockets) socket.destroy();
    server.kill('SIGKILL');
    await server.result();
  }
}

/** Answers how many of ten were refused; one has room. */
async function openTooMany(port: number): Promise<number> {
  const sockets = Array.from({ length: 10 }, () => connect(port, '127.0.0.1'));
  let refused = 0;
  for (const socket of sockets) {
    socket.on('error', () => {});
    socket.on('close', () => refused++);
    socket.resume();
  }
  await eventually('those above the limit are refused', async () => refused >= sockets.length - 1);
  const seen = refused;
  for (const socket of sockets) socket.destroy();
  return seen;
}

/** `npm run faults -- connections --connections=10000` */
export const prove: Proof = async (context) => {
  const count = context.count('connections', 10_000);
  const seen = await openMany(context, count, true);
  return [
    '## Idle connections',
    '',
    '| Idle connections | Memory each | New request, p50 | p99 | Rejected above the limit | All closed after |',
    '| --- | --- | --- | --- | --- | --- |',
    `| ${seen.count.toLocaleString('en')} | ${(seen.bytesEach / KIB).toFixed(1)} KiB | ${seen.p50Ms.toFixed(1)} ms | ${seen.p99Ms.toFixed(1)} ms | ${seen.refused} of 10 | ${seen.closedAfterSeconds?.toFixed(0)} s |`,
    '',
    'Each connection carries one request and stays open. `LATCHKEY_MAX_CONNECTIONS` leaves room for one more. The test',
    'then opens ten. The server closes connections that are idle for 72 seconds.',
  ].join('\n');
};
