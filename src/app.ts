import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import packageJson from '../package.json' with { type: 'json' };
import { type ComposedGateway, composeGateway } from './app-gateway.ts';
import { healthOf, watchStorage } from './app-health.ts';
import {
  bootstrapSettings,
  databaseSettings,
  httpSettings,
  oauthSettings,
  signInSettings,
  tagSettings,
} from './app-settings.ts';
import { type FirstStart, bootstrap } from './config/bootstrap.ts';
import { createDataDirectory } from './config/data-directory.ts';
import { loadMasterKey } from './config/master-key.ts';
import { API_PREFIX, type Settings } from './config/settings.ts';
import { dashboardFacts } from './dashboard-facts.ts';
import { deleteAccountGateways } from './gateway-admin/gateways/delete-account-gateways.ts';
import { findGatewayName } from './gateway-admin/gateways/gateway-store.ts';
import { deleteDeferredCalls } from './gateway/deferred/deferred-call-store.ts';
import { forgetSpend } from './gateway/limits/forget-spend.ts';
import { isUniversalUpgrade } from './gateway/ingress/websocket/upgrades.ts';
import { addDashboard } from './http/dashboard.ts';
import type { ConnectionCounts } from './http/connections.ts';
import { drain } from './http/drain.ts';
import { addHealth } from './http/health.ts';
import { Metrics, addMetrics } from './http/metrics.ts';
import { addDocs, addOpenApi } from './http/openapi.ts';
import { registerRoutes } from './http/register-routes.ts';
import { type LogDestination, createHttpServer } from './http/server.ts';
import type { PurgeAccountData } from './iam/accounts/delete-account-contents.ts';
import { findAccountName } from './iam/accounts/account-store.ts';
import { findTokenName } from './iam/api-tokens/token-store.ts';
import { type Iam, createIam } from './iam/iam.ts';
import type { Mailer } from './iam/mail/mailer.ts';
import type { FindResourceName } from './iam/own-resources.ts';
import { askToSignIn } from './iam/pages/ask-to-sign-in.ts';
import { permissions } from './iam/permissions.ts';
import type { ManagementRoute } from './iam/route.ts';
import { type HashingCost, PasswordHasher } from './iam/users/password.ts';
import { UserDirectory } from './iam/users/user-directory.ts';
import { type Clock, systemClock } from './lib/clock.ts';
import { settledWithin } from './lib/deadline.ts';
import type { MasterKey } from './lib/sealing.ts';
import { deleteAccountClients } from './oauth/clients/delete-account-clients.ts';
import { findClientName } from './oauth/clients/client-store.ts';
import { grantUses } from './oauth/grants/grant-store.ts';
import { type OAuth, createBearers, createOAuth } from './oauth/oauth.ts';
import { addInstallationMetrics } from './installation-metrics.ts';
import { warnOfMistakes } from './startup-warnings.ts';
import { calmReport } from './storage/calm-report.ts';
import { type Database, openDatabase } from './storage/database.ts';
import type { ReportTrouble } from './storage/invalidation.ts';
import { PeriodicWork } from './storage/periodic-work.ts';
import { purgeAccountTags } from './tags/purge-account-tags.ts';
import { createResourceTagging } from './tags/resource-tagging.ts';
import { type ResourceTags, createResourceTags } from './tags/tags.ts';

export interface AppOptions {
  clock?: Clock;
  logDestination?: LogDestination;
  /** Cost of password hashes; tests lower it. */
  hashingCost?: HashingCost;
  /** Shows the generated credentials of a first start before the server stores them. */
  showFirstStart?: (firstStart: FirstStart) => Promise<void>;
  /** Ends a start that waits for another node. */
  signal?: AbortSignal;
}

