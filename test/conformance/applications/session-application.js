import express from 'express';
import session from 'express-session';

/**
 * The registration of an application at the server.
 * @typedef {object} Registration
 * @property {string} issuer of the server
 * @property {string} clientId of the OAuth client
 * @property {string} clientSecret of the OAuth client
 * @property {string} method of authentication at the token endpoint
 * @property {string} origin of the application
 */

export const SCOPE = 'openid profile email offline_access';

/** An Express application whose visitors have a session. */
export function withSessions() {
  const app = express();
  app.use(session({ secret: 'a secret of the tests', resave: false, saveUninitialized: true }));
  return app;
}

/**
 * Builds an application for a library that has no routes of its own. It has `/sign-in`, `/callback`, `/session`,
 * `/refresh` and `/sign-out`.
 * @param {string} origin of the application
 * @param {object} flow the library's part; each function gets the session, an object that it may write to
 * @param {(session: object) => Promise<string> | string} flow.begin returns the address that starts an authorization
 * @param {(session: object, callback: URL) => Promise<void>} flow.complete stores `user` and `accessToken`
 * @param {(session: object) => Promise<string>} flow.refresh returns a new access token
 * @param {(session: object) => Promise<string> | string} flow.signOut returns the address to which the browser goes
 */
export function sessionApplication(origin, flow) {
  const app = withSessions();
  app.get('/sign-in', async (request, response) => {
    response.redirect(await flow.begin(request.session));
  });
  app.get('/callback', async (request, response) => {
    await flow.complete(request.session, new URL(request.originalUrl, origin));
    response.redirect('/session');
  });
  addSessionRoutes(app, flow);
  return app;
}

/**
 * Adds `/session`, `/refresh` and `/sign-out`.
 * @param {express.Express} app with sessions
 * @param {object} flow `refresh` and `signOut` as in {@link sessionApplication}
 */
export function addSessionRoutes(app, { refresh, signOut }) {
  app.get('/session', ({ session: { user, accessToken } }, response) => {
    response.json({ user, accessToken });
  });
  app.get('/refresh', async (request, response) => {
    response.json({ accessToken: await refresh(request.session) });
  });
  app.get('/sign-out', async (request, response) => {
    const address = await signOut(request.session);
    request.session.destroy(() => response.redirect(address));
  });
  app.get('/bye', (_request, response) => {
    response.json({ bye: true });
  });
}

/**
 * Builds the address that ends the session at the server and returns to `/bye`.
 * @param {Registration} registration of the application
 * @param {string} idToken of the session
 */
export function endSessionUrl({ issuer, origin }, idToken) {
  const query = new URLSearchParams({
    id_token_hint: idToken,
    post_logout_redirect_uri: `${origin}/bye`,
  });
  return `${issuer}/oauth2/logout?${query.toString()}`;
}

/**
 * Refreshes tokens with `fetch`, as the documentation of libraries without a method for it advises.
 * @param {Registration} registration of the application
 * @param {string} refreshToken the current one
 */
export async function refreshTokens({ issuer, clientId, clientSecret, method }, refreshToken) {
  const isBasic = method === 'client_secret_basic';
  const credentials = { client_id: clientId, client_secret: clientSecret };
  const response = await fetch(`${issuer}/oauth2/token`, {
    method: 'POST',
    headers: isBasic ? { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` } : {},
    body: new URLSearchParams({
      grant_type: 'refresh_token',
      refresh_token: refreshToken,
      ...(isBasic ? {} : credentials),
    }),
  });
  const tokens = await response.json();
  if (!response.ok) throw new Error(JSON.stringify(tokens));
  return tokens;
}
