// Starts the server in a container of `buildah` and runs the quick start of the README in it:
// `node deploy/image/try-image.js CONTAINER`. Exits with 1 if anything fails.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

const START_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 45_000;

const [container = ''] = process.argv.slice(2);

/** A free port: the container shares the network of this machine. */
async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('no port is free');
  return address.port;
}

/**
 * @param {string} path
 * @param {RequestInit} [options]
 */
async function call(path, options = {}) {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, options);
  const text = await response.text();
  if (!response.ok) throw new Error(`${path} responds with ${response.status}: ${text}`);
  return text;
}

const port = await freePort();
// buildah does not pass signals on: the end of standard input stops the server.
const command = 'latchkey serve </dev/null & server=$!; read _; kill -TERM $server; wait $server';
const server = spawn(
  'buildah',
  ['run', '--env', `LATCHKEY_PORT=${port}`, container, '--', 'sh', '-c', command],
  { stdio: ['pipe', 'pipe', 'inherit'] },
);
const ended = once(server, 'exit');
let output = '';
server.stdout.setEncoding('utf8').on('data', (/** @type {string} */ text) => (output += text));

try {
  const deadline = Date.now() + START_LIMIT_MS;
  while (!/API token +\w+/.test(output) || !(await call('/readyz').catch(() => ''))) {
    if (Date.now() > deadline || server.exitCode !== null) {
      throw new Error(`the server did not start:\n${output}`);
    }
    await delay(100);
  }
  const account = /account id +(\w+)/.exec(output)?.[1];
  const token = /API token +(\w+)/.exec(output)?.[1];
  const completion = await call(`/client/v4/accounts/${account}/ai/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'local/echo',
      messages: [{ role: 'user', content: 'Hello' }],
    }),
  });
  if (JSON.parse(completion).choices[0].message.content !== 'Hello') throw new Error(completion);
  if (!(await call('/login')).includes('<form')) throw new Error('there is no sign-in page');
  await call('/docs/static/swagger-ui.css');
} finally {
  server.stdin.end();
  const limit = setTimeout(() => server.kill('SIGKILL'), STOP_LIMIT_MS);
  await ended;
  clearTimeout(limit);
}
if (server.exitCode !== 0) throw new Error(`the server ended with ${server.exitCode}:\n${output}`);
process.stdout.write(
  'the image serves the API, the pages and the reference, and stops on SIGTERM\n',
);
