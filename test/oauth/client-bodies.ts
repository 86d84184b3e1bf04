import assert from 'node:assert/strict';
import type { Answer, Json, TestServer } from '../support/server.ts';

/** A body that creates a client which holds a secret. */
export function clientBody(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    client_name: 'Example',
    response_types: ['code'],
    grant_types: ['authorization_code'],
    token_endpoint_auth_method: 'client_secret_basic',
    redirect_uris: ['https://app.example.com/callback'],
    ...changes,
  };
}

/** Creates a client that must be accepted. */
export async function createClient(
  server: TestServer,
  changes: Record<string, unknown> = {},
): Promise<Json> {
  const answer = await server.call('POST', `${server.account}/oauth_clients`, {
    body: clientBody(changes),
  });
  assert.equal(answer.status, 200, answer.text);
  return answer.json.result;
}

/** Sends a body that creates a client, whatever becomes of it. */
export function tryCreate(
  server: TestServer,
  changes: Record<string, unknown> = {},
): Promise<Answer> {
  return server.call('POST', `${server.account}/oauth_clients`, { body: clientBody(changes) });
}

/** Sends a change of a client. */
export function patch(server: TestServer, clientId: string, body: unknown): Promise<Answer> {
  return server.call('PATCH', `${server.account}/oauth_clients/${clientId}`, { body });
}

/** Pointer and code of every error, as `4005 /redirect_uris/0`, sorted. */
export function faultsOf({ json }: Answer): string[] {
  const errors = json.errors as { code: number; source?: { pointer: string } }[];
  return errors.map(({ code, source }) => `${code} ${source?.pointer}`).sort();
}

/** The answer must be a 400 with exactly these faults. */
export function assertFaults(answer: Answer, expected: string[]): void {
  assert.equal(answer.status, 400, answer.text);
  assert.deepEqual(faultsOf(answer), [...expected].sort(), answer.text);
}
