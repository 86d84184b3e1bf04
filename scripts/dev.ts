import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startDevServer } from '../dashboard/vite/dev-server.ts';
import { localOrigin } from '../src/config/public-address.ts';
import { API_PREFIX, readSettings } from '../src/config/settings.ts';
import { dashboardFacts } from '../src/dashboard-facts.ts';
import { cookieNames } from '../src/iam/sessions/session-cookie.ts';

/**
 * Develops: `npm run dev`. The server starts again on changes below `src`, the dashboard changes in open
 * pages. Vite stands in front of both, so that there is one address and cookies are those of one origin.
 */
const HOST = 'localhost';
const DEFAULT_PORT = '5173';
const POLL_INTERVAL_MS = 200;
const ROOT = path.join(import.meta.dirname, '..');

async function develop(): Promise<number> {
  const { values } = parseArgs({ options: { port: { type: 'string', default: DEFAULT_PORT } } });
  const port = Number(values.port);
  const page = `http://${HOST}:${port}`;
  // Mails and passkeys name the address at which people are.
  const env = { LATCHKEY_BASE_URL: page + API_PREFIX, ...process.env };
  const settings = readSettings(env);
  if (settings.PORT === 0) throw new Error('LATCHKEY_PORT must say which one: Vite hands on to it');
  const origin = settings.BASE_URL?.slice(0, -API_PREFIX.length) ?? page;
  const { csrf } = cookieNames(origin.startsWith('https:'));
  const server = localOrigin(settings);
  const facts = dashboardFacts(settings, origin, csrf);
  const stopVite = await startDevServer({ host: HOST, port, server, facts });
  // In a group of its own: a terminal would send Ctrl-C to it too, and the second one cuts it short.
  const child = spawn(
    process.execPath,
    ['--watch-path=src', '--watch-preserve-output', 'bin/latchkey.js'],
    { cwd: ROOT, env, stdio: 'inherit', detached: true },
  );
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => child.kill('SIGTERM'));
  }
  process.on('exit', () => child.kill('SIGTERM'));
  const ended = once(child, 'exit');
  const isReady = await Promise.race([answers(server), ended.then(() => false)]);
  if (isReady) process.stdout.write(`Open ${page}\n\n`);
  const [code] = (await ended) as [number | null];
  await stopVite();
  return code ?? 0;
}

/** Waits until the server does. */
async function answers(server: string): Promise<true> {
  for (;;) {
    const answer = await fetch(`${server}/readyz`).catch(() => undefined);
    if (answer?.ok === true) return true;
    await delay(POLL_INTERVAL_MS);
  }
}

process.exit(
  await develop().catch((error: unknown) => {
    process.stderr.write(`${(error as Error).message}\n`);
    return 1;
  }),
);
