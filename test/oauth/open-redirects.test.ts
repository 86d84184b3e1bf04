import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { REDIRECT_URI } from '../support/authorizations.ts';
import { onEachDatabase } from '../support/databases.ts';
import { bootWithKeys, issueIdToken } from '../support/id-tokens.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { createPerson } from '../support/people.ts';
import type { Answer, Json } from '../support/server.ts';
import { Visitor, hiddenFields, readPage, redirectOf } from '../support/visitor.ts';
import {
  type Fields,
  authFields,
  authPath,
  errorOf,
  giveSession,
  signInPathOf,
  signedIn,
} from './authorizing.ts';
import { createClient } from './client-bodies.ts';
import { setClient } from './consent-form.ts';

const AFTER = 'https://app.example.com/bye';

/** Parameters that make a request wrong, each with the error. */
const WRONG: [Fields, string][] = [
  [{ response_type: 'zzz' }, 'unsupported_response_type'],
  [{ response_type: undefined }, 'invalid_request'],
  [{ scope: 'tags.unknown' }, 'invalid_scope'],
  [{ prompt: 'none login' }, 'invalid_request'],
  [{ prompt: 'none' }, 'login_required'],
  [{ max_age: 'x' }, 'invalid_request'],
  [{ code_challenge: 'x', code_challenge_method: 'plain' }, 'invalid_request'],
  [{ code_challenge_method: 'S256' }, 'invalid_request'],
  [{ request: 'x' }, 'request_not_supported'],
  [{ resource: 'x' }, 'invalid_target'],
  [{ id_token_hint: 'x' }, 'invalid_request'],
];

onEachDatabase((database) => {
  const clock = new ManualClock();
  let bench: Awaited<ReturnType<typeof bootWithKeys>>;
  let client: Json;
  before(async () => {
    bench = await bootWithKeys(database, { clock });
    client = await createClient(bench.server, {
      post_logout_redirect_uris: [AFTER],
      scopes: ['tags.read'],
    });
  });
  after(() => bench.server.stop());

  /** Nobody is sent anywhere. */
  function assertPage(answer: Answer, title?: string): void {
    assert.equal(answer.headers.get('location'), null, String(answer.headers.get('location')));
    assert.equal(answer.headers.get('refresh'), null);
    if (title !== undefined) assert.equal(readPage(answer).title, title);
  }

  async function stranger(): Promise<Visitor> {
    const { userId } = await createPerson(bench.server);
    const visitor = new Visitor(bench.server);
    await giveSession(bench.server, clock, visitor, userId);
    return visitor;
  }

  for (const [fields, error] of WRONG) {
    test(`${JSON.stringify(fields)}: a page, but for members and public clients`, async () => {
      const { server } = bench;
      const path = authPath(client, fields);
      const anyone = [new Visitor(server), await stranger()];
      for (const visitor of anyone) {
        assertPage(await visitor.open(path));
        const sent = await visitor.post('/oauth2/auth', authFields(client, fields));
        const own = sent.headers.get('location') ?? '';
        const isOwn = own.startsWith('/oauth2/auth/resume?');
        assertPage(isOwn ? await visitor.open(own) : sent);
      }
      const { visitor: member } = await signedIn(server, clock);
      if (error !== 'login_required') errorOf(await member.open(path), error);
      const known = await createClient(server, { scopes: ['tags.read'] });
      await setClient(server, known, { visibility: 'public' });
      errorOf(await new Visitor(server).open(authPath(known, fields)), error);
    });
  }

  test('the page names the error for the developer', async () => {
    const answer = await new Visitor(bench.server).open(authPath(client, { response_type: 'zzz' }));
    assert.equal(answer.status, 400);
    assertPage(answer, 'Invalid authorization request');
    assert.match(answer.text, /response_type/);
  });

  test('a request that was good is no open redirect when its client changes', async () => {
    const changing = await createClient(bench.server, { scopes: ['tags.read', 'tags.write'] });
    const visitor = new Visitor(bench.server);
    const path = authPath(changing, { scope: 'openid tags.write' });
    const { resume } = signInPathOf(await visitor.open(path));
    await setClient(bench.server, changing, { scopes: ['openid', 'tags.read'] });
    assertPage(await visitor.open(resume), 'Invalid authorization request');
    const { visitor: member } = await signedIn(bench.server, clock);
    errorOf(await member.open(resume), 'invalid_scope');
  });

  test('logout: only members and public clients lead back without a click', async () => {
    const { server, keys } = bench;
    const attacker = await createPerson(server, { accountId: server.accountId });
    const hint = await issueIdToken(server, keys, { userId: attacker.userId, client, clock });
    for (const fields of [{ client_id: client.client_id as string }, { id_token_hint: hint }]) {
      const query = { ...fields, post_logout_redirect_uri: AFTER, state: '1' };
      const path = `/oauth2/logout?${new URLSearchParams(query).toString()}`;
      const gone = await new Visitor(server).open(path);
      assertPage(gone, 'You are signed out');
      assert.ok(gone.text.includes(`href="${AFTER}?state=1"`), gone.text);
      assert.match(gone.text, /Continue to app\.example\.com\s*</);
      const visitor = await stranger();
      const asked = await visitor.open(path);
      assertPage(asked, 'Sign out?');
      const left = await visitor.post('/oauth2/logout', hiddenFields(asked.text));
      assertPage(left, 'You are signed out');
      const { visitor: member } = await signedIn(server, clock);
      const page = await member.open(path);
      assertPage(page, 'Sign out?');
      const done = await member.post('/oauth2/logout', hiddenFields(page.text));
      assert.deepEqual(redirectOf(done), [303, `${AFTER}?state=1`]);
    }
  });

  test('no request of a private client sends a stranger to it', async () => {
    const { server } = bench;
    const visitors = [new Visitor(server), await stranger()];
    const text = fc.oneof(
      fc.constantFrom('none', 'login', 'code', 'openid', 'x', '', 'query', 'fragment', '0'),
      fc.string({ maxLength: 12 }),
    );
    const names = [
      'response_type',
      'scope',
      'prompt',
      'max_age',
      'state',
      'nonce',
      'response_mode',
    ];
    const fields = fc.dictionary(fc.constantFrom(...names, 'request_uri', 'ui_locales'), text);
    await fc.assert(
      fc.asyncProperty(fields, fc.nat(1), fc.boolean(), async (changes, who, isForm) => {
        const visitor = visitors[who] ?? new Visitor(server);
        const sent = authFields(client, changes);
        const answer = isForm
          ? await visitor.post('/oauth2/auth', sent)
          : await visitor.open(authPath(client, changes));
        const location = answer.headers.get('location') ?? '';
        assert.ok(location === '' || /^\/(?!\/)/.test(location), location);
        assert.ok(!location.startsWith(REDIRECT_URI));
        assert.ok(answer.status < 500);
      }),
      { numRuns: 150 },
    );
  });
});
