import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { request as send } from 'undici';
import { type App, startApp } from '../../src/app.ts';
import { readSettings } from '../../src/config/settings.ts';
import { type Clock, systemClock } from '../../src/lib/clock.ts';
import { createId } from '../../src/lib/ids.ts';
import { createSecret } from '../../src/lib/secrets.ts';
import { permissions } from '../../src/iam/permissions.ts';
import type { HashingCost } from '../../src/iam/users/password.ts';
import { type TestDatabase, copySqliteTemplate, createPostgresDatabase } from './databases.ts';
import { observeErrors } from './observed-errors.ts';
import { readAllRows } from './stored-secrets.ts';
import {
  callingTest,
  findLeaks,
  findStoredLeaks,
  noteAnswer,
  noteRequest,
  reportLeaks,
} from './secrets-in-logs.ts';

/** What a second node, or the next start, has in common with the first. */
export type Installation = Pick<TestServer, 'postgresUrl' | 'accountId' | 'token'>;

export interface BootOptions {
  /** Settings on top of the defaults, without the `LATCHKEY_` prefix. */
  settings?: Record<string, string>;
  /** Other environment variables. */
  environment?: Record<string, string>;
  clock?: Clock;
  /** Default: next to none, since most tests are about something else. */
  hashingCost?: HashingCost;
  /** A second node on the same PostgreSQL database, or a later start in the same `dataDir`. */
  besides?: Installation;
  /** Where the embedded database lives; it outlives the server. Default: a fresh one that does not. */
  dataDir?: string;
}

export interface CallOptions {
  /** Sent as JSON, unless it is a string or a buffer, which go as they are. */
  body?: unknown;
  /** Bearer token; null sends no credential. Default: the first token, which holds everything. */
  token?: string | null;
  headers?: Record<string, string>;
}

// The tests read answers as an outsider does: by looking at them.
// eslint-disable-next-line typescript/no-explicit-any -- JSON from outside has no static type here
export type Json = any;

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  /** The parsed body; undefined when there is none or it is not JSON. */
  json: Json;
  /** Code of the first error in the envelope. */
  code: number | undefined;
}

/** A real server on a free port with a database of its own. */
export interface TestServer {
  app: App;
  database: TestDatabase;
  /** `http://127.0.0.1:port/client/v4` */
  baseUrl: string;
  origin: string;
  accountId: string;
  /** `/accounts/{id}`, where most paths begin. */
  account: string;
  /** Holds every permission in the account. */
  token: string;
  /** Every log line so far. */
  logLines: string[];
  postgresUrl: string | undefined;
  /** One request to the management API, relative to the base address. */
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  /** A token with these permissions on the account, or on one gateway of it. */
  createToken(slugs: string[], gatewayId?: string): Promise<{ id: string; value: string }>;
  stop(): Promise<void>;
}

/** The least that argon2 allows. */
export const LOW_HASHING_COST: HashingCost = { memoryKib: 8, passes: 1 };

const MASTER_KEY = randomBytes(32).toString('base64');

/** An installation that no server has set up yet: whoever starts first does. */
export function newInstallation(postgresUrl: string): Installation {
  return { postgresUrl, accountId: createId(), token: createSecret('lkat_') };
}

/** An empty directory for {@link BootOptions.dataDir}; the test removes it. */
export function createDataDir(): Promise<string> {
  return mkdtemp(path.join(tmpdir(), 'latchkey-test-'));
}

