import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { callAs } from '../support/authenticator-app.ts';
import {
  type VirtualAuthenticator,
  addAuthenticator,
  launchBrowser,
  openPage,
} from '../support/chromium.ts';
import { eventually } from '../support/eventually.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { auditOf as auditRowsOf, registerPasskey } from '../support/passkeys.ts';
import { type SessionHeaders, createPerson } from '../support/people.ts';
import { type TestServer, bootServer } from '../support/server.ts';

const clock = new ManualClock();
let browser: Browser;
let server: TestServer;
let page: Page;
let authenticator: VirtualAuthenticator;
let devtools: CDPSession | undefined;

before(async () => {
  browser = await launchBrowser();
  server = await bootServer('sqlite', { clock, settings: { HOST: 'localhost' } });
  page = await openPage(browser, `${server.origin}/healthz`);
  // The virtual authenticator responds at once to the offer in the email field.
  await page.addInitScript(`if (!location.href.includes('autofill') && globalThis.PublicKeyCredential)
    PublicKeyCredential.isConditionalMediationAvailable = async () => false`);
  authenticator = await addAuthenticator(page);
});
beforeEach(() => authenticator.clear());
after(async () => {
  await browser.close();
  await server.stop();
});

/** Creates a user with a passkey, which is the only one of the authenticator. */
async function person(): Promise<{ userId: string; session: SessionHeaders; id: string }> {
  const { userId } = await createPerson(server, { accountId: server.accountId });
  return { userId, ...(await register(userId)) };
}

const register = (userId: string) =>
  registerPasskey({ server, clock, page, authenticator }, userId);

const auditOf = (userId: string) => auditRowsOf(server, userId);

/** The page shows the button once its script has run. */
const PASSKEY_BUTTON = '[data-passkey-sign-in]:not([hidden])';

/** Runs a script in each new document before the scripts of the page. */
async function addInitScript(source: string): Promise<string> {
  devtools = await page.context().newCDPSession(page);
  await devtools.send('Page.enable');
  const { identifier } = await devtools.send('Page.addScriptToEvaluateOnNewDocument', { source });
  return identifier;
}

async function removeInitScript(identifier: string): Promise<void> {
  await devtools?.send('Page.removeScriptToEvaluateOnNewDocument', { identifier });
  await page.goto(`${server.origin}/healthz`);
}

test('the button of the login page leads to where it began', async () => {
  const { userId } = await person();
  const context = page.context();
  await context.clearCookies();
  await page.goto(`${server.origin}/login?return_to=%2Fhealthz`);
  await page.click(PASSKEY_BUTTON);
  await page.waitForURL(`${server.origin}/healthz*`);
  assert.equal((await auditOf(userId)).at(-1), 'sign_in success {"methods":["passkey"]}');
  const names = (await context.cookies()).filter(({ value }) => value !== '');
  assert.ok(names.some(({ name, httpOnly }) => name === 'latchkey_session' && httpOnly));

  await context.clearCookies();
  await authenticator.clear();
  await page.goto(`${server.origin}/login`);
  await page.click(PASSKEY_BUTTON);
  const error = page.locator('[data-passkey-error]:not([hidden])');
  await error.waitFor();
  assert.equal(await error.textContent(), 'No passkey was used.');
  assert.equal(await page.locator(PASSKEY_BUTTON).isEnabled(), true);
});

test('as second factor after a password', async () => {
  const password = 'blue kettle on the roof';
  const { userId, email } = await createPerson(server, { password });
  await register(userId);
  await page.context().clearCookies();
  await page.goto(`${server.origin}/login?return_to=%2Fhealthz`);
  await page.fill('[name=email]', email);
  await page.fill('[name=password]', password);
  await page.click('button[type=submit]');
  await page.waitForURL(`${server.origin}/login/second-factor*`);
  await page.click(PASSKEY_BUTTON);
  await page.waitForURL(`${server.origin}/healthz*`);
  const methods = 'sign_in success {"methods":["password","passkey"]}';
  assert.equal((await auditOf(userId)).at(-1), methods);

  // One that was removed meanwhile does not do; what the server says is shown.
  const other = await createPerson(server, { password });
  const removed = await register(other.userId);
  await callAs(server, removed.session, 'DELETE', `/user/passkeys/${removed.id}`);
  const stolen = await authenticator.credentials();
  await register(userId);
  await page.context().clearCookies();
  await page.goto(`${server.origin}/login`);
  await page.fill('[name=email]', email);
  await page.fill('[name=password]', password);
  await page.click('button[type=submit]');
  await page.waitForURL(`${server.origin}/login/second-factor*`);
  await authenticator.clear();
  for (const credential of stolen) await authenticator.add(credential);
  await page.click(PASSKEY_BUTTON);
  const error = page.locator('[data-passkey-error]:not([hidden])');
  await error.waitFor();
  assert.equal(await error.textContent(), 'This passkey was not accepted');
});

