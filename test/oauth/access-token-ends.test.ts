import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { findRoleBySlug } from '../../src/iam/roles.ts';
import { lockOutUser, readmitUser } from '../../src/iam/users/lock-out.ts';
import { verifyEmail } from '../../src/iam/users/verify-email.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { storeGrant } from '../../src/oauth/grants/grant-store.ts';
import { issueAccessToken } from '../support/access-tokens.ts';
import { onEachDatabase } from '../support/databases.ts';
import { eventually } from '../support/eventually.ts';
import {
  type SessionHeaders,
  addMember,
  createPerson,
  firstPerson,
  signInAs,
} from '../support/people.ts';
import { type Json, type TestServer, bootServer } from '../support/server.ts';
import { createClient } from './client-bodies.ts';

// The promise is one second; the rest is for a machine with much else to do.
const PATIENCE_MS = 5_000;

/** A person who has let a client of the first account read the tags of a second one. */
interface Authorized {
  userId: string;
  email: string;
  clientId: string;
  /** The second account, and the person's membership there and in the first. */
  accountId: string;
  memberId: string;
  firstMemberId: string;
  token: string;
  grantId: string;
}

/** Makes requests to one server as whoever may do it all. */
class Chief {
  readonly server: TestServer;
  readonly #headers: SessionHeaders;

  constructor(server: TestServer, headers: SessionHeaders) {
    this.server = server;
    this.#headers = headers;
  }

  static async of(server: TestServer): Promise<Chief> {
    return new Chief(server, await signInAs(server, (await firstPerson(server)).userId));
  }

  async call(method: string, path: string, body?: unknown): Promise<Json> {
    const answer = await this.server.call(method, path, {
      token: null,
      headers: this.#headers,
      ...(body === undefined ? {} : { body }),
    });
    assert.equal(answer.status, 200, answer.text);
    return answer.json.result;
  }

  async authorized(isEmailVerified = true): Promise<Authorized> {
    const { server } = this;
    const { id: accountId } = await this.call('POST', '/accounts', { name: 'second' });
    const { client_id: clientId } = await createClient(server, { scopes: ['tags.read'] });
    const {
      userId,
      email,
      memberId: firstMemberId = '',
    } = await createPerson(server, { accountId: server.accountId, isEmailVerified });
    const memberId = await addMember(server, userId, accountId, ['tag-admin']);
    const { value: token, grantId } = await issueAccessToken(server, {
      userId,
      clientId,
      accountIds: [accountId],
    });
    return { userId, email, clientId, accountId, memberId, firstMemberId, token, grantId };
  }
}

async function statusOn(node: TestServer, { token, accountId }: Authorized): Promise<number> {
  return (await node.call('GET', `/accounts/${accountId}/tags/keys`, { token })).status;
}

interface End {
  name: string;
  /** What the token is refused with: 401 when it has ended, 403 when it is good for other things. */
  status: 401 | 403;
  hasUnverifiedEmail?: boolean;
  end: (chief: Chief, authorized: Authorized) => Promise<unknown>;
}

const ends: readonly End[] = [
  {
    name: 'the role is changed',
    status: 403,
    end: (chief, { accountId, memberId }) =>
      chief.call('PUT', `/accounts/${accountId}/members/${memberId}`, {
        roles: [{ id: findRoleBySlug('member')?.id }],
      }),
  },
  {
    name: 'the membership is lost',
    status: 401,
    end: (chief, { accountId, memberId }) =>
      chief.call('DELETE', `/accounts/${accountId}/members/${memberId}`),
  },
  {
    name: 'the membership that makes the private client available is lost',
    status: 401,
    end: (chief, { firstMemberId }) =>
      chief.call('DELETE', `${chief.server.account}/members/${firstMemberId}`),
  },
  {
    name: 'the account demands a second factor',
    status: 403,
    end: (chief, { accountId }) =>
      chief.call('PUT', `/accounts/${accountId}`, {
        name: 'second',
        settings: { enforce_twofactor: true },
      }),
  },
  {
    name: 'the account is deleted',
    status: 403,
    end: (chief, { accountId }) => chief.call('DELETE', `/accounts/${accountId}`),
  },
  {
    name: 'the person is locked out',
    status: 401,
    end: ({ server }, { email }) => lockOutUser(server.app.database, systemClock, email),
  },
  {
    name: 'the address turns out to be of somebody else',
    status: 401,
    hasUnverifiedEmail: true,
    end: ({ server }, { userId }) =>
      server.app.database.transaction((tx, announce) =>
        verifyEmail(tx, announce, userId, Date.now()),
      ),
  },
  {
    name: 'the client is deleted',
    status: 401,
    end: (chief, { clientId }) =>
      chief.call('DELETE', `${chief.server.account}/oauth_clients/${clientId}`),
  },
  {
    name: 'the client loses the scope',
    status: 403,
    end: (chief, { clientId }) =>
      chief.call('PATCH', `${chief.server.account}/oauth_clients/${clientId}`, { scopes: [] }),
  },
  {
    name: 'the person decides anew, without the scope',
    status: 403,
    end: ({ server }, { userId, clientId, accountId }) =>
      server.app.database.transaction((tx, announce) =>
        storeGrant(
          tx,
          announce,
          {
            userId,
            clientId,
            accountIds: [accountId],
            scopes: ['openid'],
            declinedScopes: ['tags.read'],
          },
          Date.now(),
        ),
      ),
  },
  {
    name: 'the person takes it back',
    status: 401,
    async end({ server }, { userId, grantId }) {
      const headers = await signInAs(server, userId);
      const path = `/user/oauth_grants/${grantId}`;
      assert.equal((await server.call('DELETE', path, { token: null, headers })).status, 200);
    },
  },
];

