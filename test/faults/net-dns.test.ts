import assert from 'node:assert/strict';
import type { LookupAddress } from 'node:dns';
import { test } from 'node:test';
import { HostLookup } from '../../src/http/host-lookup.ts';

const OLD = [{ address: '192.0.2.1', family: 4 }];
const NEW = [{ address: '192.0.2.2', family: 4 }];
const HOUR_MS = 3_600_000;

/** A system whose DNS server answers when and how it is told. */
function startSystem() {
  let nowMs = 0;
  const asked: string[] = [];
  const waiting: PromiseWithResolvers<readonly LookupAddress[]>[] = [];
  const hosts = new HostLookup(
    (host) => {
      asked.push(host);
      const answer = Promise.withResolvers<readonly LookupAddress[]>();
      waiting.push(answer);
      return answer.promise;
    },
    () => nowMs,
  );
  return {
    hosts,
    asked,
    pass: (ms: number) => void (nowMs += ms),
    answer: (addresses: readonly LookupAddress[]) => waiting.shift()?.resolve(addresses),
    fail: (code: string) => waiting.shift()?.reject(Object.assign(new Error(code), { code })),
  };
}

/** A system that has answered once, a while ago. */
async function startKnown() {
  const system = startSystem();
  const first = system.hosts.addressesOf('a.test');
  system.answer(OLD);
  assert.deepEqual(await first, OLD);
  system.pass(6_000);
  return system;
}

test('a name is asked for once, however many wait, and not again for a while', async () => {
  const { hosts, asked, answer } = startSystem();
  const all = Array.from({ length: 1_000 }, () => hosts.addressesOf('a.test'));
  const other = hosts.addressesOf('b.test');
  assert.deepEqual(asked, ['a.test', 'b.test']);
  answer(OLD);
  answer(NEW);
  assert.deepEqual(await Promise.all([...all, other]), [...all.map(() => OLD), NEW]);
  assert.deepEqual(await hosts.addressesOf('a.test'), OLD);
  assert.equal(asked.length, 2);
});

test('an unknown name fails as the system says, and is asked for again', async () => {
  const { hosts, asked, fail, answer } = startSystem();
  const failing = hosts.addressesOf('a.test');
  fail('EAI_AGAIN');
  await assert.rejects(failing, { code: 'EAI_AGAIN' });
  const again = hosts.addressesOf('a.test');
  answer(NEW);
  assert.deepEqual(await again, NEW);
  assert.equal(asked.length, 2);
});

test('a name that was known lately is used while DNS is silent, and is new when it answers', async () => {
  const { hosts, asked, answer } = await startKnown();
  const late = Array.from({ length: 100 }, () => hosts.addressesOf('a.test'));
  assert.deepEqual(
    await Promise.all(late),
    late.map(() => OLD),
  );
  // The system is still asked the same question, and not once more for each caller.
  assert.deepEqual(await hosts.addressesOf('a.test'), OLD);
  assert.equal(asked.length, 2);
  answer(NEW);
  await new Promise(setImmediate);
  assert.deepEqual(await hosts.addressesOf('a.test'), NEW);
});

test('so it is while DNS cannot say; a name that is gone is gone', async () => {
  const { hosts, fail } = await startKnown();
  const unclear = hosts.addressesOf('a.test');
  fail('EAI_AGAIN');
  assert.deepEqual(await unclear, OLD);
  const gone = hosts.addressesOf('a.test');
  fail('ENOTFOUND');
  await assert.rejects(gone, { code: 'ENOTFOUND' });
});

test('after an hour without an answer it is not known any more', async () => {
  const { hosts, pass, fail } = await startKnown();
  pass(HOUR_MS);
  const tooOld = hosts.addressesOf('a.test');
  fail('EAI_AGAIN');
  await assert.rejects(tooOld, { code: 'EAI_AGAIN' });
});
