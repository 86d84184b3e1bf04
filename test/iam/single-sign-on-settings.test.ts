import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SettingError, readSettings } from '../../src/config/settings.ts';

const ISSUER = 'https://login.example.com';

function read(settings: Record<string, string>) {
  const prefixed = Object.entries(settings).map(([name, value]) => [
    `LATCHKEY_OIDC_${name}`,
    value,
  ]);
  return readSettings(Object.fromEntries(prefixed) as Record<string, string>);
}

test('a provider is named by its issuer and our client there', () => {
  const none = read({});
  assert.deepEqual([none.OIDC_ISSUER, none.OIDC_CLIENT_ID], [undefined, undefined]);
  const settings = read({ ISSUER, CLIENT_ID: 'latchkey', CLIENT_SECRET: 'hush', NAME: 'Example' });
  assert.equal(settings.OIDC_ISSUER, ISSUER);
  assert.equal(settings.OIDC_CLIENT_SECRET, 'hush');
  assert.equal(settings.OIDC_NAME, 'Example');
  const open = read({ ISSUER, CLIENT_ID: 'latchkey' });
  assert.deepEqual([open.OIDC_CLIENT_SECRET, open.OIDC_NAME], [undefined, 'single sign-on']);
});

test('one without the other is refused, and nothing secret is said', () => {
  for (const [given, missing] of [
    [{ ISSUER }, 'CLIENT_ID'],
    [{ CLIENT_ID: 'latchkey' }, 'ISSUER'],
    [{ CLIENT_SECRET: 'hush' }, 'ISSUER'],
    [{ ISSUER, CLIENT_SECRET: 'hush' }, 'CLIENT_ID'],
    [{ CLIENT_ID: 'latchkey', CLIENT_SECRET: 'hush' }, 'ISSUER'],
  ] as const) {
    assert.throws(
      () => read({ ...given }),
      (error) => {
        assert.ok(error instanceof SettingError);
        assert.match(error.message, new RegExp(`^LATCHKEY_OIDC_${missing} is required`));
        assert.equal(error.message.includes('hush'), false);
        return true;
      },
    );
  }
  // A name alone does nothing.
  assert.equal(read({ NAME: 'Example' }).OIDC_ISSUER, undefined);
});

test('the issuer is kept to the letter, and is https unless it is on this machine', () => {
  for (const issuer of [
    'https://login.example.com/',
    'https://login.example.com/realms/one/',
    'http://localhost:8080/realm',
    'http://127.0.0.1:8080',
    'http://[::1]:8080',
  ]) {
    assert.equal(read({ ISSUER: issuer, CLIENT_ID: 'x' }).OIDC_ISSUER, issuer);
  }
  for (const issuer of [
    'http://login.example.com',
    'http://localhost.example.com',
    'http://127.0.0.1.example.com',
    'ftp://login.example.com',
    'login.example.com',
    'https://user:hush@login.example.com',
    'https://login.example.com?x=1',
    'https://login.example.com#x',
  ]) {
    assert.throws(
      () => read({ ISSUER: issuer, CLIENT_ID: 'x' }),
      (error) => error instanceof SettingError && !error.message.includes('hush'),
      issuer,
    );
  }
});
