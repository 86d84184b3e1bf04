import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { newContext, sharedBrowser } from '../support/chromium.ts';
import { answer } from '../support/scripted-upstream.ts';
import { type ScriptedBench, startScripted } from '../gateway/scripted.ts';

let bench: ScriptedBench;
before(async () => {
  bench = await startScripted('sqlite');
  await bench.createGateway('open', { authentication: false });
});
after(() => bench.stop());

const SCRIPT = `document.title = 'taken over'; fetch('/from-script');`;
const FORM = `<form action="/from-form" method="post"><input name="password"></form>
  <script>document.forms[0].submit()</script>`;
const HTML = `<!doctype html><meta http-equiv="refresh" content="0;url=/from-refresh"><base href="/from-base/">
  ${FORM}<script>${SCRIPT}</script><a id="link" target="_top" href="/from-link">x</a>`;
const SVG = `<svg xmlns="http://www.w3.org/2000/svg"><script>${SCRIPT}</script></svg>`;
const XHTML = `<html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title></head><body>${FORM}</body></html>`;
const XML = `<?xml-stylesheet type="text/xsl" href="#s"?><x:script xmlns:x="http://www.w3.org/1999/xhtml">${SCRIPT}</x:script>`;
const PDF = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R/OpenAction<</S/JavaScript/JS(app.launchURL\\("/from-pdf"\\))>>>>endobj
2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj
trailer<</Root 1 0 R>>`;

const DOCUMENTS: readonly [string, string, Record<string, string>][] = [
  ['html', HTML, { 'content-type': 'text/html' }],
  ['upper-case', HTML, { 'content-type': 'TEXT/HTML; charset=utf-8' }],
  ['two-types', HTML, { 'content-type': 'application/json, text/html' }],
  ['no-type', HTML, { 'content-type': '' }],
  ['inline', HTML, { 'content-type': 'text/html', 'content-disposition': 'inline' }],
  ['xhtml', XHTML, { 'content-type': 'application/xhtml+xml' }],
  ['svg', SVG, { 'content-type': 'image/svg+xml' }],
  ['xml', XML, { 'content-type': 'text/xml' }],
  ['pdf', PDF, { 'content-type': 'application/pdf' }],
];

const urlOf = (name: string): string =>
  `${bench.server.origin}/v1/${bench.server.accountId}/open/openai/${name}`;

/** A page, and the paths that it requests besides the one that the test opens. */
async function openWatched(): Promise<{
  page: Page;
  followed: string[];
  close: () => Promise<void>;
}> {
  const context = await newContext(await sharedBrowser());
  const page = await context.newPage();
  const followed: string[] = [];
  context.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/from-')) followed.push(pathname);
  });
  return { page, followed, close: () => context.close() };
}

for (const [name, body, headers] of DOCUMENTS) {
  test(`a document of a provider is a download: ${name}`, async () => {
    await bench.upstream.set(name, answer(200, body, headers));
    const { page, followed, close } = await openWatched();
    const download = page.waitForEvent('download');
    await assert.rejects(page.goto(urlOf(name)), /Download is starting|net::ERR_ABORTED/);
    await (await download).cancel();
    assert.equal(page.url(), 'about:blank');
    assert.deepEqual(followed, []);
    await close();
  });

  test(`a document of a provider is inert also without the download: ${name}`, async () => {
    await bench.upstream.set(name, answer(200, body, headers));
    const { page, followed, close } = await openWatched();
    // A proxy in front of the server may remove the header: the policy alone must suffice.
    await page.route(urlOf(name), async (route) => {
      const response = await route.fetch();
      const { 'content-disposition': _removed, ...kept } = response.headers();
      await route.fulfill({ response, headers: kept });
    });
    await page.goto(urlOf(name)).catch(() => undefined);
    await page.waitForTimeout(300);
    assert.notEqual(await page.title(), 'taken over');
    assert.deepEqual(followed, []);
    await close();
  });
}

test('a redirect of a provider leads nowhere, and no page embeds its response', async () => {
  await bench.upstream.set(
    'away',
    answer(302, 'x', { location: 'https://elsewhere.example/', refresh: '0;url=/from-refresh' }),
  );
  await bench.upstream.set('text', answer(200, 'text', {}));
  const { page, followed, close } = await openWatched();
  await page.goto(urlOf('away')).catch(() => undefined);
  assert.doesNotMatch(page.url(), /elsewhere/);
  await page.goto(urlOf('text'));
  assert.equal(await page.textContent('body'), 'text');
  const asked = await page.evaluate('window.origin');
  assert.equal(asked, 'null');
  assert.deepEqual(followed, []);
  await close();
});
