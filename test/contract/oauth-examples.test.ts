import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { type TestContext, after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { createClient } from '../oauth/client-bodies.ts';
import { launchBrowser, openPage } from '../support/chromium.ts';
import { onEachDatabase } from '../support/databases.ts';
import { placeExample } from '../support/examples.ts';
import { type FileServer, startFileServer } from '../support/file-server.ts';
import { createPerson } from '../support/people.ts';
import { type Json, type TestServer, bootServer, request } from '../support/server.ts';
import { Visitor, redirectOf } from '../support/visitor.ts';
import { AuthorizingPerson } from './authorizing-person.ts';

interface LogLine {
  method?: string;
  path?: string;
  status?: number;
}

const USER = '/client/v4/user';
const PASSWORD = 'green lamp in the hall';

/** A program of examples/ as somebody runs it. */
function startExample(t: TestContext, file: string, env: Record<string, string>) {
  const child = spawn(process.execPath, [placeExample(file)], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  t.after(() => child.kill('SIGKILL'));
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const complaints = text(child.stderr);
  const closed = once(child, 'close');
  return {
    /** The next line that it prints. */
    async line(): Promise<string> {
      const { value, done } = await lines.next();
      return done === true ? assert.fail(await complaints) : value;
    },
    async end() {
      await closed;
      return { code: child.exitCode, complaints: await complaints };
    },
  };
}

/** A port of `localhost`, whichever address that is, which is free now. */
async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, 'localhost');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** The OAuth programs of docs/oauth.md, unmodified. */
onEachDatabase((database) => {
  let server: TestServer;
  before(async () => {
    server = await bootServer(database);
    const tags = { resource_type: 'queue', resource_id: 'orders', tags: { team: 'a', owner: 'b' } };
    const { status } = await server.call('PUT', `${server.account}/tags`, { body: tags });
    assert.equal(status, 200);
  });
  after(() => server.stop());

  /** The tokens that a client holds. */
  async function tokensOf({ client_id: clientId }: Json): Promise<number> {
    const rows = await server.app.database.read
      .selectFrom('oauth_access_tokens')
      .innerJoin('oauth_families', 'oauth_families.id', 'oauth_access_tokens.family_id')
      .innerJoin('oauth_grants', 'oauth_grants.id', 'oauth_families.grant_id')
      .where('oauth_grants.client_id', '=', clientId)
      .select('oauth_access_tokens.digest')
      .execute();
    return rows.length;
  }

  describe('examples/oauth-web-app.js', () => {
    async function start(t: TestContext) {
      const port = await findFreePort();
      const origin = `http://localhost:${port}`;
      const client = await createClient(server, {
        client_name: 'Tag reader',
        redirect_uris: [`${origin}/callback`],
        grant_types: ['authorization_code', 'refresh_token'],
        scopes: ['email', 'memberships.read', 'tags.read'],
      });
      const program = startExample(t, 'oauth-web-app.js', {
        ISSUER: server.origin,
        CLIENT_ID: client.client_id,
        CLIENT_SECRET: client.client_secret,
        PORT: String(port),
      });
      assert.equal(await program.line(), `open ${origin}/sign-in`);
      const atApp = new Visitor({ origin, baseUrl: origin });
      const atLatchkey = await AuthorizingPerson.create(server);
      /** What the app answers when the browser is back. */
      const signIn = async (decision: 'approve' | 'deny') => {
        const [status, location] = redirectOf(await atApp.open('/sign-in'));
        assert.equal(status, 303);
        const back = await atLatchkey.follow(new URL(location as string), decision);
        assert.equal(back.origin, origin);
        return {
          path: back.pathname + back.search,
          answer: await atApp.open(back.pathname + back.search),
        };
      };
      return { origin, atApp, atLatchkey, signIn };
    }

    test('signs somebody in and reads the tags for them', async (t) => {
      const { origin, atApp, atLatchkey, signIn } = await start(t);
      assert.match((await atApp.open('/')).text, /^Nobody is signed in\. Open http:.*\/sign-in\n$/);
      const { answer, path } = await signIn('approve');
      assert.deepEqual(redirectOf(answer), [303, '/'], answer.text);
      const expected = [
        `Signed in as ${atLatchkey.person.email}`,
        'allowed: openid email memberships.read tags.read',
        'tag keys of First account: owner, team',
      ];
      assert.deepEqual((await atApp.open('/')).text.trimEnd().split('\n'), expected);
      assert.deepEqual(atLatchkey.seen, [
        '/oauth2/auth',
        '/login',
        '/oauth2/auth/resume',
        '/oauth2/consent',
      ]);
      // The answer is good once, and only in the browser that has asked.
      assert.equal((await atApp.open(path)).status, 400);
      const stranger = new Visitor({ origin, baseUrl: origin });
      assert.equal((await stranger.open(path)).status, 400);
      assert.match((await stranger.open('/')).text, /^Nobody is signed in/);
      // The next time, nothing is asked.
      await signIn('approve');
      assert.deepEqual(atLatchkey.seen.slice(4), ['/oauth2/auth']);
    });

    test('says that the user denied the request', async (t) => {
      const { origin, atApp, signIn } = await start(t);
      const { answer } = await signIn('deny');
      assert.equal(answer.status, 400);
      assert.equal(
        answer.text,
        `It did not work: access_denied. Open ${origin}/sign-in to try again\n`,
      );
      assert.match((await atApp.open('/')).text, /^Nobody is signed in/);
    });
  });

  describe('examples/oauth-cli.js', () => {
    async function start(t: TestContext) {
      const client = await createClient(server, {
        client_name: 'Command line',
        redirect_uris: ['http://127.0.0.1/callback'],
        token_endpoint_auth_method: 'none',
        scopes: ['memberships.read', 'user-details.read'],
      });
      const env = { ISSUER: server.origin, CLIENT_ID: client.client_id };
      const program = startExample(t, 'oauth-cli.js', env);
      assert.equal(await program.line(), 'Open this address in a browser:');
      const address = new URL(await program.line());
      return { client, program, address, atLatchkey: await AuthorizingPerson.create(server) };
    }

    test('acts for somebody, and gives its token back', async (t) => {
      const { client, program, address, atLatchkey } = await start(t);
      const back = await atLatchkey.follow(address);
      // A browser asks for more than it was sent to.
      assert.equal((await request('GET', `${back.origin}/favicon.ico`)).status, 404);
      const answer = await request('GET', back.href);
      assert.deepEqual(
        [answer.status, answer.text],
        [200, 'You can close this window and go back to the terminal.\n'],
      );
      assert.equal(
        await program.line(),
        `This program may act for ${atLatchkey.person.email}: memberships.read user-details.read`,
      );
      assert.deepEqual(await program.end(), { code: 0, complaints: '' });
      assert.equal(await tokensOf(client), 0);
    });

    test('says that the user denied the request', async (t) => {
      const { client, program, address, atLatchkey } = await start(t);
      await request('GET', (await atLatchkey.follow(address, 'deny')).href);
      const complaints = 'It did not work: access_denied\n';
      assert.deepEqual(await program.end(), { code: 1, complaints });
      assert.equal(await tokensOf(client), 0);
    });
  });

  // In a browser once: what the page does is the same.
  if (database === 'postgres') return;

  describe('examples/oauth-single-page-app.html', () => {
    let browser: Browser;
    before(async () => {
      browser = await launchBrowser();
    });
    after(() => browser.close());

    /** Serves the page, as any file server does. */
    async function serve(t: TestContext): Promise<FileServer> {
      const page = await readFile('examples/oauth-single-page-app.html');
      const files = await startFileServer(t);
      files.answer = (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/html' }).end(page);
      };
      return files;
    }

    const PATH = '/oauth-single-page-app.html';

    async function start(t: TestContext) {
      const [files, elsewhere] = [await serve(t), await serve(t)];
      const client = await createClient(server, {
        client_name: 'Single-page app',
        // On the loopback the port is that of the moment: the page is let in from both origins.
        redirect_uris: [`${files.origin}${PATH}`],
        allowed_cors_origins: [files.origin],
        token_endpoint_auth_method: 'none',
        scopes: ['memberships.read'],
      });
      const { accountId } = server;
      const person = await createPerson(server, { accountId, password: PASSWORD });
      const query = new URLSearchParams({ issuer: server.origin, client_id: client.client_id });
      const addressAt = ({ origin }: FileServer) => `${origin}${PATH}?${query.toString()}`;
      const page = await openPage(browser, addressAt(files));
      t.after(() => page.context().close());
      return { page, person, client, addressAt, files, elsewhere };
    }

    async function signIn(page: Page, email: string): Promise<void> {
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByLabel('Email address').fill(email);
      await page.getByLabel('Password').fill(PASSWORD);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    }

    /** What the page says in the end. */
    async function outputOf(page: Page): Promise<string> {
      await page.locator('#output:not(:empty)').waitFor();
      return page.locator('#output').innerText();
    }

    test('signs somebody in and reads their memberships', async (t) => {
      const { page, person, addressAt, files, client } = await start(t);
      await signIn(page, person.email);
      await page.getByRole('button', { name: 'Approve' }).click();
      assert.equal(await outputOf(page), 'First account');
      // Nothing of the sign-in stays behind, and a reload begins anew.
      assert.equal(page.url(), addressAt(files));
      assert.equal(await page.evaluate('sessionStorage.length'), 0);
      assert.equal(await tokensOf(client), 1);
      await page.reload();
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('button', { name: 'Deny' }).click();
      assert.equal(await outputOf(page), 'It did not work: access_denied');
      assert.equal(page.url(), addressAt(files));
    });

    test('from another origin, the browser keeps the tokens from it', async (t) => {
      const { page, person, addressAt, elsewhere } = await start(t);
      await page.goto(addressAt(elsewhere));
      await signIn(page, person.email);
      await page.getByRole('button', { name: 'Approve' }).click();
      assert.equal(await outputOf(page), 'It did not work: Failed to fetch');
    });

    test("the person's cookies are of no use to it, nor to any other page", async (t) => {
      const { page, person, addressAt, files, elsewhere } = await start(t);
      await signIn(page, person.email);
      await page.getByRole('button', { name: 'Approve' }).click();
      await outputOf(page);
      const cookies = await page.context().cookies(server.origin);
      const csrf = cookies.find(({ name }) => name === 'latchkey_csrf')?.value ?? '';
      const json = { 'content-type': 'application/json' };
      const linesBefore = server.logLines.length;
      for (const where of [files, elsewhere]) {
        await page.goto(addressAt(where));
        for (const [path, options] of [
          ['/user', {}],
          ['/user', { headers: { 'x-csrf-token': csrf } }],
          ['/user/sessions', { method: 'POST', body: '{}', headers: json }],
          // Nor may it guess passwords from where its visitor is.
          ['/user/sessions', { method: 'POST', body: '{}', headers: json, credentials: 'omit' }],
          ['/user/password', { method: 'PUT', body: '{}', headers: json }],
        ] as const) {
          assert.equal(await tryToFetch(page, server.baseUrl + path, options), 'Failed to fetch');
        }
      }
      // The one that no browser asks about beforehand has come, and was refused.
      const arrived = server.logLines
        .slice(linesBefore)
        .map((line) => JSON.parse(line) as LogLine)
        .filter(({ path, method }) => path?.startsWith(USER) === true && method !== 'OPTIONS');
      assert.deepEqual(
        arrived.map(({ method, status }) => [method, status]),
        [
          ['GET', 403],
          ['GET', 403],
        ],
      );
    });
  });
});

/** What comes of a request that a page sends, by default with the cookies of its visitor. */
function tryToFetch(page: Page, url: string, options: object): Promise<string> {
  const sent = JSON.stringify({ credentials: 'include', ...options });
  return page.evaluate(
    `fetch(${JSON.stringify(url)}, ${sent}).then((answer) => answer.text(), (error) => error.message)`,
  );
}
