import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Browser, BrowserContextOptions, Page } from '../test/support/chromium.ts';
import { launchBrowser, newContext } from '../test/support/chromium.ts';
import { ManualClock } from '../test/support/manual-clock.ts';
import { type Json, type TestServer, bootServer, createDataDir } from '../test/support/server.ts';
import { AGE_MS, type DemoAccount, fillAccount } from './demo-account.ts';
import { fillGatewayLogs } from './demo-gateways.ts';

/**
 * Takes pictures of the dashboard in an account that is some weeks old: `npm run screenshots` those of the README, with
 * a directory those of every page, light and dark, wide and narrow.
 */
const own = process.argv[2];
const directory = own ?? path.join(import.meta.dirname, '../docs/images');

const WIDE = { viewport: { width: 1280, height: 800 } };
const NARROW = { viewport: { width: 390, height: 844 } };
const LOOKS = {
  light: { ...WIDE, colorScheme: 'light' },
  dark: { ...WIDE, colorScheme: 'dark' },
  'narrow-light': { ...NARROW, colorScheme: 'light' },
  'narrow-dark': { ...NARROW, colorScheme: 'dark' },
} as const satisfies Record<string, BrowserContextOptions>;

type Look = keyof typeof LOOKS;

/** The pictures of the README: the page's name and how it is seen. */
const README: readonly (readonly [page: string, look: Look])[] = [
  ['overview', 'light'],
  ['oauth-client', 'dark'],
  ['create-token', 'light'],
  ['audit-log', 'light'],
  ['analytics', 'light'],
  ['log', 'dark'],
  ['tags', 'light'],
];

/** The pages by the names of their pictures. */
function pagesOf(
  account: string,
  { client, tokenId, logId }: ShownAccount,
): Record<string, string> {
  const gateway = `${account}/ai-gateway/gateways/support`;
  const clientPath = `${account}/oauth-clients/${client.client_id}`;
  return {
    overview: account,
    'oauth-clients': `${account}/oauth-clients`,
    'oauth-client': clientPath,
    'edit-oauth-client': `${clientPath}/edit`,
    'create-oauth-client': `${account}/oauth-clients/new`,
    'try-it': `${clientPath}/try`,
    gateways: `${account}/ai-gateway/gateways`,
    'create-gateway': `${account}/ai-gateway/new-gateway`,
    gateway,
    playground: `${gateway}/playground`,
    logs: `${gateway}/logs`,
    log: `${gateway}/logs?log=${logId}`,
    analytics: `${gateway}/analytics?range=30d`,
    'gateway-keys': `${gateway}/keys`,
    'gateway-settings': `${gateway}/settings`,
    'account-analytics': `${account}/ai-gateway/analytics`,
    'custom-providers': `${account}/ai-gateway/custom-providers`,
    tags: `${account}/tags`,
    'resource-tags': `${account}/tags/worker/billing-worker`,
    members: `${account}/members`,
    tokens: `${account}/tokens`,
    'create-token': `${account}/tokens/new`,
    token: `${account}/tokens/${tokenId}`,
    'audit-log': `${account}/audit-log?range=30d`,
    settings: `${account}/settings`,
    profile: '/profile',
    security: '/profile/security',
    sessions: '/profile/sessions',
    applications: '/profile/applications',
    'own-tokens': '/profile/tokens',
    accounts: '/profile/accounts',
    activity: '/profile/activity',
  };
}

/** The account with an exchange that is looked at. */
interface ShownAccount extends DemoAccount {
  logId: string;
}

/** The newest one that was streamed, and whose bodies are kept. */
async function findLog(server: TestServer): Promise<string> {
  const logs = `${server.account}/ai-gateway/gateways/support/logs?per_page=50`;
  const { json } = await server.call('GET', logs);
  const isStream = ({ response_content_type: type }: Json): boolean => type === 'text/event-stream';
  return json.result.find((log: Json) => isStream(log) && log.model === 'gpt-4o-mini').id;
}

async function fillToken(page: Page): Promise<void> {
  await page.getByLabel('Name', { exact: true }).fill('Nightly export');
  await page.getByRole('button', { name: 'Read the audit log' }).click();
}

/** A picture is what is seen at first, or the whole page for those who look at every one. */
async function takePictures(
  server: TestServer,
  browser: Browser,
  demo: ShownAccount,
  look: Look,
  names: ReadonlySet<string>,
): Promise<void> {
  const context = await newContext(browser, { ...LOOKS[look], reducedMotion: 'reduce' });
  const { hostname } = new URL(server.origin);
  const { cookie, 'x-csrf-token': csrf } = demo.session;
  const common = { domain: hostname, path: '/', sameSite: 'Lax' as const };
  await context.addCookies([
    { ...common, name: 'latchkey_session', value: cookie.split('=')[1] ?? '', httpOnly: true },
    { ...common, name: 'latchkey_csrf', value: csrf },
  ]);
  const page = await context.newPage();
  // What was filled in may be left.
  page.on('dialog', (dialog) => void dialog.accept());
  for (const [name, address] of Object.entries(pagesOf(server.account, demo))) {
    if (!names.has(name)) continue;
    await page.goto(server.origin + address);
    // Behind the drawer of a log, it has no role.
    await page.locator('h1').waitFor();
    await page.waitForLoadState('networkidle');
    if (name === 'create-token') await fillToken(page);
    const file = path.join(directory, `${name}-${look}.png`);
    await page.screenshot({ path: file, fullPage: own !== undefined });
  }
  await context.close();
}

await mkdir(directory, { recursive: true });
/** Boots a server on an account that has a history. */
async function bootDemo(): Promise<{ server: TestServer; demo: ShownAccount }> {
  const clock = new ManualClock(Date.now() - AGE_MS);
  const first = await bootServer('sqlite', { dataDir, clock });
  const { accountId, token } = first;
  const sinceMs = clock.now();
  const demo = await fillAccount(first, clock);
  await first.stop();
  const { gateways } = demo;
  await fillGatewayLogs({ dataDir, accountId, gateways, sinceMs, untilMs: clock.now() });
  const besides = { accountId, token, postgresUrl: undefined };
  const server = await bootServer('sqlite', { dataDir, clock, besides });
  return { server, demo: { ...demo, logId: await findLog(server) } };
}

const dataDir = await createDataDir();
const { server, demo } = await bootDemo();
const browser = await launchBrowser();
try {
  const every = new Set(Object.keys(pagesOf(server.account, demo)));
  for (const look of Object.keys(LOOKS) as Look[]) {
    const wanted = README.filter(([, seen]) => seen === look).map(([page]) => page);
    await takePictures(server, browser, demo, look, own === undefined ? new Set(wanted) : every);
  }
} finally {
  await browser.close();
  await server.stop();
  await rm(dataDir, { recursive: true });
}