/** A server that accepts requests. */
export interface App {
  /** `http://host:port` of the listener. */
  origin: string;
  baseUrl: string;
  gatewayUrl: string;
  database: Database;
  /** What clients did to their connections. */
  connections: Readonly<ConnectionCounts>;
  /** Every operation of the management API, as declared: who may what is generated from it. */
  routes: readonly ManagementRoute[];
  /** Present when this start set up an empty installation. */
  firstStart: FirstStart | undefined;
  /** Stops accepting, lets running requests end, writes what is buffered, closes the databases. */
  stop(): Promise<void>;
}

/**
 * Composes the whole server and starts it: the only place that sees every part.
 * @throws when the settings cannot be served: port in use, database unreachable, data directory taken
 */
export async function startApp(settings: Settings, options: AppOptions = {}): Promise<App> {
  const clock = options.clock ?? systemClock;
  createDataDirectory(settings.DATA_DIR);
  const http = createHttpServer(httpSettings(settings), clock, {
    logDestination: options.logDestination,
    // Asked when a request has failed, and there are none before the start is done.
    troubleOf: (error) => database.troubleOf(error),
    isUpgrade: isUniversalUpgrade,
  });
  const log: ReportTrouble = (error, message) => http.log.error({ err: error }, message);
  const database = openDatabase(databaseSettings(settings), log, clock);
  const report = calmReport(log, (error) => database.isUnavailable(error));
  const passwords = new PasswordHasher(options.hashingCost);
  let gateway: ComposedGateway | undefined;
  try {
    await database.migrate();
    await database.invalidation.start();
    const masterKey = await loadMasterKey(settings, database);
    const work = new PeriodicWork(database, clock, report);
    const state: ServerState = { refusal: 'the server is starting', origin: '' };
    const composed = await compose(http, settings, {
      clock,
      database,
      masterKey,
      passwords,
      work,
      state,
      report,
    });
    const { iam } = composed;
    gateway = composed.gateway;
    await gateway.requestLog.start();
    const origin = await listen(http, settings);
    state.origin = origin;
    const firstStart = await bootstrap(bootstrapSettings(settings), {
      database,
      clock,
      report,
      passwords,
      show: options.showFirstStart ?? (() => Promise.resolve()),
      warn: (facts, message) => http.log.warn(facts, message),
      signal: options.signal,
    });
    iam.start();
    work.start();
    state.refusal = undefined;
    return {
      origin,
      baseUrl: settings.BASE_URL ?? origin + API_PREFIX,
      gatewayUrl: settings.GATEWAY_URL ?? origin,
      database,
      connections: http.connections.counts,
      routes: composed.routes,
      firstStart,
      stop: () => stopApp(http, settings, { database, work, state, report }, composed),
    };
  } catch (error) {
    const step = stopStep(report);
    await step('the listener', () => http.close());
    await step('the gateway', async () => gateway?.stop(), STOP_TIMEOUT_MS);
    await step('the database', () => database.close(), STOP_TIMEOUT_MS);
    throw database.nameFile(error);
  }
}

async function stopApp(
  http: FastifyInstance,
  settings: Settings,
  { database, work, state, report }: Pick<Parts, 'database' | 'work' | 'state' | 'report'>,
  { gateway, iam, oauth, tags }: Composed,
): Promise<void> {
  state.refusal = 'the server is stopping';
  const step = stopStep(report);
  await step('the listener', () =>
    drain(http, settings.SHUTDOWN_TIMEOUT_MS, () => gateway.gateway.endCalls()),
  );
  // It uses all the others.
  await step('periodic work', () => work.stop(), STOP_TIMEOUT_MS);
  await Promise.all([
    step('the gateway', () => gateway.stop(), STOP_TIMEOUT_MS),
    step('accounts and people', () => iam.stop(), STOP_TIMEOUT_MS),
    step('OAuth clients', () => oauth.stop(), STOP_TIMEOUT_MS),
    step('resource tags', () => tags.stop(), STOP_TIMEOUT_MS),
  ]);
  await step('the database', () => database.close(), STOP_TIMEOUT_MS);
}

// To write what is buffered; a part that is stuck must not keep the process from its end.
const STOP_TIMEOUT_MS = 5_000;

