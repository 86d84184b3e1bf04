import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { inspect } from 'node:util';
import { createMailer } from '../../src/iam/mail/mailer.ts';
import { type Mail, createMail } from '../../src/iam/mail/outbox.ts';
import { parseSmtpUrl } from '../../src/lib/smtp-url.ts';
import { MasterKey } from '../../src/lib/sealing.ts';
import type { Database } from '../../src/storage/database.ts';
import { PeriodicWork } from '../../src/storage/periodic-work.ts';
import { onEachDatabase } from '../support/databases.ts';
import { eventually } from '../support/eventually.ts';
import { type ReceivedMail, refusal, startMailServer } from '../support/mail-server.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { openMigratedDatabase } from '../support/migrated-database.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const GIVE_UP_AFTER_MS = 48 * HOUR_MS;
const LEASE_MS = 30_000;

const SECRET_LINK = 'https://latchkey.example/invitations/0123456789?token=verysecretvalue';
const message = {
  to: 'someone.private@example.com',
  subject: 'Join the secret project',
  text: `Hello,\n\nplease follow\n${SECRET_LINK}\n`,
};

interface Node {
  mail: Mail;
  /** Sends what is due. */
  send: () => Promise<boolean>;
  work: PeriodicWork;
}

/** What all nodes of one installation have in common. */
class Installation {
  readonly clock = new ManualClock();
  readonly troubles: string[] = [];
  /** Everything that the errors hold. */
  logged = '';
  readonly #sealer = new MasterKey(randomBytes(32)).sealer('mail');

  node(t: TestContext, database: Database, smtpUrl: string | undefined): Node {
    const report = (error: Error, text: string): void => {
      this.troubles.push(`${text}: ${error.message}`);
      this.logged += inspect([text, error], { depth: 9, showHidden: true });
    };
    const server = smtpUrl === undefined ? undefined : parseSmtpUrl(smtpUrl);
    const from = { name: 'latchkey', address: 'noreply@latchkey.example' };
    const work = new PeriodicWork(database, this.clock, report);
    t.after(() => work.stop());
    const mail = createMail({
      database,
      clock: this.clock,
      report,
      work,
      sealer: this.#sealer,
      mailer: server && createMailer({ server, from }),
    });
    return { mail, work, send: () => work.runNow('outgoing-mail') };
  }

  assertNothingLeaked(): void {
    assert.equal(
      /verysecret|secret project|someone\.private/.test(this.logged),
      false,
      this.logged,
    );
  }
}

function queue(database: Database, mail: Mail, changes: Partial<typeof message> = {}) {
  return database.transaction((tx) => mail.queue(tx, { ...message, ...changes }));
}

async function queued(database: Database) {
  return database.read.selectFrom('outgoing_mail').selectAll().orderBy('recipient').execute();
}

