import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { onEachDatabase } from '../support/databases.ts';
import { type TestServer, bootServer } from '../support/server.ts';
import { assertFaults, createClient, tryCreate } from './client-bodies.ts';
import { accepted, privateUse, refused } from './redirect-uri-cases.ts';

function chunks<T>(items: readonly T[], size: number): T[][] {
  return items.flatMap((_item, index) =>
    index % size === 0 ? [items.slice(index, index + size)] : [],
  );
}

onEachDatabase((database) => {
  let server: TestServer;
  before(async () => {
    server = await bootServer(database);
  });
  after(() => server.stop());

  for (const field of ['redirect_uris', 'post_logout_redirect_uris']) {
    test(`${field}: what is accepted stays byte for byte`, async () => {
      const client = await createClient(server, { [field]: accepted });
      assert.deepEqual(client[field], accepted);
      const app = await createClient(server, {
        token_endpoint_auth_method: 'none',
        [field]: [...accepted, ...privateUse],
      });
      assert.deepEqual(app[field], [...accepted, ...privateUse]);
    });

    test(`${field}: every bad one is refused with its place, all at once`, async () => {
      for (const method of ['none', 'client_secret_post']) {
        for (const group of chunks(refused, 90)) {
          const answer = await tryCreate(server, {
            token_endpoint_auth_method: method,
            [field]: group,
          });
          assertFaults(
            answer,
            group.map((_uri, index) => `4005 /${field}/${index}`),
          );
        }
      }
    });

    test(`${field}: private-use schemes are for clients without a secret`, async () => {
      assertFaults(
        await tryCreate(server, { [field]: privateUse }),
        privateUse.map((_uri, index) => `4005 /${field}/${index}`),
      );
    });

    test(`${field}: nothing twice`, async () => {
      const a = 'https://app.example.com/a';
      const answer = await tryCreate(server, { [field]: [a, 'https://app.example.com/b', a, a] });
      assertFaults(answer, [`4005 /${field}/2`, `4005 /${field}/3`]);
      await createClient(server, { [field]: [a, `${a}/`, a.toUpperCase()] });
    });

    test(`${field}: 99 and 100, not 101`, async () => {
      const uris = Array.from({ length: 101 }, (_, index) => `https://app.example.com/${index}`);
      await createClient(server, { [field]: uris.slice(0, 99) });
      await createClient(server, { [field]: uris.slice(0, 100) });
      assertFaults(await tryCreate(server, { [field]: uris }), [`4005 /${field}`]);
    });

    test(`${field}: entries that are no text`, async () => {
      const answer = await tryCreate(server, {
        [field]: [1, null, {}, 'data:,x', ['https://a.b']],
      });
      assertFaults(answer, [
        `4001 /${field}/0`,
        `4001 /${field}/1`,
        `4001 /${field}/2`,
        `4005 /${field}/3`,
        `4001 /${field}/4`,
      ]);
      assertFaults(await tryCreate(server, { [field]: 'https://app.example.com/' }), [
        `4001 /${field}`,
      ]);
    });
  }

  test('the refusal says what is wrong', async () => {
    const reasons: [string, RegExp][] = [
      ['/callback', /absolute/],
      ['https://app.example.com/#', /fragment/],
      ['https://user@app.example.com/', /user name/],
      ['https://*.example.com/', /wildcard/],
      ['https://app.example.com/ ', /spaces/],
      ['https://app.example.com\\', /backslash/],
      ['https://app.example.com/ü', /percent-encode/],
      ['https://0x7f.1/', /127\.0\.0\.1/],
      ['http://app.example.com/', /https/],
      ['JavaScript:alert(1)', /scheme javascript/],
      ['myapp:/callback', /reverse-domain/],
      ['com.example.app:/callback', /token_endpoint_auth_method is none/],
      ['https://app.example.com/'.padEnd(2_049, 'a'), /2048/],
    ];
    const answer = await tryCreate(server, { redirect_uris: reasons.map(([uri]) => uri) });
    for (const [index, [, reason]] of reasons.entries()) {
      assert.match(answer.json.errors[index].message, reason);
    }
  });

  test('at least one redirect URI', async () => {
    assertFaults(await tryCreate(server, { redirect_uris: [] }), ['4005 /redirect_uris']);
  });
});