/** Stops one part: trouble with it is logged and keeps no other part from being stopped. */
function stopStep(report: ReportTrouble) {
  return async (part: string, stop: () => Promise<unknown>, timeoutMs?: number): Promise<void> => {
    const stopped = Promise.try(stop).catch((error: unknown) => {
      report(error as Error, `failed to stop ${part}`);
    });
    if (timeoutMs === undefined) await stopped;
    else if (!(await settledWithin(timeoutMs, stopped))) {
      report(new Error(`still running after ${timeoutMs} ms`), `${part} did not stop in time`);
    }
  };
}

interface Parts {
  clock: Clock;
  database: Database;
  masterKey: MasterKey;
  passwords: PasswordHasher;
  work: PeriodicWork;
  state: ServerState;
  report: ReportTrouble;
}

/** What becomes known while the server starts, and changes while it runs. */
interface ServerState {
  /** Why the server should get no traffic now; undefined while it should. */
  refusal: string | undefined;
  /** Of the listener; empty until it listens. */
  origin: string;
}

interface Composed {
  gateway: ComposedGateway;
  iam: Iam;
  oauth: OAuth;
  tags: ResourceTags;
  routes: ManagementRoute[];
}

/** Registers everything that answers requests. */
async function compose(
  http: FastifyInstance,
  settings: Settings,
  { clock, database, masterKey, passwords, work, state, report }: Parts,
): Promise<Composed> {
  const publicOrigin = settings.BASE_URL?.slice(0, -API_PREFIX.length);
  const writing = { clock, findResourceName, ...tagSettings(settings) };
  const tagging = createResourceTagging(writing);
  const shared = { database, clock, report, masterKey, tagging, work, brand: settings.BRAND };
  const origin = () => publicOrigin ?? state.origin;
  const bearers = createBearers(database, clock, new UserDirectory(database, clock));
  const iam = createIam({
    ...shared,
    passwords,
    users: bearers.users,
    accessTokens: bearers.accessTokens,
    grantUses,
    rateLimit: settings.RATE_LIMIT,
    mailer: await loadMailer(settings),
    ...signInSettings(settings),
    deleteAccountData: [
      deleteAccountClients,
      deleteAccountGateways,
      (tx, _announce, accountId) => deleteDeferredCalls(tx, accountId),
    ],
    purgeAccountData: accountPurges(database, () => gateway),
    origin,
    isSecure: publicOrigin?.startsWith('https:') ?? false,
  });
  const { changes, lastUsed, lastUsedGrants } = iam;
  const metrics = new Metrics();
  addMetrics(http, metrics);
  watchStorage(metrics, database);
  addInstallationMetrics(metrics, settings);
  await addReference(http, settings.BRAND, publicOrigin, iam.cookies.session);
  await serveDashboard(http, settings, iam, origin);
  const gatewayUrl = () => settings.GATEWAY_URL ?? origin();
  const addresses = { gatewayUrl, ownOrigins: () => ownOrigins(settings, state) };
  const gateway = await composeGateway(settings, {
    ...shared,
    ...addresses,
    ownPort: () => ownPort(state),
    changes,
    sessions: iam.services,
    lastUsed,
    lastUsedGrants,
    metrics,
  });
  addHealth(http, healthOf(database, gateway.requestLog, state));
  warnOfMistakes(http.log, settings);
  const oauth = createOAuth({
    ...shared,
    iam,
    bearers,
    ...oauthSettings(settings),
    issuer: origin,
    resourceServers: () => [origin() + API_PREFIX, gatewayUrl()],
  });
  const changesDays = settings.TAG_CHANGES_DAYS;
  const tags = createResourceTags({ ...writing, database, changes, work, changesDays });
  const routes = [...iam.routes, ...oauth.routes, ...gateway.routes, ...tags.routes];
  await registerManagement(http, routes, iam);
  await iam.register(http, oauth.pages);
  await oauth.register(http);
  await gateway.gateway.register(http);
  return { gateway, iam, oauth, tags, routes };
}

