import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ApiError } from '../../src/http/errors.ts';
import { NO_CONTENT } from '../../src/http/route.ts';
import type { AuditRow } from '../../src/iam/audit/audit-chain.ts';
import { verifyAuditLog } from '../../src/iam/audit/verify-log.ts';
import { Changes } from '../../src/iam/changes.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { createId } from '../../src/lib/ids.ts';
import { lockTags } from '../../src/tags/store/tag-head.ts';
import { applyWrites } from '../../src/tags/write/apply-writes.ts';
import type { TagPatch, TagWrite } from '../../src/tags/write/tag-write.ts';
import { TagWriter } from '../../src/tags/write/tag-writer.ts';
import { readAuditRows } from '../support/audit-rows.ts';
import { onEachDatabase } from '../support/databases.ts';
import { refuseWrites } from '../support/refused-writes.ts';
import { type Answer, type TestServer, bootServer } from '../support/server.ts';
import { type Tags, assertBooksAgree, createTagging } from './tagging.ts';

const WRITERS = 32;

function writers<T>(write: (writer: number) => Promise<T>, count = WRITERS): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, writer) => write(writer)));
}

const worker = (id: string) => ({ resource_type: 'worker', resource_id: id });

function put(server: TestServer, id: string, tags: Tags, ifMatch?: string): Promise<Answer> {
  const headers: Record<string, string> = ifMatch === undefined ? {} : { 'if-match': ifMatch };
  const body = { ...worker(id), tags };
  return server.call('PUT', `${server.account}/tags`, { body, headers });
}

/** Demands a whole chain, which has a row for each of these answers that something adds, and no other. */
async function assertLogged(server: TestServer, work: () => Promise<Answer[]>): Promise<void> {
  const rows = (): Promise<AuditRow[]> => readAuditRows(server.app.database, server.accountId);
  const before = (await rows()).length;
  const acknowledged = (await work()).filter(({ status }) => status < 300);
  const added = (await rows()).slice(before);
  assert.equal(added.length, acknowledged.length);
  assert.deepEqual(
    new Set(added.map((row) => row.request_id)),
    new Set(acknowledged.map(({ headers }) => headers.get('x-request-id'))),
  );
  for await (const { fault } of verifyAuditLog(server.app.database.read, () => {})) {
    assert.equal(fault, undefined);
  }
  await assertBooksAgree(server);
}

