import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { gatewayBody } from '../../gateway/gateway-bodies.ts';
import { echo } from '../../gateway/limit-nodes.ts';
import { sharedBrowser } from '../../support/chromium.ts';
import { checkAccessibility, checkFits, openDashboard } from '../../support/dashboard.ts';
import { eventually } from '../../support/eventually.ts';
import { type TestServer, bootServer } from '../../support/server.ts';

let server: TestServer;
let browser: Browser;
before(async () => {
  server = await bootServer('sqlite');
  browser = await sharedBrowser();
});
after(() => server.stop());

const DAY_SECONDS = 86_400;

test('a row of analytics by tag leads to a limit that the gateways with the tag share', async (t) => {
  const { account } = server;
  for (const id of ['search', 'chat']) {
    await server.call('POST', `${account}/ai-gateway/gateways`, { body: gatewayBody(id) });
    const tags = { resource_type: 'ai_gateway', resource_id: id, tags: { team: 'ml' } };
    assert.equal((await server.call('PUT', `${account}/tags`, { body: tags })).status, 200);
    assert.equal((await echo(server, id)).status, 200);
  }
  await eventually('the requests are counted', async () => {
    const path = `${account}/ai-gateway/analytics?group_by=tag.team`;
    const { json } = await server.call('GET', path);
    return json.result?.totals?.requests === 2;
  });
  const path = `${account}/ai-gateway/analytics?by=tag.team`;
  const { page } = await openDashboard(t, server, browser, { path });
  await page.getByRole('link', { name: 'Set a limit for ml' }).click();
  await page.getByRole('heading', { name: 'Spend limits', level: 1 }).waitFor();

  const rule = page.getByRole('listitem', { name: 'Rule 1' });
  await rule.getByLabel('US dollars').fill('0');
  assert.equal(await rule.getByLabel('Tag', { exact: true }).inputValue(), 'team');
  assert.equal(await rule.getByLabel('Values').inputValue(), 'ml');
  await page.getByRole('button', { name: 'Save' }).click();
  await rule.getByText('Enter 0.000001 to 1,000,000 dollars.').waitFor();
  await rule.getByLabel('US dollars').fill('20');
  await rule.getByText('of requests with gateway tag team ml together').waitFor();
  await checkAccessibility(page);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Spend limits saved', { exact: true }).waitFor();
  await page.getByText('$0.00 of $20.00').waitFor();
  await checkFits(page);

  const { json } = await server.call('GET', `${account}/ai-gateway/spend-limits`);
  const [{ id: _id, ...stored }] = json.result.rules;
  assert.deepEqual(stored, {
    enabled: true,
    limit: 20,
    limitType: 'cost',
    window: DAY_SECONDS,
    technique: 'fixed',
    unpriced: 'estimate',
    gateway_tags: { team: { mode: 'filter', values: ['ml'] } },
  });
  const limited = await echo(server, 'chat');
  assert.equal(limited.headers.get('cf-aig-budget-limit'), '20');

  await rule.getByRole('button', { name: 'Edit rule 1' }).click();
  // The server names the place of a fault in the body, and the form shows it there.
  await rule.getByLabel('Values').fill('x'.repeat(2_049));
  await page.getByRole('button', { name: 'Save' }).click();
  await rule.getByText('must NOT have more than 2048 characters').waitFor();
});