const HTTP_PORT = 80;

/** Every address at which this server is reached: what it must not call itself. */
function ownOrigins({ BASE_URL, GATEWAY_URL }: Settings, { origin }: ServerState): string[] {
  const known = [BASE_URL, GATEWAY_URL].filter((url) => url !== undefined);
  return [origin, ...known.map((url) => new URL(url).origin)];
}

/** The port of the listener; undefined while there is none. */
function ownPort({ origin }: ServerState): number | undefined {
  const url = URL.parse(origin);
  return url === null ? undefined : Number(url.port || HTTP_PORT);
}

/** What the domains have so much of in an account that it goes after the account, by and by. */
function accountPurges(database: Database, gateway: () => ComposedGateway): PurgeAccountData[] {
  return [
    (accountId) => purgeAccountTags(database, accountId),
    (accountId) => gateway().requestLog.purgeAccount(accountId),
    (accountId) => forgetSpend(database, accountId),
  ];
}

async function registerManagement(
  http: FastifyInstance,
  routes: readonly ManagementRoute[],
  { accessControl }: Iam,
): Promise<void> {
  await http.register(
    async (api) => {
      registerRoutes(api, routes, accessControl);
    },
    { prefix: API_PREFIX },
  );
}

/** Describes every operation that is registered after it. */
async function addReference(
  http: FastifyInstance,
  brand: string,
  publicOrigin: string | undefined,
  sessionCookie: string,
): Promise<void> {
  const title = `${brand} API`;
  await addOpenApi(http, {
    title,
    version: packageJson.version,
    serverUrl: publicOrigin ?? '/',
    sessionCookie,
    scopes: Object.fromEntries(permissions.map(({ slug, name }) => [slug, name])),
  });
  await addDocs(http, title);
}

const DASHBOARD_DIRECTORY = path.join(import.meta.dirname, '../dashboard/dist');

/** @param origin at which browsers reach the server */
async function serveDashboard(
  http: FastifyInstance,
  settings: Settings,
  iam: Iam,
  origin: () => string,
): Promise<void> {
  await addDashboard(http, {
    directory: DASHBOARD_DIRECTORY,
    facts: () => dashboardFacts(settings, origin(), iam.cookies.csrf),
    signInPath: (request) => askToSignIn(iam, request),
  });
}

/** Where the names of our own taggable resources come from. */
const findResourceName: FindResourceName = (db, { accountId, type, id }) => {
  switch (type) {
    case 'account':
      return id === accountId ? findAccountName(db, accountId) : Promise.resolve(undefined);
    case 'api_token':
      return findTokenName(db, accountId, id);
    case 'oauth_client':
      return findClientName(db, accountId, id);
    case 'ai_gateway':
      return findGatewayName(db, accountId, id);
  }
};

async function listen(http: FastifyInstance, settings: Settings): Promise<string> {
  const { HOST, PORT } = settings;
  const host = HOST.includes(':') ? `[${HOST}]` : HOST;
  try {
    await http.listen({ host: HOST, port: PORT });
    // Programs take either of its addresses.
    if (HOST === 'localhost') await http.connections.listenAlso(HOST);
  } catch (error) {
    const reason = (error as Error).message;
    throw new Error(`cannot listen on LATCHKEY_HOST ${host}, LATCHKEY_PORT ${PORT}: ${reason}`, {
      cause: error,
    });
  }
  const { port } = http.server.address() as AddressInfo;
  return `http://${host}:${port}`;
}

/** Most installations send no mail, and need not load what does. */
async function loadMailer(settings: Settings): Promise<Mailer | undefined> {
  const { SMTP_URL: server, MAIL_FROM: address, BRAND, FORWARD_PROXIES: proxies } = settings;
  if (server === undefined || address === undefined) return undefined;
  const { createMailer } = await import('./iam/mail/mailer.ts');
  return createMailer({ server, from: { name: BRAND, address }, proxies });
}
