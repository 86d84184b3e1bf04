import assert from 'node:assert/strict';
import { type CodeOptions, authorize, basic, postForm, redeem } from '../support/authorizations.ts';
import type { Answer, Json, TestServer } from '../support/server.ts';
import { createClient } from './client-bodies.ts';

/** Creates a client that may refresh, and ask for what people may do with tags. */
export function createTokenClient(
  server: TestServer,
  changes: Record<string, unknown> = {},
): Promise<Json> {
  return createClient(server, {
    grant_types: ['authorization_code', 'refresh_token'],
    scopes: ['tags.read', 'tags.write', 'email'],
    ...changes,
  });
}

/** Has a person authorize a client, and the client redeem the code; answers the tokens. */
export async function obtain(
  server: TestServer,
  client: Json,
  options: Omit<CodeOptions, 'clientId'>,
): Promise<Json> {
  const scopes = ['tags.read', 'tags.write'];
  const code = await authorize(server, { scopes, ...options, clientId: client.client_id });
  const answer = await redeem(server, client, code);
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
}

/** Sends a form to an endpoint as a client does that authenticates as it has registered. */
export function postAs(
  server: Pick<TestServer, 'origin'>,
  client: Json,
  path: string,
  fields: Record<string, string>,
): Promise<Answer> {
  const { client_id: id, client_secret: secret, token_endpoint_auth_method: method } = client;
  if (method === 'client_secret_basic') {
    return postForm(server, path, fields, { authorization: basic(id, secret) });
  }
  const credentials = { client_id: id, ...(secret === undefined ? {} : { client_secret: secret }) };
  return postForm(server, path, { ...credentials, ...fields });
}

/** Presents a refresh token, whatever comes of it. */
export function refresh(
  server: Pick<TestServer, 'origin'>,
  client: Json,
  token: string,
  fields: Record<string, string> = {},
): Promise<Answer> {
  const body = { grant_type: 'refresh_token', refresh_token: token, ...fields };
  return postAs(server, client, '/oauth2/token', body);
}

/** What the API answers to an access token that is for tags. */
export async function tagsStatus(server: TestServer, token: string): Promise<number> {
  return (await server.call('GET', `${server.account}/tags/keys`, { token })).status;
}

/** The answer must be this error of RFC 6749 section 5.2, and nobody may store it. */
export function assertRefused(answer: Answer, error: string, status = 400): void {
  assert.deepEqual([answer.status, answer.json?.error], [status, error], answer.text);
  assert.deepEqual(Object.keys(answer.json), ['error', 'error_description']);
  assertNotStored(answer);
}

/** RFC 6749 section 5.1. */
export function assertNotStored({ headers }: Answer): void {
  assert.equal(headers.get('cache-control'), 'no-store');
  assert.equal(headers.get('pragma'), 'no-cache');
  assert.equal(headers.get('content-type'), 'application/json; charset=utf-8');
}
