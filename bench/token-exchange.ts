import { existsSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { CONNECTIONS, type Figures, compare } from './figures.ts';
import type { Bench } from './options.ts';
import type { Outcome } from './outcome.ts';
import { type PinnedProcess, runPinned, startPinned, untilReady } from './pinned-process.ts';
import { ports } from './ports.ts';

const node = process.execPath;
const PREPARATION_TIMEOUT_MS = 60_000;

/**
 * Code → access, refresh and ID token, with a client secret and PKCE. Each round has a fresh server
 * with codes of its own, because a code works once. The directory must be on a real disk, or durability costs
 * nothing.
 */
export async function compareTokenExchange(bench: Bench): Promise<Outcome> {
  const directory = path.join(bench.directory, 'tokens');
  const codesFile = path.join(directory, 'codes.json');
  const port = ports.tokens;
  const address = `http://127.0.0.1:${port}`;

  async function redeem(endpoint: string, server: PinnedProcess): Promise<Figures> {
    try {
      const deadlineMs = Date.now() + PREPARATION_TIMEOUT_MS;
      while (!existsSync(codesFile) && Date.now() < deadlineMs) await delay(50);
      await untilReady(address, server);
      const load = [node, 'bench/redeem-codes.ts', address + endpoint, codesFile];
      return JSON.parse(await runPinned(1, load)) as Figures;
    } finally {
      await server.stop();
      rmSync(directory, { recursive: true, force: true });
    }
  }

  async function latchkey(): Promise<Figures> {
    mkdirSync(directory, { recursive: true });
    const dataDir = path.join(directory, 'data');
    const env = { DATA_DIR: dataDir, CODES_FILE: codesFile, CODES: String(bench.codes) };
    await runPinned(0, [node, 'bench/contenders/prepare-latchkey-codes.ts'], env);
    const server = startPinned(0, [node, 'bin/latchkey.js'], {
      LATCHKEY_PORT: String(port),
      LATCHKEY_DATA_DIR: dataDir,
      LATCHKEY_LOG_LEVEL: 'warn',
    });
    return redeem('/oauth2/token', server);
  }

  function oidcProvider(databaseFile?: string): Promise<Figures> {
    mkdirSync(directory, { recursive: true });
    const server = startPinned(0, [node, 'bench/contenders/oidc-provider.ts'], {
      PORT: String(port),
      CODES_FILE: codesFile,
      CODES: String(bench.codes),
      NODE_ENV: 'production',
      ...(databaseFile === undefined ? {} : { DATABASE_FILE: databaseFile }),
    });
    return redeem('/token', server);
  }

  const { table, ratioTo } = await compare(
    'Code to access, refresh and ID token',
    `A client secret and PKCE; ${CONNECTIONS} connections, ${bench.codes} codes in each round.`,
    [
      { name: 'Latchkey (SQLite, on disk before the answer)', measure: latchkey },
      {
        name: 'oidc-provider, SQLite with synchronous=FULL',
        measure: () => oidcProvider(path.join(directory, 'provider.db')),
      },
      { name: 'oidc-provider, Map', measure: () => oidcProvider() },
    ],
    bench.rounds,
  );
  return {
    measured: {
      'tokens ÷ oidc-provider, SQLite': ratioTo(1),
      'tokens ÷ oidc-provider, Map': ratioTo(2),
    },
    tables: [table],
  };
}
