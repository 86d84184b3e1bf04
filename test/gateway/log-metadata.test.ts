import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { onEachDatabase } from '../support/databases.ts';
import { type ScriptedBench, startScripted } from './scripted.ts';

onEachDatabase((database) => {
  let bench: ScriptedBench;
  before(async () => {
    bench = await startScripted(database);
    await bench.createGateway('texts');
  });
  after(() => bench.stop());

  const NUL = '\0';
  const cases: [what: string, sent: object, logged: object][] = [
    [
      'what looks like an escape',
      { a: String.raw`\u0000`, [String.raw`\u0000`]: 1 },
      { a: String.raw`\u0000`, [String.raw`\u0000`]: 1 },
    ],
    ['a NUL', { a: `x${NUL}y`, [`k${NUL}`]: true }, { a: 'xy', k: true }],
    ['half a character', { a: '\ud800!' }, { a: '\ufffd!' }],
    ['a long text', { a: 'x'.repeat(1_000) }, { a: 'x'.repeat(1_000) }],
    ['other kinds', { a: 1.5, b: false, c: null }, { a: 1.5, b: false, c: null }],
  ];
  for (const [index, [what, sent, logged]] of cases.entries()) {
    test(`metadata is logged so that every database can read it: ${what}`, async () => {
      const { status } = await bench.server.call(
        'POST',
        `${bench.server.account}/ai/v1/chat/completions`,
        {
          headers: {
            'cf-aig-gateway-id': 'texts',
            'cf-aig-event-id': `event-${index}`,
            'cf-aig-metadata': JSON.stringify(sent),
          },
          body: { model: 'local/echo', messages: [{ role: 'user', content: 'hello' }] },
        },
      );
      assert.equal(status, 200);
      const row = (await bench.logs('texts')).find((one) => one.event_id === `event-${index}`);
      assert.deepEqual(JSON.parse(row.metadata), logged);
    });
  }
});
