import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { callAs } from './authenticator-app.ts';
import { type VirtualAuthenticator, createCredential } from './chromium.ts';
import type { ManualClock } from './manual-clock.ts';
import { type SessionHeaders, signInAs } from './people.ts';
import type { TestServer } from './server.ts';

/** A browser with an authenticator, on a page of the server. */
export interface PasskeyBrowser {
  server: TestServer;
  clock: ManualClock;
  page: Page;
  authenticator: VirtualAuthenticator;
}

/** Registers a passkey of a user, which is then the only one of the authenticator. */
export async function registerPasskey(
  { server, clock, page, authenticator }: PasskeyBrowser,
  userId: string,
): Promise<{ session: SessionHeaders; id: string }> {
  await authenticator.clear();
  const session = await signInAs(server, userId, clock);
  const begun = await callAs(server, session, 'POST', '/user/passkeys/options');
  const { state, options } = begun.json.result;
  const response = await createCredential(page, options);
  const body = { state, name: 'phone', response };
  const created = await callAs(server, session, 'POST', '/user/passkeys', body);
  assert.equal(created.status, 200, created.text);
  return { session, id: created.json.result.id };
}

/** Returns the audit rows of a user: type, result and request. */
export async function auditOf({ app }: TestServer, userId: string): Promise<string[]> {
  const rows = await app.database.read
    .selectFrom('audit_logs')
    .selectAll()
    .where('chain_id', '=', userId)
    .orderBy('seq')
    .execute();
  return rows.map((row) => `${row.action_type} ${row.action_result} ${row.resource_request}`);
}
