import assert from 'node:assert/strict';
import { scrypt } from 'node:crypto';
import { networkInterfaces } from 'node:os';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { request } from 'undici';
import {
  type ConnectionFacts,
  ForbiddenAddressError,
  type GuardOptions,
  createGuardedAgent,
  mayConnect,
} from '../../src/http/guarded-agent.ts';
import { parseAllowedTarget } from '../../src/lib/allowed-targets.ts';
import { DnsServer } from '../support/dns-server.ts';
import { startFileServer } from '../support/file-server.ts';

const TIMEOUT_MS = 5_000;

function agentThatMay(t: TestContext, options: GuardOptions, ...texts: string[]) {
  const allowed = texts.map((text) => parseAllowedTarget(text) ?? assert.fail(text));
  const agent = createGuardedAgent(allowed, TIMEOUT_MS, options);
  t.after(() => agent.destroy());
  return agent;
}

test('a private address gets no connection, however it is named', async (t) => {
  const files = await startFileServer(t);
  const dispatcher = agentThatMay(t, {});
  for (const host of [
    '127.0.0.1',
    'localhost',
    '2130706433',
    '0x7f.0.0.1',
    '127.1',
    '0.0.0.0',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
  ]) {
    await assert.rejects(
      request(`http://${host}:${files.port}/`, { dispatcher }),
      ForbiddenAddressError,
      host,
    );
  }
  assert.equal(files.connections, 0);
});

test('the allowed ones do, by address and by name', async (t) => {
  const files = await startFileServer(t);
  files.answer = (_request, response) => response.end('hello');
  const dispatcher = agentThatMay(t, {}, '127.0.0.1');
  for (const host of ['127.0.0.1', 'localhost']) {
    const { statusCode, body } = await request(`http://${host}:${files.port}/`, { dispatcher });
    assert.deepEqual([statusCode, await body.text()], [200, 'hello']);
  }
});

test('a name leads only to those of its addresses that are allowed', async (t) => {
  const files = await startFileServer(t);
  files.answer = (_request, response) => response.end('hello');
  const dns = await DnsServer.start(t);
  dns.set('private.example', { addresses: ['127.0.0.1', '10.0.0.1', '::1'] });
  dns.set('mapped.example', { addresses: ['::ffff:127.0.0.1'] });
  dns.set('alias.example', { cname: 'private.example', addresses: ['127.0.0.1'] });
  const asking = { dnsServers: [dns.address] };
  const strict = agentThatMay(t, asking);
  for (const host of ['private.example', 'mapped.example', 'alias.example']) {
    await assert.rejects(
      request(`http://${host}:${files.port}/`, { dispatcher: strict }),
      ForbiddenAddressError,
      host,
    );
  }
  assert.equal(files.connections, 0);
  const lenient = agentThatMay(t, asking, '127.0.0.1');
  for (const host of ['private.example', 'alias.example']) {
    const { body } = await request(`http://${host}:${files.port}/`, { dispatcher: lenient });
    assert.equal(await body.text(), 'hello');
  }
});

test('a host that is named may have any address; with a port, on that port', async (t) => {
  const files = await startFileServer(t);
  files.answer = (_request, response) => response.end('hello');
  const dns = await DnsServer.start(t);
  dns.set('ollama.example', { addresses: ['127.0.0.1'] });
  dns.set('other.example', { addresses: ['127.0.0.1'] });
  const asking = { dnsServers: [dns.address] };
  const url = (host: string) => `http://${host}:${files.port}/`;
  for (const named of ['ollama.example', `ollama.example:${files.port}`, 'Ollama.Example.']) {
    const dispatcher = agentThatMay(t, asking, named);
    for (const host of ['ollama.example', 'OLLAMA.example', 'ollama.example.']) {
      const { body } = await request(url(host), { dispatcher });
      assert.equal(await body.text(), 'hello', `${named} ${host}`);
    }
    for (const host of ['other.example', '127.0.0.1', 'localhost']) {
      await assert.rejects(request(url(host), { dispatcher }), ForbiddenAddressError, host);
    }
  }
  const elsewhere = agentThatMay(t, asking, `ollama.example:${files.port - 1}`);
  await assert.rejects(
    request(url('ollama.example'), { dispatcher: elsewhere }),
    ForbiddenAddressError,
  );
});

test('an address with a port is open on that port alone', async (t) => {
  const files = await startFileServer(t);
  files.answer = (_request, response) => response.end('hello');
  const url = `http://127.0.0.1:${files.port}/`;
  const right = agentThatMay(t, {}, `127.0.0.1:${files.port}`);
  assert.equal(await (await request(url, { dispatcher: right })).body.text(), 'hello');
  const wrong = agentThatMay(t, {}, `127.0.0.1:${files.port + 1}`);
  await assert.rejects(request(url, { dispatcher: wrong }), ForbiddenAddressError);
});

test('a named host of this machine is found without a DNS server', async (t) => {
  const files = await startFileServer(t);
  files.answer = (_request, response) => response.end('hello');
  const dispatcher = agentThatMay(t, {}, `localhost:${files.port}`);
  const { body } = await request(`http://localhost:${files.port}/`, { dispatcher });
  assert.equal(await body.text(), 'hello');
});

test('without TLS only to what is opened, whatever address it has', async (t) => {
  const dns = await DnsServer.start(t);
  dns.set('public.example', { addresses: ['8.8.8.8', '2606:4700::1111'] });
  const dispatcher = agentThatMay(t, { dnsServers: [dns.address] }, '127.0.0.1');
  for (const host of ['public.example', '8.8.8.8', '[2606:4700::1111]']) {
    await assert.rejects(request(`http://${host}/`, { dispatcher }), ForbiddenAddressError, host);
  }
});

