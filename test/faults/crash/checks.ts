import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { verifyAuditLog } from '../../../src/iam/audit/verify-log.ts';
import type { Installation } from '../../support/server-process.ts';
import { assertSound, readStoredLogs } from '../../support/stored-logs.ts';
import { assertBooksAgree } from '../../tags/tagging.ts';
import { readDatabase } from './load.ts';

// Periodic work holds its leases for so long, at most.
const LEASE_MS = 30_000;

/** Demands that all that is kept twice, counted or chained agrees, and that the files need no repair. */
export async function assertWhole(installation: Installation): Promise<void> {
  await readDatabase(installation, async (read) => {
    if (installation.postgresUrl === undefined) {
      const { rows } = await sql`pragma integrity_check`.execute(read);
      assert.deepEqual({ ...(rows[0] as object) }, { integrity_check: 'ok' });
    }
    for await (const { chainId, fault } of verifyAuditLog(read, () => {})) {
      assert.equal(fault, undefined, `the audit log of ${chainId}: ${fault?.message}`);
    }
    await assertBooksAgree({ app: { database: { read } } });
    const leases = await read.selectFrom('leases').select(['name', 'expires_at']).execute();
    for (const { name, expires_at: expiresAtMs } of leases) {
      assert.ok(expiresAtMs <= Date.now() + LEASE_MS, `the lease ${name} holds for too long`);
    }
  });
  await readStoredLogs(installation, assertSound);
}
