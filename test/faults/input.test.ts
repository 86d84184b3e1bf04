import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachDatabase } from '../support/databases.ts';
import { bootServer } from '../support/server.ts';
import { startUpstream } from '../support/upstream-process.ts';
import { InputDriver } from './input/driver.ts';
import { inputSettings } from './input/server.ts';
import { setUpInputWorld } from './input/set-up.ts';

const SEED = Number(process.env.LATCHKEY_TEST_INPUT_SEED ?? 1);
const REQUESTS = Number(process.env.LATCHKEY_TEST_INPUT_REQUESTS ?? 700);

onEachDatabase((database) => {
  test('odd requests of every kind are answered as the contracts say', async (t) => {
    const upstream = await startUpstream('odd-upstream.ts');
    t.after(() => upstream.stop());
    const server = await bootServer(database, { settings: inputSettings(upstream.baseUrl) });
    t.after(() => server.stop());
    const facts = await setUpInputWorld(server, 2);
    const { origin } = server;
    const options = { origin, facts, seed: SEED, requests: REQUESTS, connections: 8 };
    const { faults } = await (await InputDriver.create(options)).run();
    const told = faults.map(({ key, detail, request }) => `${key}\n  ${detail}\n  ${request}`);
    assert.equal(told.length, 0, `seed ${SEED}\n${told.join('\n')}`);
  });
});
