import assert from 'node:assert/strict';
import { type TestContext, describe, test } from 'node:test';
import fc from 'fast-check';
import { SettingError, readSettings } from '../../src/config/settings.ts';
import { readProfile } from '../../src/iam/single-sign-on/external-claims.ts';
import { findUserByEmail } from '../../src/iam/users/user-store.ts';
import { onEachDatabase } from '../support/databases.ts';
import { CALLBACK, depart, getPage } from '../support/external-sign-in.ts';
import { type FakeOpenIdProvider, startFakeProvider } from '../support/openid-provider.ts';
import { createPerson } from '../support/people.ts';
import { type Answer, type TestServer, bootServer } from '../support/server.ts';

const EMAIL = 'ada@example.com';

type Claims = Record<string, unknown>;

interface Variant {
  /** Changes to the claims of the ID token; undefined removes one. */
  idToken: Claims;
  /** Undefined: the provider has no userinfo endpoint. */
  userInfo?: Claims;
  /** Default: off. */
  trustsEmail?: boolean;
}

const WITHOUT = { email: undefined, email_verified: undefined };
const ADA = { given_name: 'Ada', family_name: 'Lovelace', name: 'Ada Lovelace' };

// Claims as the documentation of the providers and public reports show them.
const ENTRA: Claims = {
  ...WITHOUT,
  aio: 'Df2UVXL1ix',
  name: 'Ada Lovelace',
  oid: '00000000-0000-0000-66f3-3332eca7ea81',
  preferred_username: EMAIL,
  tid: '9122040d-6c67-4c5b-b112-36a304b66dad',
  ver: '2.0',
};
const COGNITO: Claims = { ...WITHOUT, 'cognito:username': 'ada', token_use: 'id' };
const GOOGLE: Claims = { email: EMAIL, email_verified: true, hd: 'example.com', ...ADA };
const OKTA: Claims = { ...WITHOUT, preferred_username: EMAIL, amr: ['pwd'], idp: '00o1' };
const KEYCLOAK: Claims = { email: EMAIL, email_verified: true, sid: 'x', acr: '1', ...ADA };

const accepted: Record<string, Variant> = {
  'Entra with the optional claim email': {
    idToken: { ...ENTRA, email: EMAIL },
    userInfo: { ...ADA, email: EMAIL, picture: 'https://graph.example/photo' },
    trustsEmail: true,
  },
  'Entra without the claim email': { idToken: ENTRA, userInfo: ADA, trustsEmail: true },
  'Entra with upn alone': {
    idToken: { ...WITHOUT, upn: EMAIL },
    userInfo: ADA,
    trustsEmail: true,
  },
  'Cognito, verified as text in userinfo': {
    idToken: COGNITO,
    userInfo: { email: EMAIL, email_verified: 'true', username: 'ada', ...ADA },
  },
  'Cognito, verified as text in the ID token': {
    idToken: { ...COGNITO, email: EMAIL, email_verified: 'true' },
    userInfo: ADA,
  },
  Google: { idToken: GOOGLE, userInfo: GOOGLE },
  'Okta with the claims in userinfo': {
    idToken: OKTA,
    userInfo: { email: EMAIL, email_verified: true, ...ADA },
  },
  Keycloak: { idToken: KEYCLOAK, userInfo: {} },
  'email_verified only in userinfo': {
    idToken: { ...WITHOUT, email: EMAIL, ...ADA },
    userInfo: { email_verified: true },
  },
  'email_verified only in userinfo, beside the address': {
    idToken: { ...WITHOUT, email: EMAIL, ...ADA },
    userInfo: { email: 'ADA@example.com', email_verified: 'true' },
  },
};

const TRUST = /LATCHKEY_OIDC_TRUST_EMAIL/;

