import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { TestContext } from 'node:test';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { newContext } from './chromium.ts';
import { type Person, type PersonOptions, createPerson, signInAs } from './people.ts';
import type { TestServer } from './server.ts';

/** Nothing that a test waits for takes longer, even on a busy machine. */
const PATIENCE_MS = 20_000;

export interface DashboardOptions extends PersonOptions {
  /** Where the person begins, such as `/profile`. Default: `/accounts/{first account}`. */
  path?: string;
  browser?: BrowserContextOptions;
  /** Whether the person is a member of the first account. Default: yes. */
  isMember?: boolean;
}

export interface OpenDashboard {
  page: Page;
  context: BrowserContext;
  person: Person;
  /** `/accounts/{id}` of the first account, where the addresses of its pages begin. */
  account: string;
  /** What the browser complained of so far: errors of scripts, refusals of the page's policy. */
  troubles: string[];
}

/**
 * A browser in which a new person is signed in, by default as Super Administrator of the first account, with
 * the dashboard open. At the end of the test the browser is closed, and there must have been no trouble.
 */
export async function openDashboard(
  t: TestContext,
  server: TestServer,
  browser: Browser,
  options: DashboardOptions = {},
): Promise<OpenDashboard> {
  const { accountId } = server;
  const account = `/accounts/${accountId}`;
  const { path = account, browser: browserOptions, isMember = true, ...personOptions } = options;
  const person = await createPerson(server, {
    ...(isMember && { accountId, roles: ['super-administrator'] }),
    ...personOptions,
  });
  const context = await newContext(browser, browserOptions);
  context.setDefaultTimeout(PATIENCE_MS);
  await context.addCookies(await sessionCookies(server, person.userId));
  const page = await context.newPage();
  const troubles = watchTroubles(page);
  t.after(async () => {
    await context.close();
    assert.deepEqual(troubles, []);
  });
  await page.goto(server.origin + path);
  return { page, context, person, account, troubles };
}

/** The cookies of a session that begins now, as a sign-in sets them. */
export async function sessionCookies(server: TestServer, userId: string) {
  const session = await signInAs(server, userId);
  const [, secret = ''] = session.cookie.split('=');
  const common = { domain: new URL(server.origin).hostname, path: '/', sameSite: 'Lax' as const };
  return [
    { ...common, name: 'latchkey_session', value: secret, httpOnly: true },
    { ...common, name: 'latchkey_csrf', value: session['x-csrf-token'] },
  ];
}

// The browser logs every refusal of the API; which ones there are is for the tests to say.
const REFUSAL = /^Failed to load resource: the server responded with a status of [45]\d\d/;

/** What the browser complains of from now on. */
export function watchTroubles(page: Page): string[] {
  const troubles: string[] = [];
  page.on('console', (message) => {
    if (message.type() !== 'error' || REFUSAL.test(message.text())) return;
    troubles.push(message.text());
  });
  page.on('pageerror', (error) => troubles.push(String(error)));
  return troubles;
}

interface AxeResults {
  violations: {
    id: string;
    impact: string;
    help: string;
    nodes: { html: string; failureSummary?: string }[];
  }[];
}

// Whatever differs from row to row, tests have it in the first ones.
const AXE_CONTEXT = `{ exclude: [['tbody tr:nth-child(n+6)']] }`;
// Only what is reported below is worked out, and the page's policy allows no frames.
const AXE_OPTIONS = `{ resultTypes: ['violations'], selectors: false, preload: false, iframes: false }`;

let axe: Promise<string> | undefined;

// Those that turn for ever are left alone.
const FINISH_ANIMATIONS = `
  for (const animation of document.getAnimations()) {
    if (animation.effect.getComputedTiming().endTime < Infinity) animation.finish();
  }
`;

/**
 * Fails when the page as it stands has a fault that keeps people out, as axe-core sees it: WCAG 2.2 A and
 * AA, and what its authors hold to be good practice.
 */
export async function checkAccessibility(page: Page): Promise<void> {
  axe ??= readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  const source = await axe;
  // Colours that are still fading in are nobody's.
  await page.evaluate(FINISH_ANIMATIONS);
  // Evaluated by the debugger, which the page's policy does not bind.
  if (!(await page.evaluate(`'axe' in window`))) await page.evaluate(source);
  const results: AxeResults = await page.evaluate(`axe.run(${AXE_CONTEXT}, ${AXE_OPTIONS})`);
  const faults = results.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(
      ({ id, help, nodes }) =>
        `${id}: ${help}: ${nodes.map(({ html, failureSummary = '' }) => `${html} (${failureSummary})`).join(' | ')}`,
    );
  assert.deepEqual(faults, []);
}

/** Fails when the page is wider than the window, so that one would have to scroll sideways. */
export async function checkFits(page: Page): Promise<void> {
  const [width, room]: [number, number] = await page.evaluate(
    `[document.documentElement.scrollWidth, document.documentElement.clientWidth]`,
  );
  assert.ok(width <= room, `the page is ${width} px wide in a window of ${room} px`);
}
