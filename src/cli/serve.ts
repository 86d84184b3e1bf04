import path from 'node:path';
import { type App, startApp } from '../app.ts';
import type { FirstStart } from '../config/bootstrap.ts';
import { lacksPublicAddress, localOrigin } from '../config/public-address.ts';
import { API_PREFIX, type Settings } from '../config/settings.ts';
import { findUnusedInstallation } from '../iam/accounts/find-unused-installation.ts';
import { settledWithin } from '../lib/deadline.ts';
import { keepTickShape } from '../lib/tick-shape.ts';
import { createStandardOutput } from './line-output.ts';

/** Signals that stop the server. A terminal that closes and tools that rotate logs send SIGHUP. */
const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'] as const;

/** Time for a start that is interrupted to close its database, in milliseconds. */
const UNWIND_MS = 1_000;

/**
 * Starts the server and stops it on a signal. Does not return: the process exits.
 * @throws Error if the start fails
 */
export async function runServer(settings: Settings): Promise<void> {
  const output = createStandardOutput();
  const stopped = awaitStopSignal();
  const starting = startApp(settings, {
    signal: stopped.signal,
    showFirstStart: async (firstStart) => {
      const isGenerated = firstStart.password !== undefined || firstStart.token !== undefined;
      try {
        await output.write(describeFirstStart(firstStart));
      } catch (error) {
        if (!isGenerated) return;
        throw new Error(
          'cannot show the credentials of the first start, because the standard output is closed: open it, or preset LATCHKEY_BOOTSTRAP_PASSWORD and LATCHKEY_BOOTSTRAP_TOKEN',
          { cause: error },
        );
      }
    },
  });
  const app = await Promise.race([starting, stopped.promise]);
  // A start survives a crash at every moment, so it can also be interrupted at every moment.
  if (app === undefined) await settledWithin(UNWIND_MS, starting);
  else await greet(app, settings, (text) => output.write(text));
  await stopped.promise;
  await app?.stop();
  process.exit(0);
}

/** Waits for the first signal. A second one ends the process at once. */
function awaitStopSignal(): { promise: Promise<undefined>; signal: AbortSignal } {
  const controller = new AbortController();
  const { promise, resolve } = Promise.withResolvers<undefined>();
  for (const name of STOP_SIGNALS) {
    process.on(name, () => {
      // A terminal that closes sends SIGHUP several times.
      if (controller.signal.aborted && name !== 'SIGHUP') process.exit(1);
      controller.abort();
      resolve(undefined);
    });
  }
  // The default action ends the process in the middle of its requests.
  process.on('SIGUSR2', () => {});
  return { promise, signal: controller.signal };
}

async function greet(
  app: App,
  settings: Settings,
  write: (text: string) => Promise<void>,
): Promise<void> {
  const unusedEmail = await findUnusedInstallation(app.database.read);
  // The server works without a reader of its output.
  await write(greeting(app, settings, unusedEmail)).catch(() => {});
  await collectGarbage();
}

function greeting(app: App, settings: Settings, unusedEmail: string | undefined): string {
  const { HOST } = settings;
  const PORT = Number(new URL(app.origin).port);
  // Browsers do not open 0.0.0.0.
  const origin = lacksPublicAddress(settings)
    ? localOrigin({ HOST, PORT })
    : app.baseUrl.slice(0, -API_PREFIX.length);
  const lines = [
    `Latchkey is listening on ${app.origin}`,
    `  dashboard     ${origin}`,
    `  API           ${origin}${API_PREFIX}`,
    `  data          ${path.resolve(settings.DATA_DIR)}`,
  ];
  if (app.firstStart === undefined && unusedEmail !== undefined) {
    lines.push(
      '',
      'The credentials of the first start are not used yet. If you do not have them,',
      `print a link to set a password: latchkey user reset-password ${unusedEmail}`,
    );
  }
  return `${lines.join('\n')}\n\n`;
}

function describeFirstStart({ accountId, email, password, token }: FirstStart): string {
  const lines = ['This is the first start. Save the following values: they are shown only once.'];
  lines.push(`  account id    ${accountId}`, `  email         ${email}`);
  if (password !== undefined) lines.push(`  password      ${password}`);
  if (token !== undefined) lines.push(`  API token     ${token}`);
  return `${lines.join('\n')}\n\n`;
}

/** Releases the memory of the start: a fifth of the memory of an idle server, which does not collect it. */
async function collectGarbage(): Promise<void> {
  const { Session } = await import('node:inspector/promises');
  const session = new Session();
  session.connect();
  await keepTickShape();
  await session.post('HeapProfiler.collectGarbage');
  session.disconnect();
}
