import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { issueResetLink } from '../../src/iam/passwords/issue-reset-link.ts';
import { updateUser } from '../../src/iam/users/user-store.ts';
import { createClient } from '../oauth/client-bodies.ts';
import { codeAt, enrol } from '../support/authenticator-app.ts';
import { redeem } from '../support/authorizations.ts';
import { type Browser, type Page, launchBrowser } from '../support/chromium.ts';
import { eventually } from '../support/eventually.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { createPerson, hashPassword } from '../support/people.ts';
import { type Json, type TestServer, bootServer } from '../support/server.ts';

const PASSWORD = 'blue kettle on the roof';
const NEW_PASSWORD = 'seven green umbrellas';
const LATENCY_MS = 300;
const BETWEEN_CLICKS_MS = 120;

let server: TestServer;
let browser: Browser;
const clock = new ManualClock();
/** The application behind the redirect URI. */
const application = createServer((_request, response) => {
  response.setHeader('content-type', 'text/html').end('<h1>The application</h1>');
});
let callback: string;
let client: Json;

before(async () => {
  [server, browser] = await Promise.all([bootServer('sqlite', { clock }), launchBrowser()]);
  await new Promise<void>((resolve) => application.listen(0, '127.0.0.1', resolve));
  callback = `http://127.0.0.1:${(application.address() as AddressInfo).port}/callback`;
  client = await createClient(server, { redirect_uris: [callback] });
});
after(async () => {
  await browser.close();
  application.closeAllConnections();
  application.close();
  await server.stop();
});

async function signIn(page: Page, email: string, returnTo: string): Promise<void> {
  await page.goto(`${server.origin}/login?return_to=${encodeURIComponent(returnTo)}`);
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** Opens and fills in a form; returns the name of its button, and checks the page after it. */
type Scenario = (page: Page) => Promise<{ button: string; check: () => Promise<void> }>;

const scenarios: Record<string, Scenario> = {
  async consent(page) {
    const { email } = await createPerson(server, {
      accountId: server.accountId,
      password: PASSWORD,
    });
    const parameters = { client_id: client.client_id as string, response_type: 'code' };
    const query = new URLSearchParams({ ...parameters, redirect_uri: callback, scope: 'openid' });
    await signIn(page, email, `/oauth2/auth?${query.toString()}`);
    await page.getByRole('button', { name: 'Approve' }).waitFor();
    return {
      button: 'Approve',
      async check() {
        await page.getByRole('heading', { name: 'The application' }).waitFor();
        const code = new URL(page.url()).searchParams.get('code') ?? '';
        const tokens = await redeem(server, client, code, { redirect_uri: callback });
        assert.equal(tokens.status, 200, tokens.text);
      },
    };
  },
  async invitation(page) {
    const roles = (await server.call('GET', `${server.account}/roles`)).json.result as Json[];
    const role = roles.find(({ name }) => name === 'Member')?.id as string;
    const body = { email: `${crypto.randomUUID()}@example.com`, roles: [role] };
    const invited = await server.call('POST', `${server.account}/members`, { body });
    await page.goto(`${invited.json.result.invitation_url as string}&return_to=%2Fsigned-in`);
    await page.getByLabel('Password').fill(PASSWORD);
    return { button: 'Join', check: () => checkSignedIn(page) };
  },
  async 'second factor'(page) {
    const { email, userId, secret } = await enrol(server, clock);
    const passwordHash = await hashPassword(PASSWORD);
    await server.app.database.transaction((tx) => updateUser(tx, userId, { passwordHash }));
    await signIn(page, email, '/signed-in');
    clock.advance(30_000);
    await page.getByLabel('Six-digit code').fill(codeAt(secret, clock.now()));
    return { button: 'Continue', check: () => checkSignedIn(page) };
  },
  async 'password reset'(page) {
    const { userId } = await createPerson(server, { password: PASSWORD });
    const link = await server.app.database.transaction((tx) =>
      issueResetLink(tx, server.origin, userId, clock.now(), null),
    );
    await page.goto(link);
    await page.getByLabel('New password').fill(NEW_PASSWORD);
    return {
      button: 'Save password',
      async check() {
        await eventually(
          'the start page is open',
          async () => new URL(page.url()).pathname === '/',
        );
        await page.goto(`${server.origin}/signed-in`);
        await checkSignedIn(page);
      },
    };
  },
};

async function checkSignedIn(page: Page): Promise<void> {
  await page.getByRole('heading', { name: 'You are signed in' }).waitFor();
}

for (const javaScriptEnabled of [true, false]) {
  describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    for (const [name, open] of Object.entries(scenarios)) {
      test(`a double click on a slow line: ${name}`, async () => {
        const context = await browser.newContext({ javaScriptEnabled });
        const page = await context.newPage();
        const { button, check } = await open(page);
        const network = await context.newCDPSession(page);
        await network.send('Network.enable');
        await network.send('Network.emulateNetworkConditions', {
          offline: false,
          latency: LATENCY_MS,
          downloadThroughput: -1,
          uploadThroughput: -1,
        });
        const posts: string[] = [];
        page.on('request', (request) => {
          if (request.method() === 'POST') posts.push(request.url());
        });
        const box = await page.getByRole('button', { name: button }).boundingBox();
        assert.ok(box);
        const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
        await page.mouse.click(x, y);
        await sleep(BETWEEN_CLICKS_MS);
        await page.mouse.click(x, y);
        await check();
        assert.equal(posts.length, javaScriptEnabled ? 1 : 2, String(posts));
        await context.close();
      });
    }
  });
}
