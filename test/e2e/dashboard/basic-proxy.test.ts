import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, request as sendRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { newContext, sharedBrowser } from '../../support/chromium.ts';
import { watchTroubles } from '../../support/dashboard.ts';
import { createPerson } from '../../support/people.ts';
import { bootServer } from '../../support/server.ts';

const CREDENTIALS = { username: 'office', password: 'a-proxy-password' };
const PASSWORD = 'correct horse battery';

/** A reverse proxy with Basic authentication that passes the header on, as nginx does. */
async function startProxy(t: TestContext, target: () => string): Promise<string> {
  const { username, password } = CREDENTIALS;
  const expected = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  const proxy = createServer((request, response) => {
    if (request.headers.authorization !== expected) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="office"' }).end();
      return;
    }
    const { method, url, headers } = request;
    const passed = sendRequest(target() + url, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    passed.on('error', () => response.destroy());
    request.pipe(passed);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  t.after(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}

test('the dashboard works behind a proxy with Basic authentication', async (t) => {
  let target = '';
  const origin = await startProxy(t, () => target);
  const server = await bootServer('sqlite', {
    settings: { BASE_URL: `${origin}/client/v4` },
  });
  t.after(() => server.stop());
  target = server.origin;
  const { accountId } = server;
  const person = await createPerson(server, {
    accountId,
    roles: ['super-administrator'],
    password: PASSWORD,
  });
  const context = await newContext(await sharedBrowser(), { httpCredentials: CREDENTIALS });
  t.after(() => context.close());
  const page = await context.newPage();
  const troubles = watchTroubles(page);
  await page.goto(`${origin}/accounts/${accountId}/members`);
  await page.getByLabel('Email address').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByText(person.email).first().waitFor();
  await page.getByRole('link', { name: 'Settings' }).click();
  // The page of members has a field for names too.
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
  await page.getByLabel('Name', { exact: true }).fill('Behind a proxy');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Behind a proxy').first().waitFor();
  assert.deepEqual(troubles, []);
});