/** Boots the real server as `latchkey serve` does, in this process. */
export async function bootServer(
  database: TestDatabase,
  options: BootOptions = {},
): Promise<TestServer> {
  const source = callingTest();
  const dataDir = options.dataDir ?? (await createDataDir());
  if (database === 'sqlite' && options.dataDir === undefined) await copySqliteTemplate(dataDir);
  const { besides } = options;
  const postgres =
    database === 'postgres' && besides === undefined
      ? await createPostgresDatabase('current')
      : undefined;
  const postgresUrl = besides?.postgresUrl ?? postgres?.url;
  const accountId = besides?.accountId ?? createId();
  const token = besides?.token ?? createSecret('lkat_');
  const logLines: string[] = [];
  const settings = readSettings({
    ...options.environment,
    ...prefixed({
      PORT: '0',
      DATA_DIR: dataDir,
      ...(postgresUrl === undefined ? {} : { DATABASE_URL: postgresUrl }),
      // Several nodes on one database need the same key, and so does a later start.
      MASTER_KEY,
      // Nobody answers there: no test asks the resolvers of its machine.
      DNS_SERVERS: '127.0.0.1:9',
      BOOTSTRAP_ACCOUNT_ID: accountId,
      BOOTSTRAP_TOKEN: token,
      ...options.settings,
    }),
  });
  const cleanUp = async (): Promise<void> => {
    await postgres?.drop();
    if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true });
  };
  let running: App | undefined;
  try {
    running = await startApp(settings, {
      clock: options.clock ?? systemClock,
      hashingCost: options.hashingCost ?? LOW_HASHING_COST,
      logDestination: { write: (line) => void logLines.push(line) },
    });
  } catch (error) {
    await cleanUp();
    throw error;
  }
  const account = `/accounts/${accountId}`;
  const { baseUrl, origin } = running;
  const call: TestServer['call'] = (method, path_, callOptions = {}) =>
    request(method, baseUrl + path_, { token, ...callOptions });
  return {
    get app() {
      if (running === undefined) throw new Error('the server is stopped');
      return running;
    },
    database,
    baseUrl,
    origin,
    accountId,
    account,
    token,
    logLines,
    postgresUrl,
    call,
    async createToken(slugs, gatewayId) {
      const { json } = await call('POST', `${account}/tokens`, {
        body: { name: 'test', policies: [allowPolicy(accountId, slugs, gatewayId)] },
      });
      return json.result as { id: string; value: string };
    },
    async stop() {
      // A server whose database is gone, or that never used it, has nothing to read.
      const reading = running && readAllRows(running.database).catch(() => []);
      // The stop begins at once, because some tests observe it.
      await running?.stop();
      const rows = await reading;
      // node:test keeps all tests and hooks, and what they see, until the process ends.
      running = undefined;
      await cleanUp();
      reportLeaks(source, 'log lines', findLeaks(logLines));
      reportLeaks(source, 'the database', findStoredLeaks(rows ?? []));
    },
  };
}

function prefixed(settings: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [`LATCHKEY_${name}`, value]),
  );
}

/** A policy that allows these permissions on an account, or on one gateway of it. */
export function allowPolicy(accountId: string, slugs: string[], gatewayId?: string) {
  const account = `com.latchkey.api.account.${accountId}`;
  return {
    effect: 'allow',
    permission_groups: permissions
      .filter((permission) => slugs.includes(permission.slug))
      .map(({ id }) => ({ id })),
    resources: { [gatewayId === undefined ? account : `${account}.ai-gateway.${gatewayId}`]: '*' },
  };
}

/** One HTTP request to any address. Thousands of them are sent, and `fetch` would cost twice as much. */
export async function request(
  method: string,
  url: string,
  { body, token = null, headers = {} }: CallOptions = {},
): Promise<Answer> {
  const sent = new Headers(headers);
  if (token !== null && !sent.has('authorization')) sent.set('authorization', `Bearer ${token}`);
  const raw = typeof body === 'string' || body instanceof Uint8Array;
  if (body !== undefined && !sent.has('content-type')) sent.set('content-type', 'application/json');
  noteRequest(url, sent, body);
  const response = await send(url, {
    method,
    headers: { accept: '*/*', 'user-agent': 'node', ...Object.fromEntries(sent) },
    ...(body === undefined ? {} : { body: raw ? (body as string) : JSON.stringify(body) }),
  });
  const text = await response.body.text();
  const received = toHeaders(response.headers);
  const json = parseIfJson(text);
  noteAnswer(url, received, json);
  const { statusCode: status } = response;
  return { status, headers: received, text, json, code: observeErrors(status, json) };
}

function toHeaders(received: IncomingHttpHeaders): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(received)) {
    for (const one of [value ?? []].flat()) headers.append(name, one);
  }
  return headers;
}

function parseIfJson(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
