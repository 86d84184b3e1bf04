import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { SUPER_ADMINISTRATOR, findRoleBySlug, roles } from '../../src/iam/roles.ts';
import { lockOutUser, readmitUser } from '../../src/iam/users/lock-out.ts';
import { createId } from '../../src/lib/ids.ts';
import { onEachDatabase } from '../support/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { type SessionHeaders, createPerson, firstPerson, signInAs } from '../support/people.ts';
import { type Answer, type Json, type TestServer, bootServer } from '../support/server.ts';

const roleId = (slug: string): string => findRoleBySlug(slug)?.id ?? '';

onEachDatabase((database) => {
  const clock = new ManualClock();
  let server: TestServer;
  let members: string;
  before(async () => {
    server = await bootServer(database, { clock });
    members = `${server.account}/members`;
  });
  after(() => server.stop());

  const as = (headers: SessionHeaders, method: string, path: string, body?: unknown) =>
    server.call(method, path, { token: null, headers, body });

  const signIn = (userId: string) => signInAs(server, userId, clock);

  const join = (roles: string[], names = {}) =>
    createPerson(server, { accountId: server.accountId, roles, ...names });

  const invite = (email: string, roles: unknown = [roleId('member')], more = {}) =>
    server.call('POST', members, { body: { email, roles, ...more } });

  const update = (id: string | undefined, slugs: string[]) =>
    server.call('PUT', `${members}/${id}`, {
      body: { roles: slugs.map((slug) => ({ id: roleId(slug) })) },
    });

  function assertRefused(answer: Answer, status: number, code: number, pointer?: string): void {
    assert.deepEqual([answer.status, answer.code], [status, code], answer.text);
    if (pointer !== undefined) assert.equal(answer.json.errors[0].source.pointer, pointer);
  }

  test('get shows who it is and what the roles mean', async () => {
    const { userId, memberId, email } = await join(['tag-admin'], { firstName: 'Ada' });
    const { json } = await server.call('GET', `${members}/${memberId}`);
    const role = findRoleBySlug('tag-admin');
    assert.equal(json.result.roles[0].permissions.tags.write, true);
    assert.equal(json.result.roles[0].permissions.members.read, false);
    const { roles, policies, ...rest } = json.result;
    assert.deepEqual([roles[0].id, roles[0].name], [role?.id, 'Tag Admin']);
    assert.deepEqual(rest, {
      id: memberId,
      email,
      status: 'accepted',
      user: {
        id: userId,
        email,
        first_name: 'Ada',
        last_name: null,
        two_factor_authentication_enabled: false,
        locked: false,
      },
    });
    assert.equal(policies[0].access, 'allow');
    assert.deepEqual(
      policies[0].permission_groups.map(({ name }: Json) => name),
      ['Account Settings Read', 'Tags Write'],
    );
    assert.deepEqual(policies[0].resource_groups[0].scope, {
      key: `com.latchkey.api.account.${server.accountId}`,
      objects: [{ key: '*' }],
    });
  });

  test('two_factor_authentication_enabled follows from a confirmed factor', async () => {
    const { userId, memberId } = await join(['member']);
    const isEnabled = async (): Promise<boolean> => {
      const { json } = await server.call('GET', `${members}/${memberId}`);
      return json.result.user.two_factor_authentication_enabled;
    };
    const row = { user_id: userId, sealed_secret: '', created_at: 1, last_step: 0 };
    await server.app.database.transaction(async (tx) => {
      await tx
        .insertInto('totp_factors')
        .values({ ...row, confirmed_at: null })
        .execute();
    });
    assert.equal(await isEnabled(), false);
    await server.app.database.transaction(async (tx) => {
      await tx
        .updateTable('totp_factors')
        .set({ confirmed_at: 1 })
        .where('user_id', '=', userId)
        .execute();
    });
    assert.equal(await isEnabled(), true);
  });

  test('an invitation tells nothing about somebody who has not accepted', async () => {
    const { userId, email } = await createPerson(server, { firstName: 'Zoe', lastName: 'Zuse' });
    await server.app.database.transaction(async (tx) => {
      const factor = { user_id: userId, sealed_secret: '', created_at: 1, last_step: 0 };
      await tx
        .insertInto('totp_factors')
        .values({ ...factor, confirmed_at: 1 })
        .execute();
    });
    const { json } = await invite(email);
    const blank = {
      email,
      first_name: null,
      last_name: null,
      two_factor_authentication_enabled: false,
      locked: false,
    };
    assert.deepEqual(json.result.user, blank);
    const { id } = json.result;
    assert.deepEqual((await server.call('GET', `${members}/${id}`)).json.result.user, blank);
    // Nor does the order: who has a name that is shown comes later.
    await join(['member'], { firstName: 'Ada', lastName: 'Abel' });
    for (const field of ['first_name', 'last_name']) {
      const list = await server.call('GET', `${members}?per_page=1000&order=user.${field}`);
      const names = list.json.result.map(({ user }: Json) => user[field] ?? '');
      assert.deepEqual(names, names.toSorted());
      const found = list.json.result.find((member: Json) => member.id === id);
      assert.deepEqual(found.user, blank);
    }
    const accepted = { status: 'accepted' };
    await as(await signIn(userId), 'PUT', `/memberships/${id}`, accepted);
    assert.deepEqual((await server.call('GET', `${members}/${id}`)).json.result.user, {
      ...blank,
      id: userId,
      first_name: 'Zoe',
      last_name: 'Zuse',
      two_factor_authentication_enabled: true,
    });
  });

  test('who is locked out: the members of the account learn of it, who invites does not', async () => {
    const { userId, email, memberId } = await join(['member']);
    const stranger = await createPerson(server);
    const { database: storage } = server.app;
    for (const address of [email, stranger.email]) {
      await lockOutUser(storage, clock, address);
    }
    const isLocked = async (id: string | undefined): Promise<boolean> =>
      (await server.call('GET', `${members}/${id}`)).json.result.user.locked;
    assert.equal(await isLocked(memberId), true);
    const { json } = await server.call('GET', `${members}?per_page=1000`);
    const locked = json.result.filter(({ user }: Json) => user.locked);
    assert.deepEqual(
      locked.map(({ user }: Json) => user.id),
      [userId],
    );
    const invited = await invite(stranger.email);
    assert.equal(invited.json.result.user.locked, false);
    assert.equal(await isLocked(invited.json.result.id), false);
    await readmitUser(storage, clock, email);
    assert.equal(await isLocked(memberId), false);
  });

  test('list shows each as get does', async () => {
    await join(roles.map(({ slug }) => slug).filter((slug) => slug !== SUPER_ADMINISTRATOR));
    await join(['tag-admin', 'member']);
    const { json } = await server.call('GET', `${members}?per_page=1000`);
    for (const member of json.result) {
      assert.deepEqual((await server.call('GET', `${members}/${member.id}`)).json.result, member);
    }
  });

  test('list sorts and filters, in pages', async (t) => {
    const other = await bootServer(database, { clock });
    t.after(() => other.stop());
    const path = `${other.account}/members`;
    const first = await firstPerson(other);
    for (const [email, firstName, lastName] of [
      ['b@example.com', 'Ada', 'Zuse'],
      ['C@example.com', 'Carl', 'Abel'],
      ['a@example.com', undefined, undefined],
    ] as const) {
      await createPerson(other, {
        accountId: other.accountId,
        email,
        ...(firstName === undefined ? {} : { firstName, lastName }),
      });
    }
    await other.call('POST', path, { body: { email: 'd@x.org', roles: [roleId('member')] } });
    const list = async (query: string): Promise<string> => {
      const { json, text } = await other.call('GET', `${path}?${query}`);
      assert.equal(json.success, true, text);
      return json.result
        .map(({ email }: Json) => (email === first.email ? 'first' : email.split('@')[0]))
        .join();
    };
    const byEmail = await list('order=user.email');
    assert.equal(byEmail.replace('first,', '').replace(',first', ''), 'a,b,C,d');
    const reversed = byEmail.split(',').toReversed().join();
    assert.equal(await list('order=user.email&direction=desc'), reversed);
    assert.match(await list('order=user.first_name&status=accepted'), /b,C$/);
    assert.match(await list('order=user.last_name&status=accepted&direction=desc'), /^b,C/);
    assert.match(await list('order=status'), /d$/);
    assert.match(await list('order=status&direction=desc'), /^d/);
    assert.equal(await list('status=pending'), 'd');
    assert.equal(await list('status=rejected'), '');
    assert.equal((await list('status=accepted')).split(',').length, 4);
    assert.equal((await list('per_page=2&page=3')).split(',').length, 1);
    assert.equal(await list('per_page=2&page=4'), '');
    const { json } = await other.call('GET', `${path}?per_page=2&page=3`);
    assert.deepEqual(json.result_info, {
      page: 3,
      per_page: 2,
      count: 1,
      total_count: 5,
      total_pages: 3,
    });
    const rejected = await other.call('GET', `${path}?status=rejected`);
    assert.equal(rejected.json.result_info.total_count, 0);
  });

  test('list: wrong parameters', async () => {
    for (const query of ['per_page=1001', 'order=email', 'status=gone', 'direction=up']) {
      assertRefused(await server.call('GET', `${members}?${query}`), 400, 6010);
    }
    assert.equal((await server.call('GET', `${members}?per_page=1000`)).status, 200);
  });

  test('reading needs members.read, changing members.write', async () => {
    const { memberId } = await join(['member']);
    const reader = (await server.createToken(['members.read'])).value;
    const stranger = (await server.createToken(['account-settings.write', 'api-tokens.write']))
      .value;
    const one = `${members}/${memberId}`;
    for (const [method, path, body] of [
      ['GET', members],
      ['GET', one],
      ['POST', members, {}],
      ['PUT', one, {}],
      ['DELETE', one],
      ['POST', `${one}/invitation`],
    ] as const) {
      const call = (token: string | null) => server.call(method, path, { token, body });
      assertRefused(await call(stranger), 403, 10_000);
      assertRefused(await call(null), 401, 10_000);
      if (method === 'GET') assert.equal((await call(reader)).status, 200);
      else assertRefused(await call(reader), 403, 10_000);
    }
  });

  test('an id that no member of this account has is 404', async () => {
    const elsewhere = await createPerson(server, {});
    for (const id of [createId(), elsewhere.userId, 'nonsense']) {
      assertRefused(await server.call('GET', `${members}/${id}`), 404, 7003);
      assertRefused(await server.call('DELETE', `${members}/${id}`), 404, 7003);
      assertRefused(await update(id, ['member']), 404, 7003);
      assertRefused(await server.call('POST', `${members}/${id}/invitation`), 404, 7003);
    }
  });

  test('create: what a body may not have', async () => {
    const member = roleId('member');
    for (const [body, code, pointer] of [
      [{ roles: [member] }, 3001, '/email'],
      [{ email: 'nobody', roles: [member] }, 3001, '/email'],
      [{ email: 'a@b@c', roles: [member] }, 3001, '/email'],
      [{ email: `${'x'.repeat(245)}@example.com`, roles: [member] }, 3001, '/email'],
      [{ email: 'x@example.com' }, 3001, '/roles'],
      [{ email: 'x@example.com', roles: [] }, 3001, '/roles'],
      [{ email: 'x@example.com', roles: [member, createId()] }, 3025, '/roles/1'],
      [{ email: 'x@example.com', roles: [{ id: 'member' }] }, 3025, '/roles/0/id'],
      [{ email: 'x@example.com', roles: [member], status: 'rejected' }, 3001, '/status'],
      [{ email: 'x@example.com', roles: [member], name: 'x' }, 3002, '/name'],
      [{ email: 'x@example.com', policies: [] }, 3030, '/policies'],
      [{ email: 'x@example.com', roles: [member], policies: [] }, 3030, '/policies'],
    ] as const) {
      assertRefused(await server.call('POST', members, { body }), 400, code, pointer);
    }
    assertRefused(await server.call('POST', members, { body: '[' }), 400, 6007);
    const all = await invite('x@example.com', [createId(), createId()]);
    assert.equal(all.json.errors.length, 2);
  });

  test('update: what a body may not have', async () => {
    const { memberId } = await join(['member']);
    for (const [body, code, pointer] of [
      [{}, 3001, '/roles'],
      [{ roles: [] }, 3001, '/roles'],
      [{ roles: [{}] }, 3001, '/roles/0'],
      [{ roles: [{ id: createId() }] }, 3025, '/roles/0/id'],
      [{ policies: [] }, 3030, '/policies'],
      [{ roles: [roleId('member')], status: 'pending' }, 3001, '/status'],
    ] as const) {
      const answer = await server.call('PUT', `${members}/${memberId}`, { body });
      assert.equal(answer.status, 400, JSON.stringify(body));
      assert.ok(
        answer.json.errors.some(
          (error: Json) => error.code === code && error.source.pointer.startsWith(pointer),
        ),
        answer.text,
      );
    }
  });

  test('create: the same address again, in whatever spelling', async () => {
    const { email } = await join(['member']);
    assertRefused(await invite(email), 400, 3026, '/email');
    assertRefused(await invite(email.toUpperCase()), 400, 3026, '/email');
    assert.equal((await invite('Twice@example.com')).status, 200);
    assertRefused(await invite('tWICE@example.com'), 400, 3026, '/email');
  });

  test('create: roles once each, however they are named', async () => {
    const id = roleId('tag-admin');
    const { json } = await invite('named@example.com', [id, { id, name: 'x' }, roleId('member')]);
    assert.deepEqual(
      json.result.roles.map(({ name }: Json) => name),
      ['Tag Admin', 'Member'],
    );
  });

  test('new roles are in effect at once, and so is the removal', async () => {
    const { userId, memberId } = await join(['member']);
    const headers = await signIn(userId);
    const status = async () => (await as(headers, 'GET', members)).status;
    assert.equal(await status(), 403);
    const { json } = await update(memberId, ['administrator-read-only', 'tag-admin']);
    assert.deepEqual(
      json.result.roles.map(({ name }: Json) => name),
      ['Administrator Read Only', 'Tag Admin'],
    );
    assert.equal(await status(), 200);
    assert.equal((await update(memberId, ['tag-admin'])).status, 200);
    assert.equal(await status(), 403);
    assert.equal((await update(memberId, ['administrator-read-only'])).status, 200);
    const deleted = await server.call('DELETE', `${members}/${memberId}`);
    assert.deepEqual(deleted.json.result, { id: memberId });
    assert.equal(await status(), 403);
    assertRefused(await server.call('GET', `${members}/${memberId}`), 404, 7003);
  });

  test('the log tells of changes, and not of what changed nothing', async () => {
    const { memberId } = await join(['member']);
    const types = async (): Promise<string> => {
      const range = 'since=2020-01-01&before=2100-01-01&limit=1000&direction=asc';
      const { json } = await server.call('GET', `${server.account}/logs/audit?${range}`);
      return json.result
        .filter(({ resource }: Json) => resource.id === memberId)
        .map(({ action }: Json) => action.type)
        .join();
    };
    await update(memberId, ['member']);
    assert.equal(await types(), '');
    await update(memberId, ['tag-admin']);
    await server.call('DELETE', `${members}/${memberId}`);
    assert.equal(await types(), 'update,delete');
  });

  test('one Super Administrator always stays', async () => {
    const first = await firstPerson(server);
    const headers = await signIn(first.userId);
    const own = `${members}/${first.memberId}`;
    const demoted = { roles: [{ id: roleId('administrator') }] };
    assertRefused(await as(headers, 'PUT', own, demoted), 400, 3023);
    assertRefused(await as(headers, 'DELETE', own), 400, 3023);
    assertRefused(await as(headers, 'DELETE', `/memberships/${first.memberId}`), 400, 3023);
    // Who has not accepted does not count.
    const body = { email: 'next@example.com', roles: [roleId(SUPER_ADMINISTRATOR)] };
    assert.equal((await as(headers, 'POST', members, body)).status, 200);
    assertRefused(await as(headers, 'DELETE', own), 400, 3023);
    const second = await join([SUPER_ADMINISTRATOR]);
    assert.equal((await as(headers, 'PUT', own, demoted)).status, 200);
    const back = { roles: [{ id: roleId(SUPER_ADMINISTRATOR) }] };
    const others = await signIn(second.userId);
    assert.equal((await as(others, 'PUT', own, back)).status, 200);
  });

  test('of several Super Administrators who leave at once, one stays', async (t) => {
    const other = await bootServer(database, { clock });
    t.after(() => other.stop());
    const people = await Promise.all(
      Array.from({ length: 4 }, () =>
        createPerson(other, { accountId: other.accountId, roles: [SUPER_ADMINISTRATOR] }),
      ),
    );
    people.push(await firstPerson(other));
    const answers = await Promise.all(
      people.map(async ({ userId, memberId }) => {
        const headers = await signInAs(other, userId, clock);
        return other.call('DELETE', `/memberships/${memberId}`, { token: null, headers });
      }),
    );
    const codes = answers.map(({ code }) => code);
    assert.deepEqual(codes.filter(Boolean), [3023]);
    const { json } = await other.call('GET', `${other.account}/members`);
    assert.equal(json.result.length, 1);
  });
});
