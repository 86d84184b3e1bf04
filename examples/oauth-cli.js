// A command-line program that acts for whoever runs it: Authorization Code with PKCE over a loopback
// redirect (RFC 8252), no secret. Takes ISSUER and CLIENT_ID from the environment; the client's
// token_endpoint_auth_method is none, its redirect URI http://127.0.0.1/callback (any port fits).
import { on, once } from 'node:events';
import { createServer } from 'node:http';
import * as oauth from 'oauth4webapi';

const { ISSUER = 'http://127.0.0.1:8787', CLIENT_ID } = process.env;
const issuer = new URL(ISSUER);
// Only for a server on this very machine: everywhere else there is https.
const options = { [oauth.allowInsecureRequests]: issuer.protocol === 'http:' };
const client = { client_id: CLIENT_ID };

const server = await oauth.processDiscoveryResponse(
  issuer,
  await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...options }),
);

const listener = createServer().listen(0, '127.0.0.1');
await once(listener, 'listening');
const redirectUri = `http://127.0.0.1:${listener.address().port}/callback`;

const codeVerifier = oauth.generateRandomCodeVerifier();
const state = oauth.generateRandomState();
const url = new URL(server.authorization_endpoint);
url.search = new URLSearchParams({
  response_type: 'code',
  client_id: CLIENT_ID,
  redirect_uri: redirectUri,
  scope: 'memberships.read user-details.read',
  code_challenge: await oauth.calculatePKCECodeChallenge(codeVerifier),
  code_challenge_method: 'S256',
  state,
}).toString();
console.log(`Open this address in a browser:\n${url.href}`);

/** The address with which the browser comes back. */
async function waitForAnswer() {
  for await (const [request, response] of on(listener, 'request')) {
    const answer = new URL(request.url, redirectUri);
    if (answer.pathname === '/callback') {
      response.writeHead(200, { connection: 'close' });
      response.end('You can close this window and go back to the terminal.\n');
      return answer;
    }
    response.writeHead(404).end();
  }
}

/** Turns what the browser has brought into tokens. */
async function redeem(answer) {
  // Throws when the user denied the request, and for an answer that is not to this very request.
  const parameters = oauth.validateAuthResponse(server, client, answer, state);
  return oauth.processAuthorizationCodeResponse(
    server,
    client,
    await oauth.authorizationCodeGrantRequest(
      server,
      client,
      oauth.None(),
      parameters,
      redirectUri,
      codeVerifier,
      options,
    ),
  );
}

try {
  const tokens = await redeem(await waitForAnswer());
  const response = await fetch(`${ISSUER}/client/v4/user`, {
    headers: { authorization: `Bearer ${tokens.access_token}` },
  });
  const { result, errors } = await response.json();
  if (!response.ok) throw new Error(errors[0].message);
  console.log(`This program may act for ${result.email}: ${tokens.scope}`);
  // What is not needed any more is given back.
  await oauth.processRevocationResponse(
    await oauth.revocationRequest(server, client, oauth.None(), tokens.access_token, options),
  );
} catch (error) {
  // Such as access_denied. The error as a whole may hold what is secret.
  console.error(`It did not work: ${error.error ?? error.message}`);
  process.exitCode = 1;
}
listener.close();
listener.closeIdleConnections();
