import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { createClient } from '../oauth/client-bodies.ts';
import { type Answer, type Json, type TestServer, bootServer, request } from '../support/server.ts';
import { Browser } from './browser.ts';

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

type Start = (registration: Registration) => Listener | Promise<Listener>;

interface Registration {
  issuer: string;
  clientId: string;
  clientSecret: string;
  method: string;
  origin: string;
}

/** A visit of one user to one application. */
interface Visit {
  browser: Browser;
  origin: string;
}

interface Session {
  user?: { name?: string; email?: string };
  accessToken?: string;
}

interface RelyingParty {
  /** The file in `applications/`, without its ending. */
  application: string;
  /** Members of the OAuth client. */
  client: Json;
  /** Path of the redirect URI. */
  callback?: string;
  signIn?(visit: Visit): Promise<Answer>;
  session?(visit: Visit): Promise<Session>;
  /** @returns the new access token */
  refresh?(visit: Visit): Promise<string>;
  signOut?(visit: Visit): Promise<Answer>;
  /** The library signs out of the application only, and revokes its tokens. */
  keepsServerSession?: boolean;
}

const RS256 = { id_token_signed_response_alg: 'RS256' };
const POST = { token_endpoint_auth_method: 'client_secret_post' };

/** The pages and endpoints of Auth.js and next-auth, below a path. */
function authJsRoutes(path: string): Partial<RelyingParty> {
  const csrfToken = async ({ browser, origin }: Visit): Promise<string> =>
    (await browser.open(`${origin}${path}/csrf`)).json.csrfToken;
  const session = async ({ browser, origin }: Visit): Promise<Session> =>
    (await browser.open(`${origin}${path}/session`)).json ?? {};
  return {
    callback: `${path}/callback/latchkey`,
    session,
    async signIn(visit) {
      const { browser, origin } = visit;
      const fields = { csrfToken: await csrfToken(visit), callbackUrl: `${origin}/bye` };
      return browser.post(`${origin}${path}/signin/latchkey`, fields);
    },
    async refresh(visit) {
      const { browser, origin } = visit;
      const body = { csrfToken: await csrfToken(visit), data: {} };
      const { json } = await browser.post(`${origin}${path}/session`, body, true);
      return json.accessToken;
    },
    async signOut(visit) {
      const { browser, origin } = visit;
      const fields = {
        csrfToken: await csrfToken(visit),
        callbackUrl: `${origin}/end-session`,
      };
      return browser.post(`${origin}${path}/signout`, fields);
    },
  };
}

async function betterAuthAccount({ browser, origin }: Visit): Promise<{ accountId: string }> {
  const { json } = await browser.open(`${origin}/api/auth/list-accounts`);
  return { accountId: json[0].id };
}

const RELYING_PARTIES: Record<string, RelyingParty> = {
  'openid-client 6': { application: 'openid-client-6', client: POST },
  'openid-client 5': { application: 'openid-client-5', client: RS256 },
  'Auth.js': { application: 'auth-js', client: {}, ...authJsRoutes('/auth') },
  'next-auth 4': { application: 'next-auth-4', client: RS256, ...authJsRoutes('/api/auth') },
  'passport-openidconnect': { application: 'passport-openidconnect', client: POST },
  'express-openid-connect': { application: 'express-openid-connect', client: RS256 },
  'better-auth': {
    application: 'better-auth',
    client: POST,
    callback: '/api/auth/callback/latchkey',
    async signIn({ browser, origin }) {
      const body = { provider: 'latchkey', callbackURL: `${origin}/home` };
      return browser.post(`${origin}/api/auth/sign-in/social`, body, true);
    },
    async session({ browser, origin }) {
      const { json } = await browser.open(`${origin}/api/auth/get-session`);
      if (json === null) return {};
      const body = await betterAuthAccount({ browser, origin });
      const token = await browser.post(`${origin}/api/auth/get-access-token`, body, true);
      return { user: json.user, accessToken: token.json.accessToken };
    },
    async refresh({ browser, origin }) {
      const body = await betterAuthAccount({ browser, origin });
      const { json, text } = await browser.post(`${origin}/api/auth/refresh-token`, body, true);
      assert.ok(json?.accessToken, text);
      return json.accessToken;
    },
    async signOut({ browser, origin }) {
      return browser.post(`${origin}/api/auth/sign-out`, {}, true);
    },
  },
  grant: { application: 'grant', client: POST, callback: '/connect/latchkey/callback' },
  'simple-oauth2': { application: 'simple-oauth2', client: {}, keepsServerSession: true },
};

