import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import pg from 'pg';
import { runMasterKeyRotation } from '../../src/cli/rotate-master-key.ts';
import { readKeyFile } from '../../src/config/master-key.ts';
import { readSettings } from '../../src/config/settings.ts';
import { mailSealer, openMail, queueMail } from '../../src/iam/mail/mail-store.ts';
import { systemClock } from '../../src/lib/clock.ts';
import type { MasterKey } from '../../src/lib/sealing.ts';
import { gatewayBody } from '../gateway/gateway-bodies.ts';
import { runCli } from '../support/cli.ts';
import { onEachDatabase } from '../support/databases.ts';
import { eventually } from '../support/eventually.ts';
import { fetchKeys } from '../support/id-tokens.ts';
import { firstPerson } from '../support/people.ts';
import { type TestServer, bootServer, createDataDir } from '../support/server.ts';

async function seal(server: TestServer, key: MasterKey): Promise<void> {
  const { userId } = await firstPerson(server);
  await server.app.database.transaction(async (tx) => {
    const sealedSecret = key.sealer('totp').seal('JBSWY3DPEHPK3PXP', userId);
    await tx
      .insertInto('totp_factors')
      .values({
        user_id: userId,
        sealed_secret: sealedSecret,
        created_at: Date.now(),
        confirmed_at: Date.now(),
        last_step: 0,
      })
      .execute();
    const message = { to: 'ada@example.com', subject: 'Hello', text: 'a link' };
    await queueMail(tx, mailSealer(key), systemClock, message);
  });
}

/** A node that has nothing to do has no other connection. */
async function demandRefusedBesideResting(url: string, env: Record<string, string>): Promise<void> {
  const channel = new pg.Client({
    connectionString: url,
    application_name: 'latchkey announcements',
  });
  await channel.connect();
  try {
    const rotation = runMasterKeyRotation(readSettings(env), undefined);
    await assert.rejects(rotation, /stop all nodes first/);
  } finally {
    await channel.end();
  }
}