/** What is wrong, and the reason in the log. */
const refused: Record<string, Variant & { reason: RegExp; isTrustMissing: boolean }> = {
  'Entra without the setting': {
    idToken: { ...ENTRA, email: EMAIL },
    userInfo: { ...ADA, email: EMAIL },
    reason: /does not state that the email address is verified/,
    isTrustMissing: true,
  },
  'Entra without the claim email and the setting': {
    idToken: ENTRA,
    userInfo: ADA,
    reason: /sent no email address/,
    isTrustMissing: true,
  },
  'the text "false"': {
    idToken: { ...WITHOUT, email: EMAIL, email_verified: 'false' },
    trustsEmail: true,
    reason: /states that the email address is not verified/,
    isTrustMissing: false,
  },
  'false in userinfo alone': {
    idToken: { ...WITHOUT, email: EMAIL },
    userInfo: { email: EMAIL, email_verified: false },
    trustsEmail: true,
    reason: /states that the email address is not verified/,
    isTrustMissing: false,
  },
  'another address in userinfo': {
    idToken: { ...WITHOUT, email: EMAIL },
    userInfo: { email: 'eve@example.com', email_verified: true },
    reason: /does not state that the email address is verified/,
    isTrustMissing: true,
  },
  'no address anywhere': {
    idToken: { ...WITHOUT, preferred_username: 'ada' },
    userInfo: { name: 'Ada' },
    trustsEmail: true,
    reason: /sent no email address/,
    isTrustMissing: false,
  },
};

onEachDatabase((database) => {
  async function start(t: TestContext, trustsEmail = false) {
    const provider = await startFakeProvider(t);
    const settings = { ...provider.settings, OIDC_TRUST_EMAIL: String(trustsEmail) };
    const server = await bootServer(database, { settings });
    t.after(() => server.stop());
    return { provider, server };
  }

  async function signIn(
    server: TestServer,
    provider: FakeOpenIdProvider,
    { idToken, userInfo }: Variant,
  ): Promise<Answer> {
    provider.claims = idToken;
    provider.userInfo = userInfo;
    const { cookies, url } = await depart(server);
    provider.claims = { ...idToken, nonce: url.searchParams.get('nonce') };
    const parameters = new URLSearchParams({
      code: 'c',
      state: url.searchParams.get('state') ?? '',
    });
    return getPage(server, `${CALLBACK}?${parameters.toString()}`, cookies);
  }

  function refusalIn({ logLines }: TestServer): string {
    return logLines.find((line) => line.includes('an external sign-in was refused')) ?? '';
  }

  for (const [name, variant] of Object.entries(accepted)) {
    test(`signs in: ${name}`, async (t) => {
      const { provider, server } = await start(t, variant.trustsEmail);
      await createPerson(server, { accountId: server.accountId, email: EMAIL });
      const answer = await signIn(server, provider, variant);
      assert.deepEqual([answer.status, answer.headers.get('location')], [303, '/'], answer.text);
      const user = await findUserByEmail(server.app.database.read, EMAIL);
      assert.deepEqual([user?.firstName, user?.lastName], ['Ada', 'Lovelace']);
    });
  }

  for (const [name, { reason, isTrustMissing, ...variant }] of Object.entries(refused)) {
    test(`refuses: ${name}`, async (t) => {
      const { provider, server } = await start(t, variant.trustsEmail);
      await createPerson(server, { accountId: server.accountId, email: EMAIL });
      const answer = await signIn(server, provider, variant);
      assert.equal(answer.status, 403, answer.text);
      assert.equal(TRUST.test(answer.text), isTrustMissing, answer.text);
      const line = refusalIn(server);
      assert.match(line, reason);
      assert.ok(line.includes(provider.issuer));
      assert.equal(TRUST.test(line), isTrustMissing, line);
      assert.equal(line.includes(EMAIL), false);
    });
  }

  test('a user without an invitation is refused, and the log says why', async (t) => {
    const { provider, server } = await start(t);
    const answer = await signIn(server, provider, { idToken: GOOGLE });
    assert.equal(answer.status, 403);
    assert.match(answer.text, /You have no invitation/);
    assert.match(refusalIn(server), /no user has the email address/);
  });

  test('userinfo that fails ends the sign-in only if the address depends on it', async (t) => {
    const { provider, server } = await start(t);
    await createPerson(server, { accountId: server.accountId, email: EMAIL });
    const vouched = { email: EMAIL, email_verified: true };
    provider.userInfoStatus = 500;
    assert.equal((await signIn(server, provider, { idToken: vouched, userInfo: {} })).status, 303);
    const unvouched = { ...WITHOUT, email: EMAIL };
    assert.equal(
      (await signIn(server, provider, { idToken: unvouched, userInfo: {} })).status,
      503,
    );
  });

  describe('names', () => {
    const longName = 'x'.repeat(61);
    for (const [claims, expected] of [
      [{ name: 'Ludwig van Beethoven' }, ['Ludwig', 'van Beethoven']],
      [{ name: 'Plato' }, ['Plato', undefined]],
      [{ given_name: 'Plato', name: 'Plato of Athens' }, ['Plato', undefined]],
      [{ name: EMAIL }, [undefined, undefined]],
      [{ given_name: longName, family_name: '\u202eevil' }, [undefined, undefined]],
      [{ given_name: 5, name: ['x'] }, [undefined, undefined]],
    ] as const) {
      test(JSON.stringify(claims).slice(0, 60), async (t) => {
        const { provider, server } = await start(t);
        await createPerson(server, { accountId: server.accountId, email: EMAIL });
        const idToken = { email: EMAIL, email_verified: true, ...claims };
        assert.equal((await signIn(server, provider, { idToken })).status, 303);
        const user = await findUserByEmail(server.app.database.read, EMAIL);
        assert.deepEqual([user?.firstName, user?.lastName], expected);
      });
    }

    test('an existing name stays, also half of one', async (t) => {
      const { provider, server } = await start(t);
      await createPerson(server, {
        accountId: server.accountId,
        email: EMAIL,
        lastName: 'Byron',
      });
      for (let i = 0; i < 2; i++) {
        assert.equal((await signIn(server, provider, { idToken: GOOGLE })).status, 303);
        const user = await findUserByEmail(server.app.database.read, EMAIL);
        assert.deepEqual([user?.firstName, user?.lastName], [undefined, 'Byron']);
      }
    });
  });
});

