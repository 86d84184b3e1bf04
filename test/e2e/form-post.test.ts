import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { createClient } from '../oauth/client-bodies.ts';
import { redeem } from '../support/authorizations.ts';
import { newContext, sharedBrowser } from '../support/chromium.ts';
import { createPerson } from '../support/people.ts';
import { bootServer } from '../support/server.ts';

const PASSWORD = 'blue kettle on the roof';
const STATE = `"><script>'&amp; é😀`;

for (const javaScriptEnabled of [true, false]) {
  test(`the browser posts the code to the application, ${javaScriptEnabled ? 'with' : 'without'} scripts`, async (t) => {
    const server = await bootServer('sqlite');
    t.after(() => server.stop());
    const bodies: string[] = [];
    const application = createServer((request, response) => {
      void text(request).then((body) => {
        if (request.method === 'POST') bodies.push(body);
        response.setHeader('content-type', 'text/html').end('<h1>The application</h1>');
      });
    }).listen(0, '127.0.0.1');
    await once(application, 'listening');
    t.after(() => {
      application.closeAllConnections();
      application.close();
    });
    const callback = `http://127.0.0.1:${(application.address() as AddressInfo).port}/callback`;
    const client = await createClient(server, { redirect_uris: [callback] });
    const { email } = await createPerson(server, {
      accountId: server.accountId,
      password: PASSWORD,
    });
    const context = await newContext(await sharedBrowser(), { javaScriptEnabled });
    t.after(() => context.close());
    const page = await context.newPage();
    const query = new URLSearchParams({
      client_id: client.client_id as string,
      response_type: 'code',
      response_mode: 'form_post',
      redirect_uri: callback,
      scope: 'openid',
      state: STATE,
    });
    await page.goto(`${server.origin}/oauth2/auth?${query.toString()}`);
    await page.getByLabel('Email address').fill(email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('button', { name: 'Approve' }).click();
    if (!javaScriptEnabled) await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'The application' }).waitFor();
    assert.equal(page.url(), callback);
    assert.equal(bodies.length, 1);
    const fields = new URLSearchParams(bodies[0]);
    assert.equal(fields.get('state'), STATE);
    assert.equal(fields.get('iss'), server.origin);
    const code = fields.get('code') ?? '';
    const tokens = await redeem(server, client, code, { redirect_uri: callback });
    assert.equal(tokens.status, 200, tokens.text);
  });
}
