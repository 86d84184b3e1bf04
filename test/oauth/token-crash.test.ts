import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { test } from 'node:test';
import { digestSecret } from '../../src/lib/secrets.ts';
import { openDatabaseForReading } from '../../src/storage/database.ts';
import { REDIRECT_URI, authorize, basic, redeem } from '../support/authorizations.ts';
import { CliProcess } from '../support/cli.ts';
import { type TestDatabase, createPostgresDatabase, onEachDatabase } from '../support/databases.ts';
import { eventually } from '../support/eventually.ts';
import { createPerson } from '../support/people.ts';
import { RawConnection } from '../support/raw-connection.ts';
import { type Answer, type Json, bootServer, createDataDir } from '../support/server.ts';
import { assertRefused, createTokenClient, refresh } from './redemptions.ts';

const BATCH = 40;
/** In which rounds the server is killed when so many of a batch have been answered. */
const ANSWERS_AT_DEATH = { sqlite: [1, 25], postgres: [25] } as const;

interface Context {
  after(work: () => unknown): void;
}

/** An installation with codes that are good, whose server processes can be killed. */
async function setUp(t: Context, database: TestDatabase) {
  const dataDir = await createDataDir();
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  const postgres = database === 'postgres' ? await createPostgresDatabase('current') : undefined;
  if (postgres !== undefined) t.after(() => postgres.drop());
  const masterKey = randomBytes(32).toString('base64');
  const urlSetting = postgres === undefined ? {} : { DATABASE_URL: postgres.url };
  const settings = { MASTER_KEY: masterKey, ...urlSetting };
  const maker = await bootServer('sqlite', { dataDir, settings });
  const codes: string[] = [];
  let client: Json;
  try {
    client = await createTokenClient(maker);
    const { userId } = await createPerson(maker, { accountId: maker.accountId });
    // Restarts take real time: the codes must be good for longer than a minute.
    const clock = { now: () => Date.now() + 600_000 };
    const count = BATCH * ANSWERS_AT_DEATH[database].length + 2;
    for (let index = 0; index < count; index++) {
      // One grant holds a hundred: each of these is for other scopes of other accounts.
      const accountIds = [maker.accountId, String(index)];
      const options = { userId, clientId: client.client_id, scopes: ['tags.read'], clock };
      codes.push(await authorize(maker, { ...options, accountIds }));
    }
  } finally {
    await maker.stop();
  }
  const env = {
    LATCHKEY_DATA_DIR: dataDir,
    LATCHKEY_PORT: '0',
    LATCHKEY_LOG_LEVEL: 'warn',
    LATCHKEY_MASTER_KEY: masterKey,
    ...(postgres === undefined ? {} : { LATCHKEY_DATABASE_URL: postgres.url }),
  };
  const reading = openDatabaseForReading({ databaseUrl: postgres?.url, dataDir }, (error) =>
    assert.ok(error),
  );
  t.after(() => reading.close());
  return {
    client,
    codes,
    read: reading.read,
    start: async (): Promise<{ process: CliProcess; origin: string }> => {
      const process = new CliProcess(['serve'], { env });
      t.after(async () => {
        process.kill('SIGKILL');
        await process.result();
      });
      return { process, origin: await process.origin() };
    },
  };
}

/** Sends a form and never looks at the answer. */
function sendBlindly(origin: string, client: Json, fields: Record<string, string>): RawConnection {
  const body = new URLSearchParams(fields).toString();
  const connection = new RawConnection(origin);
  connection.socket.on('error', () => {});
  connection.write(
    [
      'POST /oauth2/token HTTP/1.1',
      'host: latchkey',
      'content-type: application/x-www-form-urlencoded',
      `authorization: ${basic(client.client_id, client.client_secret)}`,
      `content-length: ${body.length}`,
      '',
      body,
    ].join('\r\n'),
  );
  return connection;
}

onEachDatabase((database) => {
  test('crashes: between the commit and the answer, and at any moment', async (t) => {
    const { client, codes, read, start } = await setUp(t, database);
    const lostCode = codes.pop() ?? '';
    const code = codes.pop() ?? '';
    const isRedeemed = async (): Promise<boolean> => {
      const { code_used_at: usedAtMs } = await read
        .selectFrom('oauth_families')
        .select('code_used_at')
        .where('code_digest', '=', digestSecret(lostCode))
        .executeTakeFirstOrThrow();
      return usedAtMs !== null;
    };
    const isRefreshed = async (token: string): Promise<boolean> => {
      const { used_at: usedAtMs } = await read
        .selectFrom('oauth_refresh_tokens')
        .select('used_at')
        .where('digest', '=', digestSecret(token))
        .executeTakeFirstOrThrow();
      return usedAtMs !== null;
    };
    const answered = new Map<string, Json>();
    const unanswered = new Set<string>();
    /** Redeems a batch of codes at once, on a server that is killed in the middle of it. */
    async function redeemUntilDeath(
      { process, origin }: Awaited<ReturnType<typeof start>>,
      answersAtDeath: number,
    ): Promise<void> {
      let count = 0;
      await Promise.all(
        codes.splice(0, BATCH).map(async (one) => {
          let answer: Answer;
          try {
            answer = await redeem({ origin }, client, one);
          } catch {
            unanswered.add(one);
            return;
          }
          assert.equal(answer.status, 200, answer.text);
          answered.set(one, answer.json);
          if (++count === answersAtDeath) process.kill('SIGKILL');
        }),
      );
      await process.result();
    }

    const [firstDeath, ...laterDeaths] = ANSWERS_AT_DEATH[database];
    let server = await start();
    const { json: tokens } = await redeem(server, client, code);
    const { refresh_token: old } = tokens;
    const redemption = { grant_type: 'authorization_code', redirect_uri: REDIRECT_URI };
    sendBlindly(server.origin, client, { ...redemption, code: lostCode });
    sendBlindly(server.origin, client, { grant_type: 'refresh_token', refresh_token: old });
    await eventually('the code is used', isRedeemed);
    await eventually('the token is used', () => isRefreshed(old));
    await redeemUntilDeath(server, firstDeath);

    server = await start();
    // The code does not work again; what came out of it, nobody has.
    assertRefused(await redeem(server, client, lostCode), 'invalid_grant');
    // A client that goes on within the grace has lost nothing.
    const again = await refresh(server, client, old);
    assert.equal(again.status, 200, again.text);
    const next = await refresh(server, client, again.json.refresh_token);
    assert.equal(next.status, 200, next.text);
    for (const answers of laterDeaths) {
      await redeemUntilDeath(server, answers);
      server = await start();
    }
    assert.ok(answered.size >= ANSWERS_AT_DEATH[database].length);

    // A code works once at most, and what was answered counts.
    for (const [, { refresh_token: token }] of answered) {
      const answer = await refresh(server, client, token);
      assert.equal(answer.status, 200, answer.text);
    }
    for (const one of unanswered) {
      const answer = await redeem(server, client, one);
      // Either nothing had happened, or it had been used up, and what came out of it is over now.
      if (answer.status !== 200) assertRefused(answer, 'invalid_grant');
      assertRefused(await redeem(server, client, one), 'invalid_grant');
    }
  });
});