test('what is opened, public, our own, and our own port', () => {
  const allowed = ['10.0.0.1', '9.9.9.9', 'named.example'].map(
    (text) => parseAllowedTarget(text) ?? assert.fail(text),
  );
  const isTold = (host: string, address: string, facts: Partial<ConnectionFacts> = {}) =>
    mayConnect({ host, address, port: 443 }, allowed, {
      isPlain: false,
      isOwn: false,
      isOwnPort: false,
      ...facts,
    });
  assert.ok(isTold('any.example', '8.8.8.8'));
  assert.ok(isTold('any.example', '8.8.8.8', { isOwnPort: true }));
  assert.ok(!isTold('any.example', '8.8.8.8', { isPlain: true }));
  assert.ok(!isTold('any.example', '8.8.8.8', { isOwn: true }));
  assert.ok(!isTold('any.example', '10.0.0.2'));
  for (const [host, address] of [
    ['any.example', '10.0.0.1'],
    ['any.example', '9.9.9.9'],
    ['named.example', '8.8.8.8'],
    ['named.example', '10.0.0.2'],
  ] as const) {
    assert.ok(isTold(host, address, { isPlain: true, isOwn: true }), address);
    assert.ok(isTold(host, address, { isOwnPort: true }), address);
    assert.ok(!isTold(host, address, { isOwn: true, isOwnPort: true }), address);
  }
});

test('never to the server itself, whatever is allowed', async (t) => {
  const files = await startFileServer(t);
  files.answer = (_request, response) => response.end('hello');
  const dns = await DnsServer.start(t);
  dns.set('self.example', { addresses: ['127.0.0.1'] });
  let ownPort: number | undefined = files.port;
  const dispatcher = agentThatMay(
    t,
    { dnsServers: [dns.address], ownPort: () => ownPort },
    '0.0.0.0/0',
    '::/0',
    'self.example',
    'localhost',
  );
  for (const host of [
    '127.0.0.1',
    '127.9.9.9',
    '0.0.0.0',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    'localhost',
    'self.example',
    ...ownAddresses(),
  ]) {
    await assert.rejects(
      request(`http://${host}:${files.port}/`, { dispatcher }),
      ForbiddenAddressError,
      host,
    );
  }
  assert.equal(files.connections, 0);
  // It listens elsewhere.
  ownPort = files.port + 1;
  const { body } = await request(`http://self.example:${files.port}/`, { dispatcher });
  assert.equal(await body.text(), 'hello');
});

function ownAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flat()
    .flatMap((own) => (own?.family === 'IPv4' ? own.address : []));
}

test('a redirect is an answer like any other', async (t) => {
  const files = await startFileServer(t);
  files.answer = (_request, response) => {
    response.writeHead(302, { location: '/elsewhere' });
    response.end();
  };
  const dispatcher = agentThatMay(t, {}, '127.0.0.1');
  const { statusCode, body } = await request(`http://127.0.0.1:${files.port}/`, { dispatcher });
  await body.dump();
  assert.equal(statusCode, 302);
  assert.equal(files.connections, 1);
});

test('a name without an address is no answer', async (t) => {
  const dns = await DnsServer.start(t);
  dns.set('empty.example', {});
  dns.set('broken.example', { rcode: 'SERVFAIL' });
  const dispatcher = agentThatMay(t, { dnsServers: [dns.address] }, '127.0.0.1');
  for (const [host, code] of [
    ['nobody.example', 'ENOTFOUND'],
    ['empty.example', 'ENODATA'],
    ['broken.example', 'ESERVFAIL'],
  ] as const) {
    await assert.rejects(request(`http://${host}/`, { dispatcher }), { syscall: 'queryA', code });
  }
});

test('names whose DNS server stays silent hold nothing else up', async (t) => {
  const dns = await DnsServer.start(t);
  const dispatcher = agentThatMay(t, { dnsServers: [dns.address] });
  let ended = 0;
  const asked = Array.from({ length: 8 }, (_, i) => {
    dns.set(`silent-${i}.example`, () => undefined);
    return assert
      .rejects(request(`http://silent-${i}.example/`, { dispatcher }))
      .then(() => ended++);
  });
  for (let i = 0; i < 8; i++) await dns.untilAsked(`silent-${i}.example`);
  // What passwords are hashed with.
  await promisify(scrypt)('password', 'salt', 16);
  assert.equal(ended, 0);
  await dispatcher.destroy();
  await Promise.all(asked);
});

test('a name that changes its address between two look-ups gains nothing', async (t) => {
  const files = await startFileServer(t);
  files.answer = (_request, response) => response.writeHead(200, { connection: 'close' }).end('hi');
  const dns = await DnsServer.start(t);
  // Loopback has more addresses than one: the first stands for a public one, the other is private.
  let lookUps = 0;
  dns.set('rebinding.example', () => ({
    addresses: [lookUps++ < 2 ? '127.0.0.1' : '127.0.0.2'],
  }));
  const dispatcher = agentThatMay(t, { dnsServers: [dns.address] }, '127.0.0.1');
  const url = `http://rebinding.example:${files.port}/`;
  assert.equal(await (await request(url, { dispatcher })).body.text(), 'hi');
  await assert.rejects(request(url, { dispatcher }), ForbiddenAddressError);
  assert.equal(files.connections, 1);
});
