import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { createSecret } from '../../src/lib/secrets.ts';
import { redeem } from '../support/authorizations.ts';
import { onEachDatabase } from '../support/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { createPerson } from '../support/people.ts';
import { type Answer, type Json, type TestServer, bootServer } from '../support/server.ts';
import { assertRefused, createTokenClient, obtain, postAs, refresh } from './redemptions.ts';

const FREE_ATTEMPTS = 100;
const LOOK_UPS_PER_SECOND = 200;

onEachDatabase((database) => {
  let server: TestServer;
  let app: Json;
  let userId: string;
  const clock = new ManualClock();
  before(async () => {
    server = await bootServer(database, { clock });
    app = await createTokenClient(server, { token_endpoint_auth_method: 'none' });
    ({ userId } = await createPerson(server, { accountId: server.accountId }));
  });
  after(() => server.stop());

  /** A code and tokens that nobody was ever given, each in its turn. */
  const guesses: (() => Promise<Answer>)[] = [
    () => redeem(server, app, randomBytes(32).toString('base64url')),
    () => refresh(server, app, createSecret('lkort_')),
    () => postAs(server, app, '/oauth2/revoke', { token: createSecret('lkoat_') }),
    () => postAs(server, app, '/oauth2/revoke', { token: createSecret('lkort_') }),
  ];

  test('in the name of a client without a secret are looked up so many times', async () => {
    const { refresh_token: token } = await obtain(server, app, { userId, clock });
    const own = await createTokenClient(server);
    await obtain(server, own, { userId, clock });
    for (let guess = 0; guess < FREE_ATTEMPTS + LOOK_UPS_PER_SECOND; guess++) {
      const send = guesses[guess % guesses.length];
      assert.ok(send !== undefined);
      const { status, json, text } = await send();
      assert.ok(status === 200 || json.error === 'invalid_grant', text);
    }
    for (const guess of guesses) {
      const answer = await guess();
      assertRefused(answer, 'invalid_request', 429);
      assert.equal(answer.headers.get('retry-after'), '1');
    }
    // Nobody knows yet whether this one is good. It is not burnt.
    assertRefused(await refresh(server, app, token), 'invalid_request', 429);
    // What has the form of none costs no look-up.
    assertRefused(await refresh(server, app, `${token}0`), 'invalid_grant');
    // A client with a secret answers for what it sends.
    assertRefused(await refresh(server, own, createSecret('lkort_')), 'invalid_grant');
    clock.advance(1_000);
    assert.equal((await refresh(server, app, token)).status, 200);
  });
});
