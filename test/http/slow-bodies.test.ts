import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { findRoleBySlug } from '../../src/iam/roles.ts';
import { onEachDatabase } from '../support/databases.ts';
import { type SessionHeaders, createPerson, createUserToken, signInAs } from '../support/people.ts';
import { type RawAnswer, RawConnection, parseAnswer } from '../support/raw-connection.ts';
import { type TestServer, allowPolicy, bootServer } from '../support/server.ts';

const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';

/** A credential that is revoked while the body of its request is on its way. */
onEachDatabase((database) => {
  let server: TestServer;
  let tokens: string;
  before(async () => {
    server = await bootServer(database);
    tokens = `${server.account}/tokens`;
  });
  after(() => server.stop());

  const bearer = (value: string) => ({ authorization: `Bearer ${value}` });
  const successor = () => ({
    name: 'successor',
    policies: [allowPolicy(server.accountId, ['api-tokens.read'])],
  });

  /** Sends a request whose body is complete only after something else has happened. */
  async function send(
    [method, path]: readonly [method: string, path: string],
    headers: Record<string, string>,
    [first, rest]: readonly [first: string, rest: string],
    meanwhile: () => Promise<unknown>,
  ): Promise<RawAnswer> {
    const connection = new RawConnection(server.origin);
    const lines = Object.entries({
      host: 'a',
      connection: 'close',
      // The answer to it shows that the request has been let in.
      expect: '100-continue',
      'content-type': 'application/json',
      ...headers,
    }).map(([name, value]) => `${name}: ${value}\r\n`);
    connection.write(`${method} /client/v4${path} HTTP/1.1\r\n${lines.join('')}\r\n${first}`);
    await connection.receivedUntil(CONTINUE);
    await meanwhile();
    connection.write(rest);
    return parseAnswer((await connection.receivedToEnd()).replace(CONTINUE, ''));
  }

  function post(
    path: string,
    headers: Record<string, string>,
    body: unknown,
    meanwhile: () => Promise<unknown>,
  ): Promise<RawAnswer> {
    const text = JSON.stringify(body);
    const sized = { ...headers, 'content-length': String(text.length) };
    return send(['POST', path], sized, [text.slice(0, 1), text.slice(1)], meanwhile);
  }

  async function countTokens(): Promise<number> {
    const { count } = await server.app.database.read
      .selectFrom('api_tokens')
      .where('name', '=', 'successor')
      .select((select) => select.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    return count;
  }

  /** Demands that a change before the end of the body refuses the request. */
  async function refuses(
    path: string,
    headers: Record<string, string>,
    change: () => Promise<{ status: number; text: string }>,
    status: number,
  ): Promise<void> {
    const before_ = await countTokens();
    const answer = await post(path, headers, successor(), async () => {
      const changed = await change();
      assert.ok(changed.status < 300, changed.text);
    });
    assert.deepEqual([answer.status, answer.code], [status, 10_000], answer.text);
    assert.equal(await countTokens(), before_);
  }

  /** A person whose role allows to make tokens of the account. */
  async function administrator() {
    const person = await createPerson(server, {
      accountId: server.accountId,
      roles: ['administrator'],
    });
    const session: SessionHeaders = await signInAs(server, person.userId);
    // So that what the person may do is known before.
    const seen = await server.call('GET', tokens, { token: null, headers: session });
    assert.equal(seen.status, 200, seen.text);
    return {
      session,
      userId: person.userId,
      member: `${server.account}/members/${person.memberId}`,
    };
  }

  async function creator() {
    const token = await server.createToken(['api-tokens.write']);
    assert.equal((await server.call('GET', tokens, { token: token.value })).status, 200);
    return token;
  }

  test('nothing happens meanwhile: the request is done', async () => {
    const { value } = await creator();
    const answer = await post(tokens, bearer(value), successor(), () => Promise.resolve());
    assert.equal(answer.status, 200, answer.text);
  });

  const definition = (...slugs: string[]) => ({
    name: 'any',
    policies: [allowPolicy(server.accountId, slugs)],
  });

  test('401: the token is deleted, rolled or disabled', async () => {
    const disabled = { ...definition('api-tokens.write'), status: 'disabled' };
    for (const [method, end, body] of [
      ['DELETE', '', undefined],
      ['PUT', '/value', {}],
      ['PUT', '', disabled],
    ] as const) {
      const { id, value } = await creator();
      const change = () => server.call(method, `${tokens}/${id}${end}`, { body });
      await refuses(tokens, bearer(value), change, 401);
    }
  });

  test('403: the token is given other policies or addresses', async () => {
    const elsewhere = {
      ...definition('api-tokens.write'),
      condition: { request_ip: { not_in: ['127.0.0.1'] } },
    };
    for (const body of [definition('tags.read'), elsewhere]) {
      const { id, value } = await creator();
      const change = () => server.call('PUT', `${tokens}/${id}`, { body });
      await refuses(tokens, bearer(value), change, 403);
    }
  });

  test('403: the member is removed, by session and by token', async () => {
    const { session, member } = await administrator();
    await refuses(tokens, session, () => server.call('DELETE', member), 403);
    const other = await administrator();
    const { value } = await createUserToken(server, other.session, ['api-tokens.write']);
    assert.equal((await server.call('GET', tokens, { token: value })).status, 200);
    await refuses(tokens, bearer(value), () => server.call('DELETE', other.member), 403);
  });

  test('403: the role is taken', async () => {
    const { session, member } = await administrator();
    const roles = [{ id: findRoleBySlug('member')?.id }];
    const change = () => server.call('PUT', member, { body: { roles } });
    await refuses(tokens, session, change, 403);
  });

  test('401: the session is ended', async () => {
    const { session, userId } = await administrator();
    const change = async () => {
      const other = await signInAs(server, userId);
      return server.call('DELETE', '/user/sessions', { token: null, headers: other });
    };
    await refuses(tokens, session, change, 401);
  });

  test('401: also where no body is wanted, or it is empty', async () => {
    const chunked = { 'transfer-encoding': 'chunked' };
    for (const end of ['/value', ''] as const) {
      const { id, value } = await creator();
      const { id: victim } = await server.createToken(['tags.read']);
      const { digest } = await row(victim);
      const answer = await send(
        [end === '' ? 'DELETE' : 'PUT', `${tokens}/${victim}${end}`],
        { ...bearer(value), ...chunked },
        ['', '0\r\n\r\n'],
        () => server.call('DELETE', `${tokens}/${id}`),
      );
      assert.deepEqual([answer.status, answer.code], [401, 10_000], answer.text);
      assert.equal((await row(victim)).digest, digest);
    }
  });

  function row(id: string) {
    const { read } = server.app.database;
    return read.selectFrom('api_tokens').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  }

  test('one request counts once against the limit', async (t) => {
    const limited = await bootServer(database, { settings: { RATE_LIMIT: '2' } });
    t.after(() => limited.stop());
    const body = { name: 'any', policies: [allowPolicy(limited.accountId, ['tags.read'])] };
    const statuses = [];
    for (let i = 0; i < 3; i++) {
      statuses.push((await limited.call('POST', `${limited.account}/tokens`, { body })).status);
    }
    assert.deepEqual(statuses, [200, 200, 429]);
  });
});