onEachDatabase((database) => {
  let server: TestServer;
  before(async () => {
    server = await bootServer(database);
  });
  after(() => server.stop());

  /** Keeps writes of the account waiting while something else is done. */
  async function whileLocked(
    accountId: string,
    work: (release: () => void) => Promise<void>,
  ): Promise<void> {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { promise: locked, resolve: begin } = Promise.withResolvers<void>();
    const transaction = server.app.database.transaction(async (tx) => {
      await lockTags(tx, accountId);
      begin();
      await released;
    });
    await locked;
    try {
      await work(release);
    } finally {
      release();
      await transaction;
    }
  }

  test('writes of different resources', async () => {
    await assertLogged(server, () =>
      writers(async (writer) => {
        const answer = await put(server, `w${writer}`, { all: 'same', own: String(writer) });
        assert.equal(answer.status, 200, answer.text);
        assert.equal(answer.json.result.id, `w${writer}`);
        assert.equal(answer.json.result.tags.own, String(writer));
        return answer;
      }),
    );
    const ids = await createTagging(server).ids(['tag', 'all=same']);
    assert.deepEqual(ids.toSorted(), Array.from({ length: WRITERS }, (_, i) => `w${i}`).toSorted());
  });

  test('writes of one resource: each answer tells its own set, and one of them stays', async () => {
    const sets = new Set<string>();
    await assertLogged(server, () =>
      writers(async (writer) => {
        const answer = await put(server, 'one', { n: String(writer), [`own-${writer}`]: '' });
        assert.deepEqual(answer.json.result.tags, { n: String(writer), [`own-${writer}`]: '' });
        sets.add(JSON.stringify(answer.json.result.tags));
        return answer;
      }),
    );
    const { json } = await createTagging(server).get('worker', 'one');
    assert.ok(sets.has(JSON.stringify(json.result.tags)));
  });

  test('a refusal is that of one request alone', async () => {
    const { etag } = (await put(server, 'guarded', { v: '1' })).json.result;
    const missing = { resource_type: 'ai_gateway', resource_id: 'missing', tags: { a: '1' } };
    const kinds: [status: number, code: number | undefined, () => Promise<Answer>][] = [
      [412, 1016, () => put(server, 'guarded', { v: '2' }, '"v1:stale"')],
      [500, 1004, () => server.call('PUT', `${server.account}/tags`, { body: missing })],
      [200, undefined, () => put(server, `fine-${createId()}`, { v: '3' })],
      [
        204,
        undefined,
        async () => {
          const id = `gone-${createId()}`;
          await put(server, id, { v: '4' });
          return server.call('DELETE', `${server.account}/tags`, { body: worker(id) });
        },
      ],
    ];
    const begun: Answer[] = [];
    const rows = (await readAuditRows(server.app.database, server.accountId)).length;
    await writers(async (writer) => {
      const [status, code, send] = kinds[writer % kinds.length] as (typeof kinds)[number];
      const answer = await send();
      assert.deepEqual([answer.status, answer.code], [status, code], answer.text);
      begun.push(answer);
    });
    const { json } = await createTagging(server).get('worker', 'guarded');
    assert.equal(json.result.etag, etag);
    const added = (await readAuditRows(server.app.database, server.accountId)).slice(rows);
    // A quarter each: sets, and deletions with the sets before them.
    assert.equal(added.length, (3 * WRITERS) / 4);
    await assertLogged(server, async () => []);
  });

  test('of writers with the same ETag one wins', async () => {
    const { etag } = (await put(server, 'raced', { n: 'none' })).json.result;
    await assertLogged(server, async () => {
      const answers = await writers((writer) =>
        put(server, 'raced', { n: String(writer) }, `"${etag}"`),
      );
      assert.equal(answers.filter(({ status }) => status === 200).length, 1);
      assert.equal(answers.filter(({ code }) => code === 1016).length, WRITERS - 1);
      return answers;
    });
  });

  test('a write that the database refuses fails alone', async (t) => {
    const restore = await refuseWrites(
      server.app.database,
      'insert',
      'tagged_resources',
      `new.resource_id = 'poison'`,
    );
    t.after(restore);
    await assertLogged(server, () =>
      writers(async (writer) => {
        const isPoison = writer === WRITERS / 2;
        const answer = await put(server, isPoison ? 'poison' : `sound-${writer}`, { a: '1' });
        assert.deepEqual([answer.status, answer.code], isPoison ? [500, 1000] : [200, undefined]);
        return answer;
      }),
    );
    assert.equal((await createTagging(server).get('worker', 'poison')).code, 1004);
  });

  /**
   * A writer on the server's database that notes how many writes each transaction makes.
   * @param trouble what every transaction fails with, and is noted for, as it does while the database cannot be reached
   */
  function observedWriter(accountId: string, trouble?: Error) {
    const { database: db } = server.app;
    const seen = { read: db.read, isUnavailable: (error: unknown) => error === trouble };
    const sizes: number[] = [];
    const services = {
      clock: systemClock,
      findResourceName: () => Promise.resolve(undefined),
      notFoundStatus: 500 as const,
      bodyLimitBytes: 1_048_576,
    };
    const changes = new Changes(db, systemClock);
    const writer = new TagWriter(seen, changes, async (tx, of, writes, maxLongBytes) => {
      if (trouble !== undefined) sizes.push(writes.length);
      if (trouble !== undefined) throw trouble;
      const outcomes = await applyWrites(tx, services, of, writes, maxLongBytes);
      sizes.push(writes.length);
      return outcomes;
    });
    const facts = {
      name: undefined,
      workerId: undefined,
      zoneId: undefined,
      accessApplicationId: undefined,
    };
    return {
      sizes,
      writer,
      write: (patch: TagPatch, id = 'observed'): Promise<unknown> => {
        const write: TagWrite = {
          operation: 'patch',
          resource: { accountId, type: 'worker', id },
          ifMatch: undefined,
          requestId: undefined,
          facts,
          patch,
        };
        const request = { id: 'test', method: 'PATCH', path: '', query: '', ip: '', headers: {} };
        const principal = { type: 'anonymous' as const, layers: [] };
        return writer.write({ principal, request }, write, () => ({
          answer: NO_CONTENT,
          change: 'unchanged',
        }));
      },
    };
  }

  const removal = (keys: string[]): TagPatch => new Map(keys.map((key) => [key, null]));

  const isOverload = (error: unknown): boolean =>
    error instanceof ApiError && error.status === 503 && error.headers['retry-after'] === '1';

  test('what waits shares transactions of a bounded size, and too much is refused', async () => {
    const accountId = createId();
    const { sizes, writer, write } = observedWriter(accountId);
    const written: Promise<unknown>[] = [];
    await whileLocked(accountId, async (release) => {
      // Two that are too large to share a transaction, and as many more as may wait.
      const large = (of: string) => removal(Array.from({ length: 3_000 }, (_, i) => `${of}${i}`));
      written.push(write(large('a')), write(large('b')));
      for (let i = 2; i < 999; i++) written.push(write(new Map([['n', String(i)]])));
      const enormous = removal(Array.from({ length: 500_000 }, (_, i) => String(i)));
      written.push(assert.rejects(write(enormous), isOverload));
      const long = new Map([['n', 'v'.repeat(32 * 1024 * 1024)]]);
      written.push(assert.rejects(write(long), isOverload));
      written.push(write(new Map([['n', 'last']])));
      written.push(assert.rejects(write(new Map([['n', 'one too many']])), isOverload));
      release();
    });
    await Promise.all(written);
    await writer.settled();
    assert.equal(
      sizes.reduce((sum, size) => sum + size),
      1_000,
    );
    assert.equal(sizes[0], 1);
    assert.equal(Math.max(...sizes), 64);
    assert.ok(sizes.length <= 2 + Math.ceil(998 / 64), String(sizes));
  });

  test('when the database is in trouble, nobody waits for others to fail first', async () => {
    const accountId = createId();
    const trouble = new Error('the database does not answer');
    const { sizes, write } = observedWriter(accountId, trouble);
    const written = Array.from({ length: 200 }, (_, i) => write(new Map([['n', String(i)]])));
    for (const outcome of await Promise.allSettled(written)) {
      assert.equal(outcome.status === 'rejected' && outcome.reason, trouble);
    }
    assert.equal(sizes.length, 1);
  });

  test('whoever stops the server waits for the writes that were begun', async () => {
    const accountId = createId();
    const { writer, write } = observedWriter(accountId);
    const ended: string[] = [];
    await whileLocked(accountId, async (release) => {
      const written = write(new Map([['n', '1']])).then(() => ended.push('write'));
      const settled = writer.settled().then(() => ended.push('settled'));
      await nextTurn();
      assert.deepEqual(ended, []);
      release();
      await Promise.all([written, settled]);
    });
    assert.deepEqual(ended, ['write', 'settled']);
    await writer.settled();
  });

  test('sets that are long to write or to remove do not share a transaction', async () => {
    const accountId = createId();
    const { sizes, write } = observedWriter(accountId);
    const keys = Array.from({ length: 600 }, (_, i) => `k${i}`);
    const long = new Map(keys.map((key) => [key, 'v'.repeat(1_000)]));
    for (const patch of [long, removal(keys)]) {
      await whileLocked(accountId, async (release) => {
        sizes.length = 0;
        const written = ['first', 'second'].map((id) => write(patch, id));
        release();
        await Promise.all(written);
      });
      assert.deepEqual(sizes, [1, 1]);
    }
  });

  test('writes to one long set do not share a transaction: each makes all of it anew', async () => {
    const accountId = createId();
    const { sizes, write } = observedWriter(accountId);
    const keys = Array.from({ length: 300 }, (_, i) => `k${i}`);
    await write(new Map(keys.map((key) => [key, 'v'.repeat(1_000)])));
    await whileLocked(accountId, async (release) => {
      sizes.length = 0;
      const written = ['1', '2', '3'].map((n) => write(new Map([['n', n]])));
      release();
      await Promise.all(written);
    });
    assert.deepEqual(sizes, [1, 1, 1]);
  });
});

test('two nodes write to one account', async (t) => {
  const first = await bootServer('postgres');
  const second = await bootServer('postgres', { besides: first });
  t.after(async () => {
    await second.stop();
    await first.stop();
  });
  await assertLogged(first, () =>
    writers(async (writer) => {
      const node = writer % 2 === 0 ? first : second;
      const tags = { all: 'same', [`own-${writer}`]: 'x' };
      const answer = await put(node, writer < WRITERS ? 'contended' : `own-${writer}`, tags);
      assert.deepEqual([answer.status, answer.json.result.tags], [200, tags]);
      return answer;
    }, 2 * WRITERS),
  );
  assert.equal((await createTagging(second).ids(['tag', 'all=same'])).length, WRITERS + 1);
});
