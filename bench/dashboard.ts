import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser, Page } from '../test/support/chromium.ts';
import { PasswordHasher } from '../src/iam/users/password.ts';
import { launchBrowser, newContext } from '../test/support/chromium.ts';
import { median } from './figures.ts';
import { EMAIL, createDataDir, fillLogs } from './filled-logs.ts';
import { copyFilled, fillTags } from './filled-tags.ts';
import { ACCOUNT_ID, latchkey, startLatchkey } from './latchkey.ts';
import { gateways } from './log-rows.ts';
import type { Bench } from './options.ts';
import type { Outcome, Table } from './outcome.ts';
import type { BenchResource } from './tag-data.ts';
import { LONG_FRAME_MS, type PageVisit, visit } from './page-visits.ts';
import { onSqlite } from './tag-contenders.ts';

const TITLE = 'Dashboard';
const MAX_LOG_ROWS = 1_000_000;
const MAX_RESOURCES = 100_000;
const VIEWPORT = { width: 1280, height: 800 };
const PASSWORD = 'correct horse battery staple';

const account = `/accounts/${ACCOUNT_ID}`;
const gateway = `${account}/ai-gateway/gateways/default`;

/** As the pages write it into their addresses. */
const tagFilter = encodeURIComponent(JSON.stringify(['env=production', 'team=team-1,team-2']));

/** What is opened. */
const pagesOf = ({ type, id }: BenchResource): readonly (readonly [string, string])[] => [
  ['overview', account],
  ['gateways', `${account}/ai-gateway/gateways`],
  ['gateway', gateway],
  ['logs', `${gateway}/logs`],
  ['logs by three filters', `${gateway}/logs?f=provider.eq.anthropic+success.eq.false&range=7d`],
  ['logs, the dearest first', `${gateway}/logs?range=30d&sort=cost.desc`],
  ['logs, searched', `${gateway}/logs?q=research`],
  ['analytics of a gateway', `${gateway}/analytics`],
  ['its analytics of 90 days', `${gateway}/analytics?range=90d`],
  ['analytics of the account', `${account}/ai-gateway/analytics`],
  ['tags', `${account}/tags`],
  ['tags by two filters', `${account}/tags?tag=${tagFilter}`],
  ['tags of a resource', `${account}/tags/${type}/${encodeURIComponent(id)}`],
];

/** The pages of an account with very many log rows and tagged resources, in a browser. */
export async function measureDashboard(bench: Bench): Promise<Outcome> {
  const rows = Math.min(bench.logRows, MAX_LOG_ROWS);
  const resources = Math.min(bench.tagResources, MAX_RESOURCES);
  const directory = path.join(bench.directory, 'filled');
  const { directories, samplesFile } = await fillTags([onSqlite], resources);
  const [resource] = JSON.parse(readFileSync(samplesFile, 'utf8')) as [BenchResource];
  copyFilled(directories.get(onSqlite) ?? '', directory);
  const passwordHash = await new PasswordHasher().hash(PASSWORD, {
    ip: '127.0.0.1',
    isKnown: true,
  });
  await createDataDir(directory, await fillLogs('sqlite', rows), passwordHash);
  const server = await startLatchkey(directory, [], {
    LATCHKEY_LOG_RETENTION_DAYS: '0',
    LATCHKEY_TAG_CHANGES_DAYS: '0',
  });
  const browser = await launchBrowser();
  try {
    const visits = await visitAll(browser, pagesOf(resource), bench.rounds);
    return {
      measured: {},
      tables: [report(visits, { rows, resources, rounds: bench.rounds })],
    };
  } finally {
    await browser.close();
    await server.stop();
  }
}

async function visitAll(
  browser: Browser,
  pages: readonly (readonly [name: string, address: string])[],
  rounds: number,
): Promise<ReadonlyMap<string, PageVisit[]>> {
  const { origin } = new URL(latchkey.accountUrl);
  const context = await newContext(browser, { viewport: VIEWPORT });
  const page = await context.newPage();
  await signIn(page, origin);
  const visits = new Map<string, PageVisit[]>();
  // Those of the first round are not counted: the browser does not have all files yet.
  for (let round = 0; round <= rounds; round++) {
    process.stderr.write(`${TITLE}: round ${round} of ${rounds}\n`);
    for (const [name, address] of pages) {
      const one = await visit(page, origin, address);
      if (round > 0) visits.set(name, [...(visits.get(name) ?? []), one]);
    }
  }
  await context.close();
  return visits;
}

async function signIn(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}/login`);
  await page.getByLabel('E-mail').fill(EMAIL);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL('**/accounts/**');
}

function report(
  visits: ReadonlyMap<string, PageVisit[]>,
  { rows, resources, rounds }: { rows: number; resources: number; rounds: number },
): Table {
  return {
    title: `The dashboard with ${rows} log rows, of which the gateway has ${gateways[0]?.share} %, and ${resources} tagged resources`,
    text: [
      `Wanted: every page is usable within a second, and scrolls smoothly. Median of ${rounds} visits; in brackets the slowest.`,
      'Usable: all that it asked the API for is there and is shown. From a link: from another page of the application.',
      `Chromium without a graphics card; frames longer than ${LONG_FRAME_MS} ms while scrolling.`,
    ].join('\n'),
    head: [
      '',
      'from a link, ms',
      'opened anew, ms',
      'requests',
      'elements',
      'longest frame, ms',
      'long frames',
    ],
    rows: [...visits].map(([name, all]) => {
      const figure = (of: (one: PageVisit) => number): string =>
        `${median(all, of).toFixed(0)} (${Math.max(...all.map(of)).toFixed(0)})`;
      return [
        name,
        figure(({ fromLinkMs }) => fromLinkMs),
        figure(({ openedMs }) => openedMs),
        median(all, (one) => one.requests).toFixed(0),
        median(all, ({ elements }) => elements).toFixed(0),
        figure(({ longestFrameMs }) => longestFrameMs),
        `${median(all, ({ longFrames }) => longFrames)} of ${median(all, ({ frames }) => frames)}`,
      ];
    }),
  };
}
