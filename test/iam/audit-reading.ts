import assert from 'node:assert/strict';
import { createId } from '../../src/lib/ids.ts';
import { type AuditFields, appendAuditRows } from '../support/audit-rows.ts';
import { createPerson, signInAs } from '../support/people.ts';
import type { Answer, TestServer } from '../support/server.ts';

/** Query parameters; those of a list repeat. */
export type Query = Readonly<Record<string, string | readonly string[]>>;

/** The first moment of the window that {@link windowQuery} asks for. */
export const START_MS = Date.UTC(2025, 5, 1);
const WINDOW = { since: '2025-06-01', before: '2025-07-01' };

/** A query for June 2025, unless it says otherwise. */
export function windowQuery(query: Query): string {
  const pairs = Object.entries({ ...WINDOW, ...query }).flatMap(([name, values]) =>
    [values].flat().map((value) => [name, value] as [string, string]),
  );
  return new URLSearchParams(pairs).toString();
}

/** The ids of the rows on a page. */
export function idsOf({ json, text }: Answer): string[] {
  assert.equal(json.success, true, text);
  return json.result.map(({ id }: { id: string }) => id);
}

/** The log of an account that has no other rows. */
export interface OwnLog {
  accountId: string;
  /** Of the rows, in the order in which they were given. */
  ids: string[];
  /** Reads it as somebody who may. */
  read: (query?: Query) => Promise<Answer>;
}

/** Makes an account with a log of its own. */
export async function newLog(server: TestServer, rows: readonly AuditFields[]): Promise<OwnLog> {
  const accountId = createId();
  await server.app.database.transaction(async (tx) => {
    await tx
      .insertInto('accounts')
      .values({ id: accountId, name: 'Other', created_at: 1 })
      .execute();
  });
  const ids = await appendAuditRows(server.app.database, accountId, rows);
  const person = await createPerson(server, { accountId, roles: ['audit-logs-viewer'] });
  const headers = await signInAs(server, person.userId);
  const read = (query: Query = {}): Promise<Answer> =>
    server.call('GET', `/accounts/${accountId}/logs/audit?${windowQuery(query)}`, {
      token: null,
      headers,
    });
  return { accountId, ids, read };
}
