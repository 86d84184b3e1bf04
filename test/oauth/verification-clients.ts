import assert from 'node:assert/strict';
import { createId } from '../../src/lib/ids.ts';
import type { DnsServer } from '../support/dns-server.ts';
import { eventually } from '../support/eventually.ts';
import type { ManualClock } from '../support/manual-clock.ts';
import type { Json, TestServer } from '../support/server.ts';
import { createClient, patch } from './client-bodies.ts';

/** A name that no other test asks about. */
export function newHost(): string {
  return `h${createId()}.example`;
}

/** Creates a client whose home page is on that host. */
export async function createVerifiable(
  server: TestServer,
  host: string,
  changes: Record<string, unknown> = {},
): Promise<Json> {
  return createClient(server, { client_uri: `https://${host}/`, ...changes });
}

/** The client as it is now. */
export async function readClient(server: TestServer, clientId: string): Promise<Json> {
  const answer = await server.call('GET', `${server.account}/oauth_clients/${clientId}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.json.result;
}

export async function verificationOf(server: TestServer, clientId: string): Promise<Json> {
  return (await readClient(server, clientId)).client_uri_verification;
}

/** Waits for a status; answers the verification. */
export async function untilStatus(
  server: TestServer,
  clientId: string,
  status: string,
): Promise<Json> {
  let verification: Json;
  await eventually(`the verification is ${status}`, async () => {
    verification = await verificationOf(server, clientId);
    return verification.status === status;
  });
  return verification;
}

/** Waits for the outcome of a look-up that ended after a time. */
export async function untilChecked(
  server: TestServer,
  clientId: string,
  atMs: number,
): Promise<Json> {
  let verification: Json;
  await eventually('the look-up has ended', async () => {
    verification = await verificationOf(server, clientId);
    return Date.parse(verification.last_checked_at ?? 0) >= atMs;
  });
  return verification;
}

/** Makes the server look up what is due by its clock now, and not some seconds later. */
export async function lookNow(server: TestServer): Promise<void> {
  const { client_id: id } = await createClient(server, { client_uri: 'https://192.0.2.1/' });
  await server.call('DELETE', `${server.account}/oauth_clients/${id}`);
}

/** A client whose host has been looked up once, in vain. */
export async function createUnverified(server: TestServer, host = newHost()): Promise<Json> {
  const client = await createVerifiable(server, host);
  await untilStatus(server, client.client_id, 'in_progress');
  return client;
}

/** Lets time pass, and the look-up that is then due end. */
export async function lookAfter(
  server: TestServer,
  clock: ManualClock,
  clientId: string,
  ms: number,
): Promise<Json> {
  clock.advance(ms);
  await lookNow(server);
  return untilChecked(server, clientId, clock.now());
}

/** A client whose host was verified. */
export async function createVerified(
  server: TestServer,
  dns: DnsServer,
  changes: Record<string, unknown> = {},
  host = newHost(),
): Promise<{ id: string; host: string; text: string }> {
  const text = Promise.withResolvers<string>();
  dns.set(host, async () => ({ txt: [await text.promise] }));
  const client = await createVerifiable(server, host, changes);
  text.resolve(client.client_uri_verification.text);
  await untilStatus(server, client.client_id, 'verified');
  return { id: client.client_id, host, text: client.client_uri_verification.text };
}

/** Waits until the server has gone through everything that was due before the call. */
export async function untilLookedThrough(server: TestServer, dns: DnsServer): Promise<void> {
  await createVerified(server, dns);
}

/** What a public client needs besides a verified host. */
export const READY = { logo_uri: 'https://app.example.com/logo.png', scopes: ['tags.read'] };

/** A client that is public. */
export async function createPublic(
  server: TestServer,
  dns: DnsServer,
): Promise<{ id: string; host: string; text: string }> {
  const client = await createVerified(server, dns, READY);
  const answer = await patch(server, client.id, { visibility: 'public' });
  assert.equal(answer.status, 200, answer.text);
  return client;
}

/** The rows of the audit log about a client, oldest first, as `type result`. */
export async function auditOf(server: TestServer, clientId: string): Promise<Json[]> {
  const { read } = server.app.database;
  return read
    .selectFrom('audit_logs')
    .selectAll()
    .where('chain_id', '=', server.accountId)
    .where('resource_id', '=', clientId)
    .orderBy('seq')
    .execute();
}