test('an address counts only if the provider states it, or the setting stands for a missing claim', () => {
  const value = fc.constantFrom(
    undefined,
    null,
    true,
    false,
    'true',
    'false',
    'True',
    1,
    'yes',
    '',
  );
  const email = fc.constantFrom(undefined, EMAIL, 'ADA@EXAMPLE.COM', 'eve@example.com', 5, '');
  const claims = fc.record({ email, email_verified: value, preferred_username: email });
  fc.assert(
    fc.property(claims, claims, fc.boolean(), (idToken, userInfo, trustsEmail) => {
      const profile = readProfile(idToken, userInfo, trustsEmail);
      if (profile.emailFault !== undefined) return;
      const stated = [idToken, userInfo].filter((source) =>
        [true, 'true'].includes(source.email_verified as string),
      );
      assert.equal(typeof profile.email, 'string');
      const isDenied = [idToken, userInfo].some(({ email_verified: verified, email: of }) => {
        const isOf = of === undefined || of === profile.email;
        return isOf && ![undefined, null, true, 'true'].includes(verified as string);
      });
      assert.ok(stated.length > 0 || (trustsEmail && !isDenied));
    }),
    { numRuns: 2_000 },
  );
});

test('an issuer that is shared by all tenants stops the start', () => {
  const read = (issuer: string) =>
    readSettings({ LATCHKEY_OIDC_ISSUER: issuer, LATCHKEY_OIDC_CLIENT_ID: 'x' });
  for (const tenant of ['common', 'organizations', 'consumers', 'Common']) {
    assert.throws(
      () => read(`https://login.microsoftonline.com/${tenant}/v2.0`),
      (error: Error) => {
        assert.ok(error instanceof SettingError);
        assert.match(error.message, /^LATCHKEY_OIDC_ISSUER must name the tenant/);
        return true;
      },
    );
  }
  const own = 'https://login.microsoftonline.com/9122040d-6c67-4c5b-b112-36a304b66dad/v2.0';
  assert.equal(read(own).OIDC_ISSUER, own);
});
