import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import {
  type OAuthClientProvider,
  UnauthorizedError,
} from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import { AuthorizingPerson } from '../contract/authorizing-person.ts';
import { createClient } from '../oauth/client-bodies.ts';
import { postForm } from '../support/authorizations.ts';
import { bootServer } from '../support/server.ts';
import { start } from './applications/mcp-server.js';

const REDIRECT_URI = 'http://127.0.0.1/callback';

/** Keeps credentials as an MCP client does, and remembers where it sends the browser. */
class StoredCredentials implements OAuthClientProvider {
  readonly redirectUrl = 'http://127.0.0.1:51005/callback';
  readonly clientMetadata = {
    redirect_uris: [this.redirectUrl],
    scope: 'openid profile email offline_access',
  };
  destination: URL | undefined;
  readonly #clientId: string;
  #tokens: OAuthTokens | undefined;
  #verifier = '';

  constructor(clientId: string) {
    this.#clientId = clientId;
  }

  clientInformation() {
    return { client_id: this.#clientId };
  }

  tokens() {
    return this.#tokens;
  }

  saveTokens(tokens: OAuthTokens) {
    this.#tokens = tokens;
  }

  invalidateCredentials() {
    this.#tokens = undefined;
  }

  redirectToAuthorization(destination: URL) {
    this.destination = destination;
  }

  saveCodeVerifier(verifier: string) {
    this.#verifier = verifier;
  }

  codeVerifier() {
    return this.#verifier;
  }

  /** Requests a token that is not bound to the MCP server. */
  validateResourceURL() {
    return Promise.resolve(undefined);
  }
}

test('the MCP SDK: sign-in, name and email, refresh, sign-out', async (t) => {
  const server = await bootServer('sqlite');
  t.after(() => server.stop());
  const resource = createServer().listen(0, '127.0.0.1');
  await once(resource, 'listening');
  t.after(() => {
    resource.closeAllConnections();
    resource.close();
  });
  const origin = `http://127.0.0.1:${(resource.address() as AddressInfo).port}`;
  const listener = await start(server.origin, origin);
  resource.on('request', (request, response) => void listener(request, response));
  const registered = await createClient(server, {
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    redirect_uris: [REDIRECT_URI],
  });
  const credentials = new StoredCredentials(registered.client_id);
  const person = await AuthorizingPerson.create(server);

  async function connect(): Promise<Client> {
    const client = new Client({ name: 'agent', version: '1.0.0' });
    const transport = new StreamableHTTPClientTransport(new URL('/mcp', origin), {
      authProvider: credentials,
    });
    await client.connect(transport);
    t.after(() => client.close());
    return client;
  }

  async function user(client: Client): Promise<unknown> {
    const { content } = await client.callTool({ name: 'user' });
    const [{ text }] = content as [{ text: string }];
    const { name, email } = JSON.parse(text) as Record<string, unknown>;
    return { name, email };
  }

  // Without a token, the SDK discovers the authorization server and sends the browser there.
  await assert.rejects(connect(), UnauthorizedError);
  const { destination } = credentials;
  assert.equal(destination?.origin, server.origin);
  const callback = await person.follow(destination);
  assert.equal(callback.origin + callback.pathname, credentials.redirectUrl);
  const unfinished = new StreamableHTTPClientTransport(new URL('/mcp', origin), {
    authProvider: credentials,
  });
  await unfinished.finishAuth(callback.searchParams.get('code') ?? '');
  const first = credentials.tokens();
  const client = await connect();
  const expected = { name: 'Ada Lovelace', email: person.person.email };
  assert.deepEqual(await user(client), expected);

  // The access token ends: the SDK refreshes it by itself.
  const revoke = (token = '') =>
    postForm(server, '/oauth2/revoke', { client_id: registered.client_id, token });
  await revoke(first?.access_token);
  assert.deepEqual(await user(client), expected);
  const second = credentials.tokens();
  assert.notEqual(second?.access_token, first?.access_token);

  // Sign-out revokes the refresh token: the SDK must ask the user again.
  await revoke(second?.refresh_token);
  credentials.destination = undefined;
  await assert.rejects(user(client), UnauthorizedError);
  assert.ok(credentials.destination !== undefined);
});
