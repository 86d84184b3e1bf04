import assert from 'node:assert/strict';
import { test } from 'node:test';
import { REDACTED, redact } from '../../src/iam/audit/redact.ts';

test('secrets by name, however deep', () => {
  const secrets = [
    'api_key',
    'authorization',
    'client_secret',
    'code',
    'csrf_token',
    'current_password',
    'headers',
    'invitation_url',
    'key',
    'new_password',
    'password',
    'provisioning_uri',
    'recovery_code',
    'recovery_codes',
    'reset_url',
    'secret',
    'token',
    'totp_code',
    'value',
  ];
  for (const name of secrets) {
    for (const secret of ['hunter2', 42, true, ['hunter2'], { of: 'hunter2' }]) {
      assert.equal(redact({ [name]: secret }), JSON.stringify({ [name]: REDACTED }), name);
      assert.equal(
        redact([{ list: [{ [name]: secret }] }]),
        JSON.stringify([{ list: [{ [name]: REDACTED }] }]),
      );
    }
    // That there is none may be worth knowing.
    for (const nothing of [null, '']) {
      assert.equal(redact({ [name]: nothing }), JSON.stringify({ [name]: nothing }));
    }
  }
  assert.equal(
    redact({ keys: 1, name: 'value', tokens: [] }),
    '{"keys":1,"name":"value","tokens":[]}',
  );
});

test('nothing of what is no object: it may be the secret itself', () => {
  for (const content of ['lkat_x', 42, true, null, undefined]) {
    assert.equal(redact(content), undefined);
  }
});
