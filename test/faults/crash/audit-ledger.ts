import assert from 'node:assert/strict';
import type { Db } from '../../../src/storage/schema.ts';
import type { Answer } from '../../support/server.ts';

/** What must stand in the audit log of an account, and what must not. */
export class AuditLedger {
  /** How many rows each answered change has made, by the id of its request. */
  #answered = new Map<string, number>();
  /** How many changes without an answer were found made, by what they changed. */
  #made = new Map<string, number>();
  #seq = 0;
  /** All that was found so far. */
  rows = 0;

  /** Notes a change that was answered, and was one. */
  acknowledge(answer: Answer, rows = 1): void {
    const id = answer.headers.get('x-request-id');
    assert.ok(id !== null && !this.#answered.has(id), `request ${id} is not the only one`);
    this.#answered.set(id, rows);
  }

  /** Notes a change that was not answered, and was found made. */
  wasMade(resourceId: string): void {
    this.#made.set(resourceId, (this.#made.get(resourceId) ?? 0) + 1);
  }

  /** Takes what stands in the log now as given. */
  async begin(read: Db, accountId: string): Promise<void> {
    await this.#readOn(read, accountId);
    this.#answered.clear();
    this.rows = 0;
  }

  /** Demands of the rows since the last call that they are those that were noted since, and no others. */
  async check(read: Db, accountId: string): Promise<void> {
    for (const row of await this.#readOn(read, accountId)) {
      // What the server does by itself, its own tests and the verifications look after.
      if (row.actor_type === 'system') continue;
      const id = row.request_id ?? '';
      const words = `${row.action_type} ${row.resource_type} ${row.resource_id}, row ${row.seq}`;
      if (this.#answered.has(id)) takeOne(this.#answered, id);
      else {
        const resourceId = row.resource_id ?? '';
        assert.ok(this.#made.has(resourceId), `nobody knows of ${words}`);
        takeOne(this.#made, resourceId);
      }
    }
    assert.deepEqual([...this.#answered], [], 'changes without their rows in the audit log');
    assert.deepEqual([...this.#made], [], 'changes without an answer and without their rows');
  }

  async #readOn(read: Db, accountId: string) {
    const rows = await read
      .selectFrom('audit_logs')
      .select(['seq', 'request_id', 'actor_type', 'action_type', 'resource_type', 'resource_id'])
      .where('chain_id', '=', accountId)
      .where('seq', '>', this.#seq)
      .orderBy('seq')
      .execute();
    this.#seq = rows.at(-1)?.seq ?? this.#seq;
    this.rows += rows.length;
    return rows;
  }
}

function takeOne(counts: Map<string, number>, name: string): void {
  const rest = (counts.get(name) ?? 0) - 1;
  if (rest === 0) counts.delete(name);
  else counts.set(name, rest);
}
