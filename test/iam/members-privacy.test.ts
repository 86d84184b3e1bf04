import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { findRoleBySlug } from '../../src/iam/roles.ts';
import { onEachDatabase } from '../support/databases.ts';
import { eventually } from '../support/eventually.ts';
import { startMailServer } from '../support/mail-server.ts';
import { createPerson } from '../support/people.ts';
import { type Json, type TestServer, bootServer } from '../support/server.ts';
import { Visitor } from '../support/visitor.ts';

const ROLES = [findRoleBySlug('member')?.id ?? ''];
const PASSWORD = 'a kettle whistles in the attic';

/** The responses to an inviter reveal nothing about a person who has not accepted. */
onEachDatabase((database) => {
  let server: TestServer;
  before(async () => {
    server = await bootServer(database);
  });
  after(() => server.stop());

  const members = (id = '') => `${server.account}/members${id}`;

  async function result(method: string, path: string, body?: object): Promise<Json> {
    const { json, text } = await server.call(method, path, body && { body });
    assert.equal(json.success, true, text);
    return json.result;
  }

  /** Everything that the API says of an invitation, from its begin to its withdrawal. */
  async function answersFor(email: string): Promise<Json[]> {
    const invited = await result('POST', members(), { email, roles: ROLES });
    const path = members(`/${invited.id}`);
    const answers = [
      invited,
      await result('GET', path),
      await result('PUT', path, { roles: [{ id: ROLES[0] }] }),
      await result('POST', `${path}/invitation`),
      (await result('GET', `${members()}?status=pending`)).find(
        ({ id }: Json) => id === invited.id,
      ),
    ];
    await result('DELETE', path);
    return answers;
  }

  /** The same without what differs between any two invitations. */
  const shapeOf = (answers: Json[], email: string): string =>
    JSON.stringify(answers)
      .replaceAll(email, 'EMAIL')
      .replaceAll(/[0-9a-f]{32}/g, 'ID')
      .replaceAll(/lkiv_\w+/g, 'SECRET')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME');

  test('the answers do not show whether the person exists, nor how they spell the address', async () => {
    const { userId, email } = await createPerson(server, {
      email: 'Quentin.Known@example.com',
      password: PASSWORD,
      firstName: 'Quentin',
    });
    const typed = 'QUENTIN.known@example.com';
    const known = await answersFor(typed);
    const again = await answersFor(typed);
    const unknown = await answersFor('nobody.known@example.com');
    assert.equal(shapeOf(known, typed), shapeOf(unknown, 'nobody.known@example.com'));
    assert.equal(shapeOf(again, typed), shapeOf(known, typed));
    for (const text of [known, again].map((answers) => JSON.stringify(answers))) {
      assert.ok(!text.includes(userId) && !text.includes(email) && !text.includes('"Quentin'));
    }
    assert.equal(known[0].email, typed);
    assert.deepEqual(known[0].user, {
      email: typed,
      first_name: null,
      last_name: null,
      two_factor_authentication_enabled: false,
      locked: false,
    });
    const range = 'since=2020-01-01&before=2100-01-01&limit=1000';
    const log = await server.call('GET', `${server.account}/logs/audit?${range}`);
    assert.ok(log.text.includes(typed));
    assert.ok(!log.text.includes(userId) && !log.text.includes(email));
  });

  test('whatever the spelling, the answers for a person and for nobody are the same', async () => {
    const { userId } = await createPerson(server, { email: 'casey@example.com' });
    const spelling = (name: string) =>
      fc
        .array(fc.boolean(), { minLength: name.length, maxLength: name.length })
        .map((upper) =>
          name.replaceAll(/./g, (letter, i: number) =>
            upper[i] === true ? letter.toUpperCase() : letter,
          ),
        );
    await fc.assert(
      fc.asyncProperty(spelling('casey'), spelling('nobdy'), async (one, two) => {
        const [known, unknown] = [`${one}@example.com`, `${two}@example.com`];
        const answers = await answersFor(known);
        assert.equal(shapeOf(answers, known), shapeOf(await answersFor(unknown), unknown));
        assert.ok(!JSON.stringify(answers).includes(userId));
      }),
      { numRuns: 10 },
    );
  });

  test('once accepted, the member has an id and the spelling of the person', async (t) => {
    const mail = await startMailServer(t);
    const mailing = await bootServer(database, {
      settings: { SMTP_URL: mail.url, MAIL_FROM: 'no-reply@example.com' },
    });
    t.after(() => mailing.stop());
    const { userId, email } = await createPerson(mailing, {
      email: 'Robin@example.com',
      password: PASSWORD,
    });
    const path = `${mailing.account}/members`;
    const body = { email: 'ROBIN@example.com', roles: ROLES };
    const { id } = (await mailing.call('POST', path, { body })).json.result;
    await eventually('the mail arrives', async () => mail.received.length === 1);
    // To the mailbox that the person has confirmed.
    assert.deepEqual(mail.received[0]?.to, [email]);
    const [link = ''] = /\/invitation\?token=\w+/.exec(mail.received[0]?.body ?? '') ?? [];
    const visitor = new Visitor(mailing);
    await visitor.signIn(email, PASSWORD);
    assert.equal((await visitor.submit(link)).status, 303);
    const { user, email: shown } = (await mailing.call('GET', `${path}/${id}`)).json.result;
    assert.deepEqual([shown, user.email, user.id], [email, email, userId]);
  });
});
