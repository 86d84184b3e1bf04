import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { issueResetLink } from '../../src/iam/passwords/issue-reset-link.ts';
import { updateUser } from '../../src/iam/users/user-store.ts';
import { codeAt, enrol } from '../support/authenticator-app.ts';
import { onEachDatabase } from '../support/databases.ts';
import {
  CALLBACK,
  cookiesOf,
  depart,
  getPage,
  makeRoundTrip,
} from '../support/external-sign-in.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { startFakeProvider, startOpenIdProvider } from '../support/openid-provider.ts';
import { createPerson, hashPassword } from '../support/people.ts';
import { type Answer, type TestServer, bootServer } from '../support/server.ts';
import { Visitor, hiddenFields, readPage, redirectOf } from '../support/visitor.ts';

const PASSWORD = 'blue kettle on the roof';
const REPEATED_MS = 60_000;

/** A form that a browser has opened, filled in and not sent yet. */
interface FilledForm {
  visitor: Visitor;
  action: string;
  fields: Record<string, string>;
}

/** Forms that work once: a browser that sends one again gets the response of the first time. */
onEachDatabase((database) => {
  const clock = new ManualClock();
  let server: TestServer;
  before(async () => {
    server = await bootServer(database, { clock });
  });
  after(() => server.stop());

  /** Sends a form with the cookies that the browser had when it opened the page. */
  async function sendAgain({ visitor, action, fields }: FilledForm): Promise<Answer> {
    const now = new Map(visitor.cookies);
    visitor.cookies.clear();
    const old = opened.get(visitor) ?? new Map<string, string>();
    for (const [name, value] of old) visitor.cookies.set(name, value);
    const answer = await visitor.post(action, fields);
    visitor.cookies.clear();
    for (const [name, value] of now) visitor.cookies.set(name, value);
    return answer;
  }

  const opened = new WeakMap<Visitor, Map<string, string>>();

  async function fill(
    visitor: Visitor,
    path: string,
    fields: Record<string, string>,
  ): Promise<FilledForm> {
    const page = await visitor.open(path);
    assert.equal(page.status, 200, page.text);
    opened.set(visitor, new Map(visitor.cookies));
    const [action = ''] = path.split('?');
    return { visitor, action, fields: { ...hiddenFields(page.text), ...fields } };
  }

  const forms: Record<string, (visitor: Visitor) => Promise<FilledForm>> = {
    async 'invitation of a new user'(visitor) {
      const body = { email: `${crypto.randomUUID()}@example.com`, roles: [await memberRole()] };
      const invited = await server.call('POST', `${server.account}/members`, { body });
      assert.equal(invited.status, 200, invited.text);
      const url = new URL(invited.json.result.invitation_url as string);
      const path = `${url.pathname}${url.search}&return_to=%2Fdocs`;
      return fill(visitor, path, { new_password: PASSWORD, first_name: 'Ada' });
    },
    async 'password reset'(visitor) {
      const { userId } = await createPerson(server, { password: PASSWORD });
      const link = await server.app.database.transaction((tx) =>
        issueResetLink(tx, '', userId, clock.now(), null),
      );
      return fill(visitor, link, { new_password: 'seven green umbrellas' });
    },
    async 'second factor'(visitor) {
      const { email, userId, secret } = await enrol(server, clock);
      const passwordHash = await hashPassword(PASSWORD);
      await server.app.database.transaction((tx) => updateUser(tx, userId, { passwordHash }));
      await visitor.submit('/login?return_to=%2Fdocs', { email, password: PASSWORD });
      clock.advance(30_000);
      const code = codeAt(secret, clock.now());
      return fill(visitor, '/login/second-factor?return_to=%2Fdocs', { code });
    },
  };

  async function memberRole(): Promise<string> {
    const { json } = await server.call('GET', `${server.account}/roles`);
    const role = json.result.find(({ name }: { name: string }) => name === 'Member');
    return role.id as string;
  }

  /** Returns true if the cookies of a response sign somebody in. */
  async function signsIn(answer: Answer): Promise<boolean> {
    // The page leads on if somebody is signed in.
    const { status } = await getPage(server, '/login', cookiesOf(answer));
    return status === 303;
  }

  for (const [name, open] of Object.entries(forms)) {
    describe(name, () => {
      test('two requests at once get the same response, and so does a later one', async () => {
        const form = await open(new Visitor(server));
        const answers = await Promise.all([
          sendAgain(form),
          form.visitor.post(form.action, form.fields),
        ]);
        clock.advance(REPEATED_MS - 1);
        answers.push(await sendAgain(form));
        const [first] = answers;
        assert.ok(first);
        assert.equal(first.status, 303, first.text);
        for (const answer of answers) {
          assert.deepEqual(redirectOf(answer), redirectOf(first));
          assert.deepEqual(cookiesOf(answer), cookiesOf(first));
        }
        assert.equal(await signsIn(first), true);
        clock.advance(1);
        const late = await sendAgain(form);
        assert.equal(cookiesOf(late).has('latchkey_session'), false);
      });

      test('another browser, another value and another token get nothing', async () => {
        const form = await open(new Visitor(server));
        assert.equal((await form.visitor.post(form.action, form.fields)).status, 303);
        const stranger = new Visitor(server);
        await stranger.open('/login');
        opened.set(stranger, new Map(stranger.cookies));
        const { form_token: strangerToken } = hiddenFields((await stranger.open('/login')).text);
        const attempts: FilledForm[] = [
          { ...form, visitor: stranger },
          {
            ...form,
            visitor: stranger,
            fields: { ...form.fields, form_token: strangerToken ?? '' },
          },
          { ...form, fields: { ...form.fields, form_token: 'x' } },
          ...('new_password' in form.fields
            ? [{ ...form, fields: { ...form.fields, new_password: 'twelve yellow buckets' } }]
            : []),
          'code' in form.fields
            ? { ...form, fields: { ...form.fields, code: '000000' } }
            : { ...form, fields: { ...form.fields, token: `${form.fields.token}x` } },
        ];
        for (const attempt of attempts) {
          const answer = await sendAgain(attempt);
          assert.equal(await signsIn(answer), false, answer.text);
        }
      });
    });
  }

  test('a second factor that is sent twice counts as no wrong code', async () => {
    const open = forms['second factor'];
    assert.ok(open);
    const form = await open(new Visitor(server));
    await Promise.all(Array.from({ length: 8 }, () => sendAgain(form)));
    const wrong = await server.app.database.read
      .selectFrom('audit_logs')
      .select('id')
      .where('action_description', '=', 'Entered a wrong code')
      .execute();
    assert.deepEqual(wrong, []);
  });

  test('an existing user who accepts an invitation twice comes to the same place', async () => {
    const { email } = await createPerson(server, { password: PASSWORD });
    const body = { email, roles: [await memberRole()] };
    const invited = await server.call('POST', `${server.account}/members`, { body });
    const url = new URL(invited.json.result.invitation_url as string);
    const visitor = new Visitor(server);
    await visitor.submit('/login', { email, password: PASSWORD });
    const form = await fill(visitor, `${url.pathname}${url.search}&return_to=%2Fdocs`, {});
    const answers = await Promise.all([sendAgain(form), sendAgain(form)]);
    answers.push(await sendAgain(form));
    for (const answer of answers) assert.deepEqual(redirectOf(answer), [303, '/docs']);
    clock.advance(REPEATED_MS);
    assert.equal(readPage(await sendAgain(form)).status, 400);
  });

  describe('single sign-on', () => {
    test('two tabs finish in either order, and a callback can be loaded again', async (t) => {
      const provider = await startOpenIdProvider(t);
      const sso = await bootServer(database, { settings: provider.settings });
      t.after(() => sso.stop());
      const { email } = await createPerson(sso, { accountId: sso.accountId });
      provider.person = { subject: 's', email, email_verified: true };
      for (const order of [
        [0, 1],
        [1, 0],
      ]) {
        const tabs = [
          await makeRoundTrip(sso, provider, '/docs?tab=0'),
          await makeRoundTrip(sso, provider, '/docs?tab=1'),
        ];
        const jar = new Map(tabs.flatMap(({ cookies }) => [...cookies]));
        assert.equal(jar.size, 2);
        for (const index of order) {
          const path = tabs[index]?.path ?? '';
          const answer = await getPage(sso, path, jar);
          assert.deepEqual(redirectOf(answer), [303, `/docs?tab=${index}`], answer.text);
          for (const [name, value] of cookiesOf(answer)) jar.set(name, value);
        }
        for (const index of order) {
          const again = await getPage(sso, tabs[index]?.path ?? '', jar);
          assert.deepEqual(redirectOf(again), [303, `/docs?tab=${index}`], again.text);
        }
        // Signed out, the callback leads to a new sign-in.
        const out = new Map([...jar].filter(([name]) => name.includes('external')));
        const [status, location] = redirectOf(await getPage(sso, tabs[0]?.path ?? '', out));
        assert.equal(status, 303);
        assert.match(String(location), /^\/login/);
      }
    });

    test('a callback that is loaded twice at once signs in once', async (t) => {
      const provider = await startOpenIdProvider(t);
      const sso = await bootServer(database, { settings: provider.settings });
      t.after(() => sso.stop());
      const { email } = await createPerson(sso, { accountId: sso.accountId });
      provider.person = { subject: 's', email, email_verified: true };
      const { path, cookies } = await makeRoundTrip(sso, provider, '/docs');
      const requests = provider.requests.length;
      const answers = await Promise.all(
        Array.from({ length: 4 }, () => getPage(sso, path, cookies)),
      );
      for (const answer of answers)
        assert.deepEqual(redirectOf(answer), [303, '/docs'], answer.text);
      const sessions = answers.map((answer) => cookiesOf(answer).get('__Host-latchkey_session'));
      assert.equal(new Set(sessions).size, 1);
      const redeemed = provider.requests.slice(requests).filter((line) => line.includes('/token'));
      assert.equal(redeemed.length, 1);
    });

    test('a refusal and a failure are repeated too, without a second request', async (t) => {
      const provider = await startFakeProvider(t);
      const sso = await bootServer(database, { settings: provider.settings });
      t.after(() => sso.stop());
      const { cookies, url } = await depart(sso);
      provider.claims = { nonce: url.searchParams.get('nonce') };
      const state = url.searchParams.get('state') ?? '';
      const path = `${CALLBACK}?${new URLSearchParams({ code: 'c', state }).toString()}`;
      const answers = await Promise.all([getPage(sso, path, cookies), getPage(sso, path, cookies)]);
      for (const answer of answers) assert.equal(readPage(answer).title, 'You have no invitation');
      assert.equal(provider.requests.filter((line) => line === 'POST /token').length, 1);
    });

    test('a browser keeps the latest five attempts, within the limit of headers', async (t) => {
      const provider = await startFakeProvider(t);
      const sso = await bootServer(database, { settings: provider.settings });
      t.after(() => sso.stop());
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.integer({ min: 1, max: 2_499 }), { minLength: 1, maxLength: 9 }),
          async (lengths) => {
            const jar = new Map<string, string>();
            for (const length of lengths) {
              const begin = `/login/external?return_to=%2F${'x'.repeat(length)}`;
              const begun = await getPage(sso, begin, jar);
              assert.equal(begun.status, 303, begun.text);
              for (const line of begun.headers.getSetCookie()) {
                const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
                if (value === '') jar.delete(name);
                else jar.set(name, value);
              }
            }
            const bytes = [...jar].reduce(
              (sum, [name, value]) => sum + name.length + value.length,
              0,
            );
            assert.ok(jar.size >= Math.min(lengths.length, 2) && jar.size <= 5, String(jar.size));
            assert.ok(bytes <= 8_000, String(bytes));
          },
        ),
        { numRuns: 8 },
      );
    });
  });
});
