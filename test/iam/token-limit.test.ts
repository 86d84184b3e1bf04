import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createId } from '../../src/lib/ids.ts';
import { onEachDatabase } from '../support/databases.ts';
import { allowPolicy, bootServer } from '../support/server.ts';
import { insertTokenRows } from '../support/token-rows.ts';

const MAX_TOKENS = 5_000;

onEachDatabase((database) => {
  test('an account has a limit of tokens, also for requests that come together: 3014', async (t) => {
    const server = await bootServer(database);
    t.after(() => server.stop());
    // With the first token, room for two more.
    const ids = Array.from({ length: MAX_TOKENS - 3 }, createId);
    await server.app.database.transaction((tx) => insertTokenRows(tx, server.accountId, ids));
    const body = { name: 'any', policies: [allowPolicy(server.accountId, ['tags.read'])] };
    const create = () => server.call('POST', `${server.account}/tokens`, { body });
    const answers = await Promise.all(Array.from({ length: 8 }, create));
    const made = answers.filter(({ status }) => status === 200);
    assert.equal(made.length, 2);
    for (const answer of answers) {
      if (answer.status !== 200) assert.deepEqual([answer.status, answer.code], [400, 3014]);
    }
    const id = made[0]?.json.result.id;
    assert.equal((await server.call('DELETE', `${server.account}/tokens/${id}`)).status, 200);
    assert.equal((await create()).status, 200);
  });
});