/** Replaces the result of a function of `navigator.credentials`, as extensions do. */
const IMITATION = `(() => {
  const original = navigator.credentials.get.bind(navigator.credentials);
  navigator.credentials.get = async (options) => {
    const { id, rawId, type, response, getClientExtensionResults } = await original(options);
    const copy = Object.create(PublicKeyCredential.prototype);
    for (const [name, value] of Object.entries({ id, rawId, type, response, getClientExtensionResults }))
      Object.defineProperty(copy, name, { value });
    return copy;
  };
})()`;
const WITHOUT_JSON = `
  delete PublicKeyCredential.parseRequestOptionsFromJSON;
  delete PublicKeyCredential.parseCreationOptionsFromJSON;
  delete PublicKeyCredential.prototype.toJSON;
`;
const AS_VIEWS = `(() => {
  const original = navigator.credentials.get.bind(navigator.credentials);
  navigator.credentials.get = async (options) => {
    const { id, rawId, response } = await original(options);
    const padded = (buffer) => {
      const bytes = new Uint8Array(buffer.byteLength + 8);
      bytes.set(new Uint8Array(buffer), 4);
      return bytes.subarray(4, 4 + buffer.byteLength);
    };
    const views = {};
    for (const name of ['clientDataJSON', 'authenticatorData', 'signature', 'userHandle'])
      views[name] = response[name] && padded(response[name]);
    return { id, rawId: padded(rawId), type: 'public-key', response: views };
  };
})()`;

for (const [name, script] of [
  ['a password manager whose credential has no internal slots', IMITATION],
  ['a browser without the JSON functions', WITHOUT_JSON],
  ['a password manager that returns views of buffers', AS_VIEWS],
] as const) {
  test(name, async () => {
    const { userId } = await person();
    await page.context().clearCookies();
    const identifier = await addInitScript(script);
    await page.goto(`${server.origin}/login?return_to=%2Fhealthz`);
    await page.click(PASSKEY_BUTTON);
    await page.waitForURL(`${server.origin}/healthz*`);
    assert.equal((await auditOf(userId)).at(-1), 'sign_in success {"methods":["passkey"]}');
    await removeInitScript(identifier);
  });
}

for (const [script, words] of [
  ['delete globalThis.PublicKeyCredential', 'This browser does not support passkeys.'],
  [
    "Object.defineProperty(navigator, 'credentials', { value: undefined })",
    'This browser does not support passkeys.',
  ],
  [
    "delete globalThis.PublicKeyCredential; Object.defineProperty(globalThis, 'isSecureContext', { value: false })",
    'Passkeys require HTTPS.',
  ],
] as const) {
  test(`without passkeys, the page says why: ${script.slice(0, 40)}`, async () => {
    await page.context().clearCookies();
    const identifier = await addInitScript(script);
    await page.goto(`${server.origin}/login`);
    await page.getByText(words).waitFor();
    assert.equal(await page.locator(PASSKEY_BUTTON).count(), 0);
    await removeInitScript(identifier);
  });
}

test('the email field offers passkeys', async () => {
  const { userId } = await person();
  await page.context().clearCookies();
  // No click: the authenticator chooses at once.
  await page.goto(`${server.origin}/login?return_to=%2Fhealthz%3Fautofill`);
  await page.waitForURL(`${server.origin}/healthz*`);
  assert.equal((await auditOf(userId)).at(-1), 'sign_in success {"methods":["passkey"]}');
});

test('the button ends the offer in the email field, and an error renews it', async () => {
  await authenticator.clear();
  await page.context().clearCookies();
  const identifier = await addInitScript(`(() => {
    globalThis.requests = [];
    navigator.credentials.get = ({ mediation, signal }) => new Promise((_, reject) => {
      globalThis.requests.push(mediation ?? 'required');
      if (mediation !== 'conditional') reject(new DOMException('no', 'NotAllowedError'));
      signal?.addEventListener('abort', () => {
        globalThis.requests.push('ended');
        reject(signal.reason);
      });
    });
  })()`);
  await page.goto(`${server.origin}/login?return_to=%2Fhealthz%3Fautofill`);
  const count = () => page.evaluate<number>('globalThis.requests.length');
  const autocomplete = await page.getByLabel('Email address').getAttribute('autocomplete');
  assert.equal(autocomplete, 'username webauthn');
  await eventually('the browser is asked', async () => (await count()) === 1);
  await page.click(PASSKEY_BUTTON);
  await page.getByText('No passkey was used.').waitFor();
  await eventually('the browser is asked', async () => (await count()) === 4);
  const requests = await page.evaluate('globalThis.requests');
  assert.deepEqual(requests, ['conditional', 'ended', 'required', 'conditional']);
  await removeInitScript(identifier);
});
