import assert from 'node:assert/strict';
import { Resolver } from 'node:dns/promises';
import { type TestContext, describe, test } from 'node:test';
import { lookUpTxt } from '../../src/oauth/verification/look-up-txt.ts';
import { DnsServer } from '../support/dns-server.ts';

const NAME = 'app.example.com';
const never = new AbortController().signal;

/** Looks a name up as the server does, but sooner tired of waiting. */
function lookUp(servers: string[], options: { name?: string; signal?: AbortSignal } = {}) {
  const { name = NAME, signal = never } = options;
  return lookUpTxt(name, { servers, timeoutMs: 250, tries: 2, limitMs: 5_000 }, signal);
}

/** A server that answers one name. */
async function serving(t: TestContext, ...args: Parameters<DnsServer['set']> | []) {
  const dns = await DnsServer.start(t);
  if (args.length > 0) dns.set(...(args as Parameters<DnsServer['set']>));
  return dns;
}

describe('the TXT records of a name', () => {
  test('one', async (t) => {
    const dns = await serving(t, NAME, { txt: ['a b="c"'] });
    assert.deepEqual(await lookUp([dns.address]), ['a b="c"']);
    assert.deepEqual(dns.questions, [`TXT ${NAME} udp`]);
  });

  test('several, each with its strings joined', async (t) => {
    const txt = ['v=spf1 -all', ['one', '', 'two', ' three'], '', 'ü'];
    const dns = await serving(t, NAME, { txt });
    const records = await lookUp([dns.address]);
    assert.equal(records?.length, 4);
    assert.ok(records?.includes('v=spf1 -all'));
    assert.ok(records?.includes('onetwo three'));
  });

  test('none, for a name without them and for one that does not exist', async (t) => {
    const dns = await serving(t, NAME, { txt: [] });
    assert.deepEqual(await lookUp([dns.address]), []);
    assert.deepEqual(await lookUp([dns.address], { name: 'other.example.com' }), []);
  });

  test('of the name that it is an alias of', async (t) => {
    const dns = await serving(t, NAME, { cname: 'target.example.net', txt: ['there'] });
    assert.deepEqual(await lookUp([dns.address]), ['there']);
  });

  test('over TCP when UDP cuts the answer off', async (t) => {
    const txt = Array.from({ length: 60 }, (_, index) => [`${index}-`, 'x'.repeat(255)]);
    const dns = await serving(t, NAME, { txt, truncated: true });
    const records = await lookUp([dns.address]);
    assert.equal(records?.length, 60);
    assert.ok(records?.includes(`59-${'x'.repeat(255)}`));
    assert.deepEqual(dns.questions, [`TXT ${NAME} udp`, `TXT ${NAME} tcp`]);
  });

  test('of an internationalised name', async (t) => {
    const name = 'xn--mnchen-3ya.example';
    const dns = await serving(t, name, { txt: ['servus'] });
    assert.deepEqual(await lookUp([dns.address], { name }), ['servus']);
  });
});

describe('no answer', () => {
  for (const rcode of ['SERVFAIL', 'REFUSED'] as const) {
    test(rcode, async (t) => {
      const dns = await serving(t, NAME, { rcode });
      assert.equal(await lookUp([dns.address]), undefined);
    });
  }

  test('silence, after it was asked again', async (t) => {
    const dns = await serving(t, NAME, () => undefined);
    assert.equal(await lookUp([dns.address]), undefined);
    assert.equal(dns.asked(NAME), 2);
  });

  test('nobody there', async (t) => {
    const dns = await serving(t);
    dns.stop();
    assert.equal(await lookUp([dns.address]), undefined);
  });

  test('a cut off answer that TCP does not complete', async (t) => {
    const dns = await serving(t, NAME, { txt: ['x'], truncated: true, rcode: 'SERVFAIL' });
    assert.equal(await lookUp([dns.address]), undefined);
  });

  test('a look-up that is cut off, or never began', async (t) => {
    const dns = await serving(t, NAME, () => undefined);
    const cut = new AbortController();
    const looking = lookUp([dns.address], { signal: cut.signal });
    await dns.untilAsked(NAME);
    cut.abort();
    assert.equal(await looking, undefined);
    assert.equal(await lookUp([dns.address], { signal: cut.signal }), undefined);
    assert.equal(dns.asked(NAME), 1);
  });

  test('a look-up that takes too long in all', async (t) => {
    const dns = await serving(t, NAME, () => undefined);
    const options = { servers: [dns.address], timeoutMs: 60_000, tries: 9, limitMs: 50 };
    assert.equal(await lookUpTxt(NAME, options, never), undefined);
  });
});

describe('several servers', () => {
  test('the next one is asked when one fails or is silent', async (t) => {
    const silent = await serving(t, NAME, () => undefined);
    const failing = await serving(t, NAME, { rcode: 'SERVFAIL' });
    const good = await serving(t, NAME, { txt: ['there'] });
    const addresses = [silent.address, failing.address, good.address];
    assert.deepEqual(await lookUp(addresses), ['there']);
  });

  test('the last one is asked in time, however long the others are silent', async (t) => {
    const servers = [];
    for (let i = 0; i < 3; i++) {
      servers.push((await serving(t, NAME, () => undefined)).address);
    }
    servers.push((await serving(t, NAME, { txt: ['there'] })).address);
    const options = { servers, timeoutMs: 60_000, tries: 1, limitMs: 2_000 };
    assert.deepEqual(await lookUpTxt(NAME, options, never), ['there']);
  });

  test('an answer is an answer: the next one is not asked', async (t) => {
    const first = await serving(t);
    const second = await serving(t, NAME, { txt: ['there'] });
    assert.deepEqual(await lookUp([first.address, second.address]), []);
    assert.equal(second.asked(NAME), 0);
  });
});

test('the servers of the system stay as the system has set them up', async (t) => {
  const set = t.mock.method(Resolver.prototype, 'setServers');
  t.mock.method(Resolver.prototype, 'resolveTxt', () => Promise.resolve([['there']]));
  assert.deepEqual(await lookUp([]), ['there']);
  assert.equal(set.mock.callCount(), 0);
});
