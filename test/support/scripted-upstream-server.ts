import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Action, ScriptedRequest } from './scripted-upstream.ts';

/**
 * A provider that does what a test has written down for it, byte by byte, as a process of its own;
 * started by scripted-upstream.ts. The model in the body, or else the last segment of the path,
 * chooses the script.
 */

const requests: ScriptedRequest[] = [];
const scripts = new Map<string, Action[][]>();
let releases: (() => void)[] = [];

const server = createServer((request, response) => {
  void serve(request, response);
});
server.on('checkContinue', (request, response) => void serve(request, response));

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { socket, method = '', url = '' } = request;
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks).toString();
  if (url.startsWith('/control/')) {
    response.end(JSON.stringify(control(url.slice('/control/'.length), body)));
    return;
  }
  const name = nameOf(url, body);
  const nth = requests.filter((earlier) => earlier.name === name).length;
  const record = { name, method, url, headers: request.rawHeaders, body, isAborted: false };
  requests.push(record);
  const attempts = scripts.get(name) ?? [];
  await play(socket, attempts[Math.min(nth, attempts.length - 1)] ?? [], record);
}

function control(command: string, body: string): unknown {
  switch (command) {
    case 'scripts':
      for (const [name, attempts] of Object.entries(JSON.parse(body) as object)) {
        scripts.set(name, attempts as Action[][]);
      }
      return {};
    case 'requests':
      return requests;
    case 'release':
      for (const release of releases) release();
      releases = [];
      return {};
    default:
      throw new Error(`there is no command ${command}`);
  }
}

function nameOf(url: string, body: string): string {
  try {
    const { model } = JSON.parse(body) as { model?: unknown };
    if (typeof model === 'string') return model;
  } catch {
    // The path tells it.
  }
  return url.split('?', 1)[0]?.split('/').at(-1) ?? '';
}

async function play(socket: Socket, script: Action[], record: ScriptedRequest): Promise<void> {
  let isOver = false;
  const closed = new Promise<void>((resolve) => {
    socket.on('close', () => {
      record.isAborted = !isOver;
      resolve();
    });
  });
  socket.on('error', () => {});
  // From the beginning on: whoever has seen a piece may release what follows at once.
  const released = new Promise<void>((resolve) => void releases.push(resolve));
  for (const action of script) {
    if (socket.destroyed) return;
    if (typeof action === 'object' && 'ends' in action) {
      if (action.ends === 'hang') return;
      isOver = true;
      socket.resetAndDestroy();
      return;
    }
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await Promise.race([act(socket, action, released), closed]);
  }
  isOver = true;
  socket.end();
}

async function act(
  socket: Socket,
  action: Exclude<Action, { ends: string }>,
  released: Promise<void>,
): Promise<void> {
  if (typeof action === 'string') {
    socket.write(action);
    // Each piece is a packet of its own.
    await delay(2);
  } else if ('awaits' in action) {
    await released;
  } else if ('waitMs' in action) {
    await delay(action.waitMs);
  } else if ('base64' in action) {
    socket.write(Buffer.from(action.base64, 'base64'));
    await delay(2);
  } else {
    await fill(socket, action.fillBytes);
  }
}

async function fill(socket: Socket, bytes: number): Promise<void> {
  const piece = Buffer.alloc(256 * 1024, 'x');
  for (let left = bytes; left > 0 && !socket.destroyed; left -= piece.length) {
    const isRoom = socket.write(piece.subarray(0, Math.min(left, piece.length)));
    // oxlint-disable-next-line no-await-in-loop -- no more than the other side takes
    if (!isRoom) await new Promise((resolve) => void socket.once('drain', resolve));
  }
}

server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});
