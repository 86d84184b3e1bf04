import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { test } from 'node:test';
import { SettingError, readSettings } from '../../src/config/settings.ts';
import { CliProcess } from '../support/cli.ts';
import { bootServer, createDataDir } from '../support/server.ts';

const MAIL = {
  LATCHKEY_SMTP_URL: 'smtp://127.0.0.1:25',
  LATCHKEY_MAIL_FROM: 'noreply@example.com',
};
const PROVIDER = {
  LATCHKEY_OIDC_ISSUER: 'https://login.example.com',
  LATCHKEY_OIDC_CLIENT_ID: 'latchkey',
};
const EVERY_ADDRESS = ['0.0.0.0', '::', '0:0:0:0:0:0:0:0', '::ffff:0.0.0.0'];

test('where mail or a provider names this server, it must know its name', () => {
  for (const host of EVERY_ADDRESS) {
    const listening = { LATCHKEY_HOST: host };
    for (const [told, name] of [
      [MAIL, 'SMTP_URL'],
      [PROVIDER, 'OIDC_ISSUER'],
    ] as const) {
      assert.throws(
        () => readSettings({ ...listening, ...told }),
        (error) => {
          assert.ok(error instanceof SettingError);
          assert.equal(
            error.message,
            `LATCHKEY_${name} requires LATCHKEY_BASE_URL: clients cannot reach this server at LATCHKEY_HOST ${host}`,
          );
          return true;
        },
        host,
      );
      const named = { LATCHKEY_BASE_URL: 'https://id.example.com/client/v4' };
      readSettings({ ...listening, ...told, ...named });
    }
    readSettings(listening);
  }
  for (const host of ['127.0.0.1', '::1', 'localhost', 'id.example.com']) {
    readSettings({ LATCHKEY_HOST: host, ...MAIL, ...PROVIDER });
  }
});

test('otherwise the log says what will not work', async (t) => {
  const warned = async (settings: Record<string, string>): Promise<boolean> => {
    const server = await bootServer('sqlite', { settings });
    t.after(() => server.stop());
    return server.logLines.some((line) => line.includes('set LATCHKEY_BASE_URL'));
  };
  assert.equal(await warned({ HOST: '0.0.0.0' }), true);
  const BASE_URL = 'https://id.example.com/client/v4';
  assert.equal(await warned({ HOST: '0.0.0.0', BASE_URL }), false);
  assert.equal(await warned({}), false);
});

test('the greeting names an address that browsers open', async (t) => {
  for (const [host, name] of [
    ['0.0.0.0', 'localhost'],
    ['127.0.0.1', '127.0.0.1'],
  ] as const) {
    const dataDir = await createDataDir();
    t.after(() => rm(dataDir, { recursive: true }));
    const env = { LATCHKEY_DATA_DIR: dataDir, LATCHKEY_HOST: host, LATCHKEY_PORT: '0' };
    const server = new CliProcess(['serve'], { env });
    t.after(() => server.kill('SIGKILL'));
    const [, dashboard = ''] = await server.seen(/dashboard +(\S+)\n/);
    const [, api = ''] = await server.seen(/API +(http\S+)\n/);
    assert.equal(new URL(dashboard).hostname, name);
    assert.equal(api, `${dashboard}/client/v4`);
    assert.equal((await fetch(`${dashboard}/login`)).status, 200);
    server.kill('SIGTERM');
    assert.equal((await server.result()).code, 0);
  }
});
