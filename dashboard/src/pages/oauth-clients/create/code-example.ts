import type { CreatedClient } from '../../../api/oauth-client-changes.ts';
import { issuer } from '../../../lib/site.ts';

/** How the client signs somebody in, with the npm package oauth4webapi: in short, but complete. */
export function exampleOf(client: CreatedClient): string {
  const { client_id: id, token_endpoint_auth_method: authMethod, redirect_uris: uris } = client;
  const isInsecure = issuer.startsWith('http:');
  const options = isInsecure ? ', options' : '';
  return `import * as oauth from 'oauth4webapi';

const issuer = new URL(${literal(issuer)});
const client = { client_id: ${literal(id)} };
const clientAuth = ${authOf(authMethod)};
const redirectUri = ${literal(uris[0] ?? '')};
${isInsecure ? '// This server has no https yet.\nconst options = { [oauth.allowInsecureRequests]: true };\n' : ''}
const found = await oauth.discoveryRequest(issuer${options});
const server = await oauth.processDiscoveryResponse(issuer, found);

// 1. Send the person to \`url\`; keep \`state\` and \`verifier\` for when they come back.
const state = oauth.generateRandomState();
const verifier = oauth.generateRandomCodeVerifier();
const url = new URL(server.authorization_endpoint);
url.search = new URLSearchParams({
  response_type: 'code',
  client_id: client.client_id,
  redirect_uri: redirectUri,
  scope: ${literal(client.scopes.join(' '))},
  state,
  code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
  code_challenge_method: 'S256',
});

// 2. They come back to the redirect URI; \`here\` is its full address with the query.
const answer = oauth.validateAuthResponse(server, client, here, state);
const response = await oauth.authorizationCodeGrantRequest(
  server, client, clientAuth, answer, redirectUri, verifier${options},
);
const tokens = await oauth.processAuthorizationCodeResponse(server, client, response);
`;
}

/** A text as JavaScript has it: an address may hold an apostrophe. */
function literal(text: string): string {
  return `'${text.replaceAll('\\', String.raw`\\`).replaceAll("'", String.raw`\'`)}'`;
}

function authOf(authMethod: CreatedClient['token_endpoint_auth_method']): string {
  switch (authMethod) {
    case 'none':
      return 'oauth.None()';
    case 'client_secret_basic':
      return 'oauth.ClientSecretBasic(process.env.CLIENT_SECRET)';
    case 'client_secret_post':
      return 'oauth.ClientSecretPost(process.env.CLIENT_SECRET)';
  }
}
