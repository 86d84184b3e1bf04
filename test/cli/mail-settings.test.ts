import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SettingError, describeSettings, readSettings } from '../../src/config/settings.ts';

function assertRefused(environment: Record<string, string>, expected: RegExp): void {
  assert.throws(
    () => readSettings(environment),
    (error: Error) => {
      assert.ok(error instanceof SettingError);
      assert.match(error.message, expected);
      assert.equal(/a-secret|\n/.test(error.message), false, error.message);
      return true;
    },
  );
}

describe('mail settings', () => {
  const from = { LATCHKEY_MAIL_FROM: 'noreply@example.com' };

  test('name a server and a sender, or nothing', () => {
    const none = readSettings({});
    assert.deepEqual([none.SMTP_URL, none.MAIL_FROM], [undefined, undefined]);
    const { SMTP_URL, MAIL_FROM } = readSettings({
      ...from,
      LATCHKEY_SMTP_URL: 'smtp://me:a%20secret@mail.example.com:2525',
    });
    assert.equal(MAIL_FROM, 'noreply@example.com');
    assert.equal(SMTP_URL?.port, 2525);
    assert.deepEqual(SMTP_URL?.credentials, { user: 'me', password: 'a secret' });
  });

  test('a server without a sender is refused; a sender alone does nothing', () => {
    const url = { LATCHKEY_SMTP_URL: 'smtp://me:a-secret@mail.example.com' };
    assertRefused(url, /^LATCHKEY_SMTP_URL requires LATCHKEY_MAIL_FROM$/);
    readSettings(from);
  });

  test('a wrong server is refused without its password', () => {
    for (const url of [
      'mail.example.com',
      'smtp://a-secret@h',
      'http://me:a-secret@h',
      'a-secret',
    ]) {
      assertRefused(
        { ...from, LATCHKEY_SMTP_URL: url },
        /^LATCHKEY_SMTP_URL must have the form smtp:/,
      );
    }
  });

  test('a wrong sender is refused', () => {
    for (const address of ['x', 'Latchkey <a@b>', 'a@b, c@d']) {
      assertRefused(
        { LATCHKEY_MAIL_FROM: address },
        /^LATCHKEY_MAIL_FROM must be an email address/,
      );
    }
    assertRefused(
      { LATCHKEY_MAIL_FROM: 'a@b\r\nBcc: c@d' },
      /^LATCHKEY_MAIL_FROM contains a carriage return/,
    );
  });
});

describe('the master key', () => {
  const hex = 'ab'.repeat(32);

  test('is read in each of its forms', () => {
    const bytes = Buffer.from(hex, 'hex');
    const prints = [hex, bytes.toString('base64'), `${bytes.toString('base64url')}\n`].map((text) =>
      readSettings({ LATCHKEY_MASTER_KEY: text }).MASTER_KEY?.fingerprint(),
    );
    assert.equal(new Set(prints).size, 1);
    assert.match(prints[0] ?? '', /^[0-9a-f]{32}$/);
    assert.equal(readSettings({}).MASTER_KEY, undefined);
  });

  test('is refused in any other, without being shown', () => {
    for (const key of ['a-secret', hex.slice(1), `${hex}a-secret`, 'a-secret'.repeat(8)]) {
      assertRefused(
        { LATCHKEY_MASTER_KEY: key },
        /^LATCHKEY_MASTER_KEY must be 32 bytes in base64, base64url or hex$/,
      );
    }
  });

  test('comes with how to make one', () => {
    const { meaning } = describeSettings().find(({ name }) => name === 'LATCHKEY_MASTER_KEY') ?? {};
    assert.match(meaning ?? '', /openssl rand -base64 32/);
  });
});