onEachDatabase((database) => {
  test('all that is sealed opens under the new key, and a start goes on', async (t) => {
    const dataDir = await createDataDir();
    t.after(() => rm(dataDir, { recursive: true, force: true }));
    const presented = new Map<string | undefined, string | undefined>();
    const upstream = createServer((request, response) => {
      presented.set(request.url, request.headers.authorization);
      response.setHeader('content-type', 'application/json').end('{}');
    });
    await new Promise<void>((listening) => void upstream.listen(0, '127.0.0.1', listening));
    t.after(() => {
      upstream.close();
      upstream.closeAllConnections();
    });
    const { port } = upstream.address() as AddressInfo;
    const options = {
      dataDir,
      settings: {
        MASTER_KEY: '',
        PROVIDER_OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`,
        UPSTREAM_ALLOW: `127.0.0.1:${port}`,
      },
    };
    const server = await bootServer(database, options);
    t.after(() => server.stop());
    const file = path.join(dataDir, 'master.key');
    const former = (await readKeyFile(file)) ?? assert.fail();
    await seal(server, former);
    const otel = [{ url: `http://127.0.0.1:${port}/spans`, authorization: 'Bearer span-secret' }];
    const gateways = `${server.account}/ai-gateway/gateways`;
    const made = await server.call('POST', gateways, { body: { ...gatewayBody('g'), otel } });
    assert.equal(made.status, 200, made.text);
    const stored = await server.call('POST', `${gateways}/g/provider_configs`, {
      body: { provider_slug: 'openai', alias: 'main', secret: 'sk-stored', default_config: true },
    });
    assert.equal(stored.status, 200, stored.text);
    const kids = (await fetchKeys(server)).keys.map(({ kid }) => kid);
    const location = server.postgresUrl && { LATCHKEY_DATABASE_URL: server.postgresUrl };
    const env = { LATCHKEY_DATA_DIR: dataDir, ...location };

    const refused = await runCli(['keys', 'rotate-master'], { env });
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /in use by another|stop all nodes first/);
    await server.app.stop();
    if (server.postgresUrl !== undefined) await demandRefusedBesideResting(server.postgresUrl, env);

    const settings = readSettings(env);
    assert.match(
      await runMasterKeyRotation(settings, undefined),
      /^Encrypted 6 secrets with the new key\.\n/,
    );
    const next = (await readKeyFile(file)) ?? assert.fail();
    assert.notEqual(next.fingerprint(), former.fingerprint());
    assert.deepEqual(
      (await readdir(dataDir)).filter((name) => name.includes('.next')),
      [],
    );

    const second = await bootServer(database, { ...options, besides: server });
    t.after(() => second.stop());
    assert.deepEqual(
      (await fetchKeys(second)).keys.map(({ kid }) => kid),
      kids,
    );
    const { read } = second.app.database;
    const mail = await read.selectFrom('outgoing_mail').selectAll().executeTakeFirstOrThrow();
    assert.equal(
      openMail(mailSealer(next), { ...mail, createdAtMs: mail.created_at }).text,
      'a link',
    );
    const factor = await read.selectFrom('totp_factors').selectAll().executeTakeFirstOrThrow();
    const opened = next.sealer('totp').open(factor.sealed_secret, factor.user_id);
    assert.equal(opened, 'JBSWY3DPEHPK3PXP');
    assert.throws(() => former.sealer('totp').open(factor.sealed_secret, factor.user_id));
    await second.call('POST', `${second.account}/ai/v1/chat/completions`, {
      headers: { 'cf-aig-gateway-id': 'g' },
      body: { model: 'openai/x', messages: [{ role: 'user', content: 'x' }] },
    });
    assert.equal(presented.get('/v1/chat/completions'), 'Bearer sk-stored');
    await eventually('a span arrives', async () => presented.has('/spans/v1/traces'));
    assert.equal(presented.get('/spans/v1/traces'), 'Bearer span-secret');
    await second.app.stop();

    // Cut off between the transaction and the new name of the file.
    await rename(file, `${file}.next`);
    await writeFile(file, `${randomBytes(32).toString('base64')}\n`);
    assert.match(
      await runMasterKeyRotation(settings, undefined),
      /already encrypted with the new key/,
    );
    assert.equal((await readKeyFile(file))?.fingerprint(), next.fingerprint());
    // Cut off before the transaction.
    await writeFile(`${file}.next`, `${randomBytes(32).toString('base64')}\n`);
    assert.match(
      await runMasterKeyRotation(settings, undefined),
      /^Encrypted 6 secrets with the new key\.\n/,
    );

    // As a setting.
    const text = await readFile(file, 'utf8');
    await rm(file);
    const asSetting = readSettings({ ...env, LATCHKEY_MASTER_KEY: text });
    const newFile = path.join(dataDir, 'new');
    await assert.rejects(runMasterKeyRotation(asSetting, undefined), /--new-key FILE$/);
    await assert.rejects(runMasterKeyRotation(settings, newFile), /--new-key requires/);
    await assert.rejects(runMasterKeyRotation(asSetting, newFile), /file not found/);
    await writeFile(newFile, randomBytes(32).toString('hex'));
    const printed = await runMasterKeyRotation(asSetting, newFile);
    assert.match(
      printed,
      /^Encrypted 6 secrets with the new key\.\nNow set LATCHKEY_MASTER_KEY to the content of /,
    );
    assert.match(await runMasterKeyRotation(asSetting, newFile), /already encrypted with this key/);
    const other = readSettings({ ...env, LATCHKEY_MASTER_KEY: 'ab'.repeat(32) });
    await writeFile(newFile, randomBytes(32).toString('hex'));
    await assert.rejects(runMasterKeyRotation(other, newFile), /does not belong to this database$/);
  });
});
