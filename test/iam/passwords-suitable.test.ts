import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkNewPassword } from '../../src/iam/passwords/check-new-password.ts';

describe('which passwords are suitable', () => {
  const owner = { email: 'ann.winter@example.com', brand: 'latchkey' };

  test('12 to 256 characters, whatever they are', () => {
    const good = [
      'kX9!mm3Pq2zR',
      'correct horse battery',
      'dragonfly runs at noon',
      'ünïcödé-wörld',
      ' leading and trailing ',
      'welcome8317264953',
      `${'abcdefgh ijklmno pqr '.repeat(13).slice(0, 255)}!`,
      // 12 characters, 24 UTF-16 units.
      '🦊🐢🌵🚲🎻🧊🪁🧶🍉🔭🧭🪴',
    ];
    for (const password of good) checkNewPassword(password, owner);
    // 12 characters only until they are composed.
    const bad = ['elevenchars', 'x9'.repeat(129), '', 'caf\u0065\u0301 creme'];
    for (const password of bad) {
      assert.throws(() => checkNewPassword(password, owner), /characters/, password);
    }
  });

  test('not the first that somebody would try', () => {
    const bad = [
      'aaaaaaaaaaaa',
      '123456789012',
      '98765432109876',
      'abcdefghijkl',
      '121212121212',
      'abcabcabcabc',
      'password1234',
      'Password!2024',
      'P@ssw0rd1234',
      'passwordpassword',
      'password1234567890',
      'admin@123456',
      'qwertyuiop12',
      'QWERTYUIOPASDF',
      'letmein!letmein!',
      '1q2w3e4r5t6y',
      'iloveyou1234',
      'changeme1234',
    ];
    for (const password of bad) {
      assert.throws(() => checkNewPassword(password, owner), /common password/, password);
    }
  });

  test('not the email address, nor the name of the service', () => {
    for (const password of [
      'Ann.Winter@example.com',
      'latchkey2026',
      'ann.winter123',
      'ANN.WINTER!!',
    ]) {
      assert.throws(() => checkNewPassword(password, owner), /email address/, password);
    }
  });
});