describe('applications with unmodified libraries', () => {
  let server: TestServer;
  before(async () => {
    server = await bootServer('sqlite');
  });
  after(() => server.stop());

  const userinfo = (accessToken: string): Promise<Answer> =>
    request('GET', `${server.origin}/oauth2/userinfo`, { token: accessToken });

  for (const [name, party] of Object.entries(RELYING_PARTIES)) {
    test(`${name}: sign-in, name and email, refresh, sign-out`, async (t) => {
      const { callback = '/callback' } = party;
      const application = createServer().listen(0, '127.0.0.1');
      await once(application, 'listening');
      t.after(() => stop(application));
      const origin = `http://127.0.0.1:${(application.address() as AddressInfo).port}`;
      const registered = await createClient(server, {
        client_name: name,
        grant_types: ['authorization_code', 'refresh_token'],
        redirect_uris: [origin + callback],
        post_logout_redirect_uris: [`${origin}/bye`],
        ...party.client,
      });
      const start = await loadApplication(party.application);
      const listener = await start({
        issuer: server.origin,
        clientId: registered.client_id,
        clientSecret: registered.client_secret,
        method: registered.token_endpoint_auth_method,
        origin,
      });
      application.on('request', listener);
      const visit = { browser: await Browser.create(server), origin };

      await checkSignIn(party, visit);
      const { accessToken } = await sessionOf(party, visit);
      const refreshed = await checkRefresh(party, visit, accessToken);
      await checkSignOut(party, visit, refreshed);
    });
  }

  async function checkSignIn(party: RelyingParty, visit: Visit): Promise<void> {
    const { browser, origin } = visit;
    const page = await (party.signIn?.(visit) ?? browser.open(`${origin}/sign-in`));
    assert.equal(page.status, 200, page.text);
    const { seen, person } = browser.authorizing;
    assert.deepEqual(
      ['/login', '/oauth2/consent'].filter((path) => !seen.includes(path)),
      [],
    );
    const { user } = await sessionOf(party, visit);
    assert.deepEqual([user?.name, user?.email], ['Ada Lovelace', person.email]);
  }

  async function checkRefresh(
    party: RelyingParty,
    visit: Visit,
    accessToken: string | undefined,
  ): Promise<string> {
    const { browser, origin } = visit;
    const refreshed =
      (await party.refresh?.(visit)) ??
      ((await browser.open(`${origin}/refresh`)).json.accessToken as string);
    assert.ok(accessToken !== undefined && refreshed !== accessToken);
    const answer = await userinfo(refreshed);
    assert.deepEqual(
      [answer.status, answer.json.sub],
      [200, browser.authorizing.person.userId],
      answer.text,
    );
    return refreshed;
  }

  async function checkSignOut(party: RelyingParty, visit: Visit, token: string): Promise<void> {
    const { browser, origin } = visit;
    const page = await (party.signOut?.(visit) ?? browser.open(`${origin}/sign-out`));
    assert.equal(page.status, 200, page.text);
    const { user } = await sessionOf(party, visit);
    assert.equal(user, undefined);
    const hasServerSession = browser.authorizing.visitor.cookie('latchkey_session') !== undefined;
    assert.equal(hasServerSession, party.keepsServerSession === true);
    if (party.keepsServerSession === true) assert.equal((await userinfo(token)).status, 401);
  }

  async function sessionOf(party: RelyingParty, visit: Visit): Promise<Session> {
    const { browser, origin } = visit;
    return party.session?.(visit) ?? (await browser.open(`${origin}/session`)).json;
  }
});

/** The type checker does not follow this import, because the types of some libraries declare the DOM globally. */
async function loadApplication(name: string): Promise<Start> {
  const { start } = (await import(`./applications/${name}.js`)) as {
    start: Start;
  };
  return start;
}

function stop(application: Server): void {
  application.closeAllConnections();
  application.close();
}
