// A web app on a server that lets people sign in and reads the tags of their accounts for them.
// Takes ISSUER, CLIENT_ID, CLIENT_SECRET and PORT from the environment; the client's redirect URI is
// http://localhost:PORT/callback, its scopes are email, memberships.read and tags.read.
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import * as oidc from 'openid-client';

const { ISSUER = 'http://127.0.0.1:8787', CLIENT_ID, CLIENT_SECRET, PORT = '3000' } = process.env;
const home = `http://localhost:${PORT}/`;
const redirectUri = `${home}callback`;

const issuer = new URL(ISSUER);
const config = await oidc.discovery(
  issuer,
  CLIENT_ID,
  undefined,
  oidc.ClientSecretBasic(CLIENT_SECRET),
  // Only for a server on this very machine: everywhere else there is https.
  issuer.protocol === 'http:' ? { execute: [oidc.allowInsecureRequests] } : {},
);

/** One entry per browser. In memory here; a database in earnest, with an end for each entry. */
const visits = new Map();

function visitOf(request) {
  const id = /(?:^|; )visit=([^;]+)/.exec(request.headers.cookie ?? '')?.[1];
  return visits.get(id);
}

function startVisit(response) {
  const id = randomBytes(32).toString('base64url');
  const visit = {};
  visits.set(id, visit);
  response.setHeader('set-cookie', `visit=${id}; Path=/; HttpOnly; SameSite=Lax`);
  return visit;
}

/** Sends the browser to Latchkey. What comes back is only accepted from this browser. */
async function signIn(_request, response) {
  const visit = startVisit(response);
  visit.codeVerifier = oidc.randomPKCECodeVerifier();
  visit.state = oidc.randomState();
  visit.nonce = oidc.randomNonce();
  const url = oidc.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: 'openid email memberships.read tags.read',
    code_challenge: await oidc.calculatePKCECodeChallenge(visit.codeVerifier),
    code_challenge_method: 'S256',
    state: visit.state,
    nonce: visit.nonce,
  });
  response.writeHead(303, { location: url.href }).end();
}

/** Turns the code into tokens. The library checks state, nonce, issuer and the ID token. */
async function finishSignIn(request, response) {
  const visit = visitOf(request);
  if (visit?.state === undefined) throw new Error('this browser has not begun to sign in');
  const tokens = await oidc.authorizationCodeGrant(config, new URL(request.url, home), {
    pkceCodeVerifier: visit.codeVerifier,
    expectedState: visit.state,
    expectedNonce: visit.nonce,
  });
  visit.state = undefined;
  visit.tokens = tokens;
  visit.sub = tokens.claims().sub;
  response.writeHead(303, { location: '/' }).end();
}

/** The access token, or a new one when the old one is about to end. */
async function accessTokenOf(visit) {
  if (visit.tokens.expiresIn() < 60 && visit.tokens.refresh_token !== undefined) {
    visit.tokens = await oidc.refreshTokenGrant(config, visit.tokens.refresh_token);
  }
  return visit.tokens.access_token;
}

/** Asks the API for the person. */
async function call(visit, path) {
  const answer = await fetch(`${ISSUER}/client/v4${path}`, {
    headers: { authorization: `Bearer ${await accessTokenOf(visit)}` },
  });
  const { result, errors } = await answer.json();
  if (!answer.ok) throw new Error(errors[0].message);
  return result;
}

async function showHome(request, response) {
  response.setHeader('content-type', 'text/plain; charset=utf-8');
  const visit = visitOf(request);
  if (visit?.tokens === undefined) {
    response.end(`Nobody is signed in. Open ${home}sign-in\n`);
    return;
  }
  const person = await oidc.fetchUserInfo(config, await accessTokenOf(visit), visit.sub);
  const lines = [`Signed in as ${person.email}`, `allowed: ${visit.tokens.scope}`];
  for (const { account } of await call(visit, '/memberships')) {
    const keys = await call(visit, `/accounts/${account.id}/tags/keys`);
    lines.push(`tag keys of ${account.name}: ${keys.join(', ') || 'none'}`);
  }
  response.end(`${lines.join('\n')}\n`);
}

const pages = { '/': showHome, '/sign-in': signIn, '/callback': finishSignIn };

createServer((request, response) => {
  const page = pages[new URL(request.url, home).pathname];
  if (page === undefined) {
    response.writeHead(404).end();
    return;
  }
  page(request, response).catch((error) => {
    // Such as access_denied, when the user denied the request.
    const reason = error.error ?? error.message;
    response.writeHead(400).end(`It did not work: ${reason}. Open ${home}sign-in to try again\n`);
  });
}).listen(Number(PORT), 'localhost', () => console.log(`open ${home}sign-in`));