onEachDatabase((kind) => {
  test('mail is delivered once its transaction has committed, and then forgotten', async (t) => {
    const { database } = await openMigratedDatabase(t, kind);
    const server = await startMailServer(t);
    const installation = new Installation();
    const { mail } = installation.node(t, database, server.url);
    assert.equal(mail.isConfigured, true);
    await database.transaction(async (tx) => {
      await mail.queue(tx, message);
      await tx.selectFrom('outgoing_mail').select('id').executeTakeFirstOrThrow();
    });
    const sentAtMs = installation.clock.now();
    mail.kick();
    await eventually('it is sent', async () => (await queued(database)).length === 0);
    const [got] = server.received as [ReceivedMail];
    assert.equal(server.received.length, 1);
    assert.deepEqual([got.from, got.to], ['noreply@latchkey.example', [message.to]]);
    assert.equal(got.headers.get('from'), 'latchkey <noreply@latchkey.example>');
    assert.equal(got.headers.get('to'), message.to);
    assert.equal(got.headers.get('subject'), message.subject);
    assert.equal(got.headers.get('auto-submitted'), 'auto-generated');
    assert.equal(Date.parse(got.headers.get('date') ?? ''), sentAtMs);
    assert.match(got.headers.get('message-id') ?? '', /^<[0-9a-f]{32}@latchkey\.example>$/);
    assert.match(got.headers.get('content-type') ?? '', /^multipart\/alternative/);
    assert.ok(got.body.includes(`please follow\r\n${SECRET_LINK}\r\n`), got.body);
    assert.ok(got.body.includes(`<a href="${SECRET_LINK}">${SECRET_LINK}</a>`), got.body);
    assert.deepEqual([got.secure, got.user], [false, undefined]);
    assert.deepEqual(installation.troubles, []);
  });

  test('mail of a change that is taken back is never sent', async (t) => {
    const { database } = await openMigratedDatabase(t, kind);
    const server = await startMailServer(t);
    const { mail, send } = new Installation().node(t, database, server.url);
    await assert.rejects(
      database.transaction(async (tx) => {
        await mail.queue(tx, message);
        throw new Error('no');
      }),
    );
    await send();
    assert.equal(server.received.length, 0);
  });

  test('nothing of the content is in the table, and a changed row is not sent', async (t) => {
    const { database } = await openMigratedDatabase(t, kind);
    const server = await startMailServer(t);
    const installation = new Installation();
    const { mail, send } = installation.node(t, database, server.url);
    await queue(database, mail);
    const rows = JSON.stringify(await queued(database));
    assert.equal(/secret|invitation|Hello|Join/i.test(rows), false, rows);
    // Whoever can write the table would like to have the link.
    await database.transaction(async (tx) => {
      await tx.updateTable('outgoing_mail').set({ recipient: 'thief@example.net' }).execute();
    });
    await queue(database, mail);
    await send();
    assert.deepEqual(
      server.received.map(({ to }) => to),
      [[message.to]],
    );
    assert.equal((await queued(database)).length, 0);
    assert.deepEqual(installation.troubles, [
      'mail to example.net was given up at attempt 1: the encrypted value was changed, moved or encrypted with another key',
    ]);
  });

  test('mail that was queued before a crash is sent by the next start', async (t) => {
    const opened = await openMigratedDatabase(t, kind);
    const server = await startMailServer(t);
    const installation = new Installation();
    await queue(opened.database, installation.node(t, opened.database, server.url).mail);
    const { work } = installation.node(t, await opened.reopen(), server.url);
    work.start();
    await eventually('it is sent', async () => (await queued(opened.database)).length === 0);
    assert.equal(server.received.length, 1);
  });

  test('a crash after the server has accepted: once more, recognisably the same', async (t) => {
    const opened = await openMigratedDatabase(t, kind);
    let hasCrashed = false;
    const server = await startMailServer(t, {
      async onMessage() {
        if (!hasCrashed) await opened.reopen();
        hasCrashed = true;
      },
    });
    const installation = new Installation();
    const before = installation.node(t, opened.database, server.url);
    await queue(opened.database, before.mail);
    await before.send();
    assert.equal((await queued(opened.database)).length, 1);
    const { send } = installation.node(t, opened.database, server.url);
    // The lease of the one that crashed.
    assert.equal(await send(), false);
    installation.clock.advance(LEASE_MS);
    assert.equal(await send(), true);
    const ids = server.received.map(({ headers }) => headers.get('message-id'));
    assert.equal(ids.length, 2);
    assert.equal(new Set(ids).size, 1);
    assert.equal((await queued(opened.database)).length, 0);
    installation.assertNothingLeaked();
  });

  test('several nodes send each message once', async (t) => {
    const { database } = await openMigratedDatabase(t, kind);
    const server = await startMailServer(t);
    const installation = new Installation();
    const nodes = [1, 2, 3].map(() => installation.node(t, database, server.url));
    const addresses = Array.from({ length: 25 }, (_, i) => `person${i + 10}@example.com`);
    for (const to of addresses) await queue(database, (nodes[0] as Node).mail, { to });
    await Promise.all(nodes.map(({ send }) => send()));
    assert.deepEqual(server.received.flatMap(({ to }) => to).sort(), addresses);
  });

  test('a server that is down is tried with one message, and gets all when it is up', async (t) => {
    const { database } = await openMigratedDatabase(t, kind);
    const down = await startMailServer(t);
    await down.stop();
    const installation = new Installation();
    const { mail, send } = installation.node(t, database, down.url);
    for (const to of ['a@example.com', 'b@example.com', 'c@example.com']) {
      await queue(database, mail, { to });
    }
    await send();
    const attempts = (await queued(database)).map((row) => row.attempts);
    assert.deepEqual(
      attempts.sort((a, b) => a - b),
      [0, 0, 1],
    );
    assert.deepEqual(installation.troubles, [
      'mail to example.com was not sent at attempt 1, next in 1 min: ESOCKET ECONNREFUSED CONN (127.0.0.1:' +
        `${down.port}): nothing accepts connections: check the host and the port in LATCHKEY_SMTP_URL`,
    ]);
    const up = await startMailServer(t, { port: down.port });
    await send();
    assert.equal(up.received.length, 2);
    installation.clock.advance(MINUTE_MS - 1);
    await send();
    assert.equal(up.received.length, 2);
    installation.clock.advance(1);
    await send();
    assert.equal(up.received.length, 3);
    assert.equal((await queued(database)).length, 0);
  });

  test('the gaps between attempts grow to an hour, and end after two days', async (t) => {
    const { database } = await openMigratedDatabase(t, kind);
    const server = await startMailServer(t);
    await server.stop();
    const installation = new Installation();
    const { clock, troubles } = installation;
    const { mail, send } = installation.node(t, database, server.url);
    const startMs = clock.now();
    await queue(database, mail);
    const gapsMin: number[] = [];
    for (;;) {
      await send();
      const [row] = await queued(database);
      if (row === undefined) break;
      const gapMs = row.next_attempt_at - clock.now();
      gapsMin.push(gapMs / MINUTE_MS);
      clock.advance(gapMs);
    }
    assert.deepEqual(gapsMin.slice(0, 9), [1, 2, 4, 8, 16, 32, 60, 60, 60]);
    assert.equal(Math.max(...gapsMin), 60);
    const ageMs = clock.now() - startMs;
    assert.ok(ageMs >= GIVE_UP_AFTER_MS && ageMs < GIVE_UP_AFTER_MS + HOUR_MS);
    const last = `mail to example.com was given up at attempt ${gapsMin.length + 1}: ESOCKET ECONNREFUSED CONN (`;
    assert.equal(troubles.at(-1)?.slice(0, last.length), last);
    installation.assertNothingLeaked();
  });

  test('mail is given up at two days, and a moment earlier it is not', async (t) => {
    const { database } = await openMigratedDatabase(t, kind);
    const server = await startMailServer(t, {
      onRcptTo: ({ address }, _session, callback) => callback(refusal(550, '5.7.1', address)),
    });
    const installation = new Installation();
    const { mail, send } = installation.node(t, database, server.url);
    await queue(database, mail, { to: 'old@example.com' });
    installation.clock.advance(1);
    await queue(database, mail, { to: 'young@example.com' });
    installation.clock.advance(GIVE_UP_AFTER_MS - 1);
    await send();
    assert.deepEqual(
      (await queued(database)).map((row) => row.recipient),
      ['young@example.com'],
    );
  });

  test('a refused recipient keeps nobody else waiting', async (t) => {
    const { database } = await openMigratedDatabase(t, kind);
    const server = await startMailServer(t, {
      onRcptTo({ address }, _session, callback) {
        if (address.startsWith('someone.private.gone')) callback(refusal(550, '5.1.1', address));
        else if (address.startsWith('someone.private')) callback(refusal(550, '5.7.1', address));
        else callback();
      },
    });
    const installation = new Installation();
    const { mail, send } = installation.node(t, database, server.url);
    for (const name of ['someone.private.gone', 'someone.private', 'other']) {
      await queue(database, mail, { to: `${name}@example.com` });
      installation.clock.advance(1);
    }
    await send();
    assert.deepEqual(
      server.received.map(({ to }) => to),
      [['other@example.com']],
    );
    // An address that does not exist never will; a refusal for another reason may end.
    assert.deepEqual(
      (await queued(database)).map((row) => row.recipient),
      [message.to],
    );
    assert.deepEqual(installation.troubles, [
      'mail to example.com was given up at attempt 1: EENVELOPE RCPT TO 550 5.1.1',
      'mail to example.com was not sent at attempt 1, next in 1 min: EENVELOPE RCPT TO 550 5.7.1',
    ]);
    installation.assertNothingLeaked();
  });

  test('without a mail server nothing is queued, and what was is given up in time', async (t) => {
    const { database } = await openMigratedDatabase(t, kind);
    const server = await startMailServer(t);
    const installation = new Installation();
    await queue(database, installation.node(t, database, server.url).mail);
    const { mail, send } = installation.node(t, database, undefined);
    assert.equal(mail.isConfigured, false);
    await assert.rejects(queue(database, mail), new Error('mail is not configured'));
    mail.kick();
    await send();
    assert.equal((await queued(database)).length, 1);
    installation.clock.advance(GIVE_UP_AFTER_MS);
    await send();
    assert.equal((await queued(database)).length, 0);
    assert.match(
      installation.troubles.join(),
      /given up at attempt 2: no mail server is configured$/,
    );
  });

  test('addresses and subjects that could hold more than one are refused', async (t) => {
    const { database } = await openMigratedDatabase(t, kind);
    const { mail } = new Installation().node(t, database, 'smtp://127.0.0.1:1');
    const addresses = ['', 'a', '@b', 'a@', 'a@b,c@d', 'a@b\r\nBcc: c@d', 'a@b\n', '<a@b>', 'a @b'];
    for (const to of [...addresses, 'X <a@b>', 'a@b c', `${'a'.repeat(65)}@b`, 'a@b@c', '"a"@b']) {
      await assert.rejects(queue(database, mail, { to }), TypeError, to);
    }
    for (const subject of ['a\r\nBcc: c@d', 'a\nb', 'a\rb', 'a\0', 'a\u2028b', 'x'.repeat(251)]) {
      await assert.rejects(queue(database, mail, { subject }), TypeError, subject);
    }
    await assert.rejects(queue(database, mail, { text: 'x'.repeat(50_001) }), TypeError);
    assert.equal((await queued(database)).length, 0);
    await queue(database, mail, { subject: 'x'.repeat(250), text: 'x'.repeat(50_000) });
    // Half a surrogate pair, as JSON can bring one, is no reason to fail.
    await queue(database, mail, { subject: '\ud83d', text: '\ud83d' });
    assert.equal((await queued(database)).length, 2);
  });

  test('stopping during a delivery does not count as an attempt', async (t) => {
    const { database } = await openMigratedDatabase(t, kind);
    const arrived = Promise.withResolvers<void>();
    const server = await startMailServer(t, {
      onRcptTo: () => arrived.resolve(),
    });
    const installation = new Installation();
    const { mail, send, work } = installation.node(t, database, server.url);
    await queue(database, mail);
    const sending = send();
    await arrived.promise;
    await work.stop();
    await sending;
    assert.deepEqual(
      (await queued(database)).map((row) => row.attempts),
      [0],
    );
    assert.deepEqual(installation.troubles, []);
  });
});