onEachDatabase((database) => {
  describe('an access token that memory knows is refused at once when', () => {
    let chief: Chief;
    before(async () => {
      chief = await Chief.of(await bootServer(database));
    });
    after(() => chief.server.stop());

    for (const { name, status, hasUnverifiedEmail, end } of ends) {
      test(name, async () => {
        const authorized = await chief.authorized(hasUnverifiedEmail !== true);
        for (const _ of [1, 2]) assert.equal(await statusOn(chief.server, authorized), 200);
        await end(chief, authorized);
        assert.equal(await statusOn(chief.server, authorized), status);
      });
    }

    test('an account is deleted: its clients go, with what they were allowed', async () => {
      const authorized = await chief.authorized();
      const { userId, accountId } = authorized;
      const { read } = chief.server.app.database;
      const { client_id: clientId } = await chief.call(
        'POST',
        `/accounts/${accountId}/oauth_clients`,
        {
          client_name: 'Goes too',
          response_types: ['code'],
          grant_types: ['authorization_code'],
          token_endpoint_auth_method: 'none',
          redirect_uris: ['https://app.example.com/callback'],
          scopes: ['user-details.read'],
        },
      );
      const scopes = ['user-details.read'];
      const options = { userId, clientId, accountIds: [], scopes };
      const { value } = await issueAccessToken(chief.server, options);
      const status = async () => (await chief.server.call('GET', '/user', { token: value })).status;
      assert.equal(await status(), 200);
      await chief.call('DELETE', `/accounts/${accountId}`);
      assert.equal(await status(), 401);
      const grants = await read
        .selectFrom('oauth_grants')
        .select('client_id')
        .where('user_id', '=', userId)
        .execute();
      // The other stays, and counts in no account any more.
      assert.deepEqual(
        grants.map((grant) => grant.client_id),
        [authorized.clientId],
      );
      const headers = await signInAs(chief.server, userId);
      const list = await chief.server.call('GET', '/user/oauth_grants', { token: null, headers });
      assert.deepEqual(list.json.result[0].accounts, []);
    });

    test('the person is let back in: it works again', async () => {
      const authorized = await chief.authorized();
      const { server } = chief;
      await lockOutUser(server.app.database, systemClock, authorized.email);
      assert.equal(await statusOn(server, authorized), 401);
      await readmitUser(server.app.database, systemClock, authorized.email);
      assert.equal(await statusOn(server, authorized), 200);
    });
  });
});

describe('two nodes on one PostgreSQL', () => {
  let chief: Chief;
  let a: TestServer;
  let b: TestServer;
  before(async () => {
    a = await bootServer('postgres');
    b = await bootServer('postgres', { besides: a });
    chief = await Chief.of(a);
  });
  after(async () => {
    await b.stop();
    await a.stop();
  });

  for (const { name, status, hasUnverifiedEmail, end } of ends) {
    test(`${name}: at once on the node that did it, and soon on the other`, async () => {
      const authorized = await chief.authorized(hasUnverifiedEmail !== true);
      for (const node of [a, b, a, b]) assert.equal(await statusOn(node, authorized), 200);
      await end(chief, authorized);
      assert.equal(await statusOn(a, authorized), status);
      const isRefused = async () => (await statusOn(b, authorized)) === status;
      await eventually('the other node refuses it', isRefused, PATIENCE_MS);
    });
  }
});
