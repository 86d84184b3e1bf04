import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { PeriodicWork } from '../../src/storage/periodic-work.ts';
import { addTagHousekeeping } from '../../src/tags/housekeeping.ts';
import { moveHead } from '../../src/tags/store/tag-head.ts';
import { onEachDatabase } from '../support/databases.ts';
import { eventually } from '../support/eventually.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { type Answer, type TestServer, bootServer } from '../support/server.ts';
import { addMade } from './made-changes.ts';
import { type Tagging, createTagging } from './tagging.ts';

const DAY_MS = 86_400_000;
const DAYS = 30;

/** How the list of changes loses what is too old. */
onEachDatabase((database) => {
  const clock = new ManualClock();
  let server: TestServer;
  let tagging: Tagging;
  let work: PeriodicWork;
  before(async () => {
    server = await bootServer(database, { clock });
    tagging = createTagging(server);
    work = periodicWork(DAYS);
  });
  after(() => server.stop());

  function periodicWork(days: number): PeriodicWork {
    const own = new PeriodicWork(server.app.database, clock, (error) => assert.ifError(error));
    addTagHousekeeping(own, server.app.database, days);
    return own;
  }

  // The server's own first round may be at it.
  const purge = () => eventually('a round', () => work.runNow('tag-changes'));
  const read = (rest = '') => tagging.list(`changes?limit=1000${rest}`);

  async function ids(rest?: string): Promise<string[]> {
    const { status, text, json } = await read(rest);
    assert.equal(status, 200, text);
    return json.result.map((change: { resource_id: string }) => change.resource_id);
  }

  async function now(rest = ''): Promise<string> {
    return (await read(`&start=now${rest}`)).json.result_info.resume_cursor;
  }

  function assertGone(answer: Answer): void {
    assert.equal(answer.status, 410, answer.text);
    const message = 'changes after this cursor have been deleted: list the resources again';
    assert.deepEqual(answer.json.errors, [{ code: 1017, message, source: { pointer: 'cursor' } }]);
    assert.equal(answer.headers.get('x-should-retry'), 'false');
  }

  test('what is too old goes, and no cursor skips it', async () => {
    const empty = await now();
    await tagging.put('worker', 'a', { n: '1' });
    const first = await now();
    clock.advance(DAY_MS);
    await tagging.put('worker', 'b', { n: '1' });
    const second = await now();
    clock.advance((DAYS - 1) * DAY_MS);
    await purge();
    assert.deepEqual(await ids(), ['a', 'b']);
    clock.advance(1);
    await purge();
    assert.deepEqual(await ids(), ['b']);
    assertGone(await read(`&cursor=${empty}`));
    assert.deepEqual(await ids(`&cursor=${first}`), ['b']);

    clock.advance(DAY_MS);
    await purge();
    assertGone(await read(`&cursor=${first}`));
    // There was nothing after it.
    assert.deepEqual(await ids(`&cursor=${second}`), []);
    assert.deepEqual(await ids(), []);
    await tagging.put('worker', 'c', { n: '1' });
    assert.deepEqual(await ids(`&cursor=${second}`), ['c']);
    assert.deepEqual(await ids(), ['c']);
    assert.deepEqual(await tagging.ids(), ['a', 'b', 'c']);
  });

  const made = (count: number, changedAtMs: number) =>
    Array.from({ length: count }, (_, index) => ({
      type: index % 500 === 0 ? 'zone' : 'queue',
      changedAtMs,
    }));
  const old = (count = 1) => made(count, clock.now() - (DAYS + 1) * DAY_MS);
  const young = (count = 1) => made(count, clock.now());

  test('one that is too old takes those before it along, in steps', async () => {
    await addMade(server, [...young(2), ...old(), ...young()]);
    await purge();
    assert.equal((await ids()).length, 1);
    const last = await now();
    await addMade(server, [...young(700), ...old(), ...young()]);
    await purge();
    assert.equal((await ids()).length, 1);
    assertGone(await read(`&cursor=${last}`));
  });

  test('who is not told that all goes meanwhile has missed nothing', async (t) => {
    const cursor = await now('&type=zone');
    await addMade(server, old(8_000));
    // Each looks for long; some begin before the purge and some after it.
    const readOnce = () => read(`&type=zone&cursor=${cursor}`);
    const readTwice = async () => [await readOnce(), await readOnce()];
    const reading = Array.from({ length: 8 }, readTwice);
    await readOnce();
    await purge();
    const answers = (await Promise.all(reading)).flat();
    const complete = answers.filter(({ status }) => status === 200);
    for (const { json } of complete) assert.equal(json.result.length, 16);
    for (const answer of answers) if (!complete.includes(answer)) assertGone(answer);
    t.diagnostic(`${complete.length} of ${answers.length} readers were in time`);
    assert.deepEqual(await ids(), []);
  });

  test('410, 1017: a list that does not reach as far as the cursor', async () => {
    const { lastPosition } = await server.app.database.read
      .selectFrom('tag_heads')
      .select('last_position as lastPosition')
      .executeTakeFirstOrThrow();
    await addMade(server, young(2));
    const cursor = await now();
    // As after a restore from a backup.
    await server.app.database.transaction(async (tx) => {
      await tx.deleteFrom('tag_changes').where('position', '>', lastPosition).execute();
      await moveHead(tx, server.accountId, { lastSeq: 3, lastPosition });
    });
    assertGone(await read(`&cursor=${cursor}`));
    assert.deepEqual(await ids(), []);
  });

  test('0 days: nothing is too old', async () => {
    await addMade(server, old());
    await assert.rejects(async () => periodicWork(0).runNow('tag-changes'), /unknown job/);
    assert.equal((await ids()).length, 1);
  });
});
