import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, beforeEach, describe, test } from 'node:test';
import canonicalize from 'canonicalize';
import { sql } from 'kysely';
import { type AuditRow, GENESIS_HASH } from '../../src/iam/audit/audit-chain.ts';
import { type VerifiedChain, verifyAuditLog } from '../../src/iam/audit/verify-log.ts';
import { createId } from '../../src/lib/ids.ts';
import { appendAuditRows, readAuditRows } from '../support/audit-rows.ts';
import { onEachDatabase } from '../support/databases.ts';
import { createPerson, createUserToken, signInAs } from '../support/people.ts';
import { type TestServer, allowPolicy, bootServer } from '../support/server.ts';

const BULK_ROWS = 2_001;

async function verify(server: TestServer, chainId?: string): Promise<VerifiedChain[]> {
  const chains: VerifiedChain[] = [];
  for await (const chain of verifyAuditLog(server.app.database.read, () => {}, chainId)) {
    chains.push(chain);
  }
  return chains;
}

onEachDatabase((database) => {
  let server: TestServer;
  before(async () => {
    server = await bootServer(database);
  });
  after(() => server.stop());

  const faultOf = async (chainId: string): Promise<string | undefined> =>
    (await verify(server, chainId))[0]?.fault?.message;

  async function makeChanges(count: number): Promise<void> {
    await Promise.all(Array.from({ length: count }, () => server.createToken(['tags.read'])));
  }

  test('a clean log, chain by chain', async () => {
    await makeChanges(3);
    const person = await createPerson(server, { accountId: server.accountId });
    const session = await signInAs(server, person.userId);
    await createUserToken(server, session, ['user-details.read']);
    const chains = await verify(server);
    assert.deepEqual(
      chains.map(({ chainId }) => chainId),
      [server.accountId, person.userId].toSorted(),
    );
    for (const { chainId, scope, rows, hash, fault } of chains) {
      const stored = await readAuditRows(server.app.database, chainId);
      assert.equal(scope, chainId === person.userId ? 'user' : 'account');
      assert.equal(rows, stored.length);
      assert.equal(hash, stored.at(-1)?.hash);
      assert.equal(fault, undefined);
    }
  });

  test('a link is the SHA-256 of the one before and of the canonical JSON of the row', async () => {
    await makeChanges(2);
    let previous = GENESIS_HASH;
    for (const { hash, ...row } of await readAuditRows(server.app.database, server.accountId)) {
      const linked = createHash('sha256').update(`${previous}\n${canonicalize(row)}`);
      assert.equal(hash, linked.digest('hex'));
      previous = hash;
    }
    assert.notEqual(previous, GENESIS_HASH);
  });

  test('after 50 changes at once, refusals, repeated requests and odd texts', async () => {
    const { value } = await server.createToken(['tags.read']);
    const body = { name: 'Grüße 🎉', policies: [allowPolicy(server.accountId, ['tags.read'])] };
    const path = `${server.account}/tokens`;
    await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        const headers = { 'user-agent': `ä${index}`, 'idempotency-key': `key-${index % 40}` };
        const created = await server.call('POST', path, { body, headers });
        assert.equal(created.status, 200, created.text);
        const missing = encodeURIComponent('🎉'.repeat(200));
        const refused = await server.call('DELETE', `${path}/x${missing}`, { token: value });
        assert.equal(refused.status, 403);
        const invalid = await server.call('POST', path, { body: { ...body, name: '' } });
        assert.equal(invalid.status, 400);
      }),
    );
    const [chain] = await verify(server, server.accountId);
    assert.equal(chain?.fault, undefined);
    const { count } = await server.app.database.read
      .selectFrom('audit_logs')
      .select((select) => select.fn.countAll<number>().as('count'))
      .where('chain_id', '=', server.accountId)
      .executeTakeFirstOrThrow();
    assert.equal(chain?.rows, count);
  });

  test('page by page, and while rows are appended', async () => {
    const chainId = createId();
    await appendAuditRows(
      server.app.database,
      chainId,
      Array.from({ length: BULK_ROWS }, (_, index) => ({ created_at: index })),
    );
    const pages: number[] = [];
    for await (const chain of verifyAuditLog(
      server.app.database.read,
      (count) => pages.push(count),
      chainId,
    )) {
      assert.deepEqual([chain.rows, chain.fault], [BULK_ROWS, undefined]);
    }
    assert.deepEqual(pages, [1_000, 1_000, 1]);
    const appending = (async () => {
      for (let i = 0; i < 20; i++) await appendAuditRows(server.app.database, chainId, [{}]);
    })();
    for (let i = 0; i < 5; i++) assert.equal(await faultOf(chainId), undefined);
    await appending;
    assert.equal((await verify(server, chainId))[0]?.rows, BULK_ROWS + 20);
  });

  test('there is nothing to say of a chain that is not there', async () => {
    await assert.rejects(verify(server, createId()), /no audit log exists for [0-9a-f]{32}$/);
  });

  describe('tampering', () => {
    let chainId: string;
    let rows: AuditRow[];
    beforeEach(async () => {
      chainId = createId();
      await appendAuditRows(
        server.app.database,
        chainId,
        Array.from({ length: 5 }, (_, index) => ({ created_at: 1_000 + index })),
      );
      rows = await readAuditRows(server.app.database, chainId);
      assert.equal(await faultOf(chainId), undefined);
    });

    const run = (statement: ReturnType<typeof sql>): Promise<void> =>
      server.app.database.transaction(async (tx) => void (await statement.execute(tx)));

    const remove = (seq: number): Promise<void> =>
      run(sql`delete from audit_logs where chain_id = ${chainId} and seq = ${seq}`);

    const head = (): Promise<void> => run(sql`delete from audit_heads where chain_id = ${chainId}`);

    test('a change of any column of any row is found', async () => {
      const columns = Object.keys(rows[0] ?? {});
      assert.equal(columns.length, 27);
      for (const { seq, ...row } of rows) {
        for (const [column, value] of Object.entries(row)) {
          const other = typeof value === 'number' || column === 'request_status_code' ? 7 : 'x';
          const set = (to: unknown) =>
            run(
              sql`update audit_logs set ${sql.ref(column)} = ${to} where ${sql.ref(
                column === 'chain_id' ? 'id' : 'chain_id',
              )} = ${column === 'chain_id' ? row.id : chainId} and seq = ${seq}`,
            );
          await set(other);
          const expected =
            column === 'chain_id' ? `row ${seq} is missing` : `row ${seq} was modified`;
          assert.equal(await faultOf(chainId), expected, column);
          await set(value);
          assert.equal(await faultOf(chainId), undefined, column);
        }
      }
    });

    test('so is a number for a row that is not its own', async () => {
      for (const [to, expected] of [
        [0, 'row 0 is unexpected'],
        [-7, 'row -7 is unexpected'],
        [6, 'row 3 is missing'],
      ] as const) {
        const set = (from: number, seq: number) =>
          run(
            sql`update audit_logs set seq = ${seq} where chain_id = ${chainId} and seq = ${from}`,
          );
        await set(3, to);
        assert.equal(await faultOf(chainId), expected);
        await set(to, 3);
        assert.equal(await faultOf(chainId), undefined);
      }
    });

    for (const seq of [1, 3, 5]) {
      test(`row ${seq} removed`, async () => {
        await remove(seq);
        const [chain] = await verify(server, chainId);
        assert.equal(chain?.fault?.message, `row ${seq} is missing`);
        assert.equal(chain?.rows, seq - 1);
        assert.equal(chain?.hash, rows[seq - 2]?.hash ?? GENESIS_HASH);
      });
    }

    test('the tail cut, also with a head that was made to fit', async () => {
      for (const seq of [4, 5]) await remove(seq);
      assert.equal(await faultOf(chainId), 'row 4 is missing');
      await run(sql`update audit_heads set seq = 3 where chain_id = ${chainId}`);
      assert.equal(await faultOf(chainId), 'the head does not belong to row 3');
    });

    test('all rows removed', async () => {
      await run(sql`delete from audit_logs where chain_id = ${chainId}`);
      const [chain] = await verify(server, chainId);
      assert.deepEqual([chain?.scope, chain?.rows], [undefined, 0]);
      assert.equal(chain?.fault?.message, 'row 1 is missing');
      const all = await verify(server);
      assert.ok(all.some((found) => found.chainId === chainId));
    });

    test('the head removed, set back, or of another chain', async () => {
      await run(
        sql`update audit_heads set seq = 3, hash = ${rows[2]?.hash} where chain_id = ${chainId}`,
      );
      assert.equal(await faultOf(chainId), 'row 4 is unexpected');
      await run(
        sql`update audit_heads set seq = 5, hash = ${'f'.repeat(64)} where chain_id = ${chainId}`,
      );
      assert.equal(await faultOf(chainId), 'the head does not belong to row 5');
      await run(sql`update audit_heads set seq = 9 where chain_id = ${chainId}`);
      assert.equal(await faultOf(chainId), 'row 6 is missing');
      await head();
      assert.equal(await faultOf(chainId), 'the head is missing');
      const all = await verify(server);
      assert.ok(all.some((found) => found.chainId === chainId && found.fault !== undefined));
    });

    test('two rows swapped', async () => {
      for (const [from, to] of [
        [2, 99],
        [4, 2],
        [99, 4],
      ]) {
        await run(
          sql`update audit_logs set seq = ${to} where chain_id = ${chainId} and seq = ${from}`,
        );
      }
      assert.equal(await faultOf(chainId), 'row 2 was modified');
    });

    test('a row inserted: before, between, behind', async () => {
      const insert = (seq: number) =>
        server.app.database.transaction(async (tx) => {
          const [copied] = rows;
          assert.ok(copied);
          await tx
            .insertInto('audit_logs')
            .values({ ...copied, seq })
            .execute();
        });
      for (const seq of [0, 6, 60]) {
        await insert(seq);
        assert.equal(await faultOf(chainId), `row ${seq} is unexpected`);
        await remove(seq);
      }
      for (const [from, to] of [
        [5, 6],
        [4, 5],
      ]) {
        await run(
          sql`update audit_logs set seq = ${to} where chain_id = ${chainId} and seq = ${from}`,
        );
      }
      await insert(4);
      assert.equal(await faultOf(chainId), 'row 4 was modified');
    });

    test('other chains are none the worse, and the log goes on', async () => {
      await remove(3);
      const broken = (await verify(server)).filter(({ fault }) => fault !== undefined);
      assert.ok(broken.every((chain) => chain.chainId !== server.accountId));
      await appendAuditRows(server.app.database, chainId, [{}]);
      assert.equal(await faultOf(chainId), 'row 3 is missing');
    });
  });
});

describe('two nodes on one PostgreSQL', () => {
  let a: TestServer;
  let b: TestServer;
  before(async () => {
    a = await bootServer('postgres');
    b = await bootServer('postgres', { besides: a });
  });
  after(async () => {
    await b.stop();
    await a.stop();
  });

  test('changes made on both at once are one chain without gaps', async () => {
    await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        (index % 2 === 0 ? a : b).createToken(['tags.read']),
      ),
    );
    const [chain] = await verify(a, a.accountId);
    assert.equal(chain?.fault, undefined);
    // The first start is the first row.
    assert.equal(chain?.rows, 41);
  });

  test('also the first rows of a chain', async () => {
    const chainId = createId();
    await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        appendAuditRows((index % 2 === 0 ? a : b).app.database, chainId, [{}, {}]),
      ),
    );
    const [chain] = await verify(b, chainId);
    assert.deepEqual([chain?.rows, chain?.fault], [20, undefined]);
  });
});
