import assert from 'node:assert/strict';
import { afterEach, before, describe, test } from 'node:test';
import { type Provider, updatePrices, waitForUpdate } from '@pydantic/genai-prices';
import { createPrices } from '../../src/gateway/pricing/cost.ts';
import type { Usage } from '../../src/gateway/usage/usage.ts';
import { eventually } from '../support/eventually.ts';
import { startFileServer } from '../support/file-server.ts';
import { type Json, bootServer } from '../support/server.ts';

const AT_MS = Date.UTC(2026, 10, 1, 12);
const USAGE: Usage = {
  tokensIn: 1_000,
  tokensOut: 100,
  cacheReadTokens: null,
  cacheWriteTokens: null,
};

interface Context {
  after(work: () => unknown): void;
}

let bundled: Provider[] | null = null;
before(async () => {
  bundled = await waitForUpdate();
});
// The package keeps one table for the whole process, and other tests reckon with it.
afterEach(() => updatePrices(({ setProviderData }) => setProviderData(bundled)));

/** A table in which one provider has one model. */
function tableOf(model: string, prices: object = { input_mtok: 2, output_mtok: 10 }): Provider[] {
  const only = { id: model, name: model, match: { equals: model }, prices };
  const openai = { id: 'openai', name: 'OpenAI', api_pattern: 'openai', models: [only] };
  return [openai] as unknown as Provider[];
}

/** Serves these bytes, and boots a server that asks for them. */
async function bootWith(t: Context, content: string | Buffer, status = 200) {
  const source = await startFileServer(t);
  source.answer = (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(content);
  };
  const server = await bootServer('sqlite', {
    settings: {
      PROVIDER_OPENAI_API_KEY: 'sk-stored',
      PRICES_URL: `${source.origin}/prices.json`,
      PRICES_REFRESH_HOURS: '1',
    },
  });
  t.after(() => server.stop());
  const models = async (): Promise<string[]> => {
    const { json } = await server.call('GET', `${server.account}/ai/v1/models`);
    const ids: string[] = json.data.map(({ id }: Json) => id);
    return ids.filter((id) => id.startsWith('openai/'));
  };
  return { server, source, models };
}

describe('the table of public prices', () => {
  test('another one takes the place of the one there is', async () => {
    const prices = createPrices((error) => assert.fail(error));
    assert.equal(await prices.costOf('openai', 'gpt-4o-mini', USAGE, AT_MS), 210_000);
    assert.equal(await prices.costOf('openai', 'gpt-new', USAGE, AT_MS), null);
    await prices.replaceTable(tableOf('gpt-new'));
    assert.equal(await prices.costOf('openai', 'gpt-new', USAGE, AT_MS), 3_000_000);
    assert.equal(await prices.costOf('openai', 'gpt-4o-mini', USAGE, AT_MS), null);
    await prices.replaceTable(tableOf('gpt-new', { input_mtok: 1, output_mtok: 0 }));
    assert.equal(await prices.costOf('openai', 'gpt-new', USAGE, AT_MS), 1_000_000);
  });

  test('a table that came before the first request counts', async () => {
    const prices = createPrices((error) => assert.fail(error));
    await prices.replaceTable(tableOf('gpt-new'));
    assert.equal(await prices.costOf('openai', 'gpt-new', USAGE, AT_MS), 3_000_000);
  });

  const faults: [what: string, table: unknown][] = [
    ['an object', {}],
    ['null', null],
    ['an empty list', []],
    ['a list of nothing', [null]],
    ['providers without models', [{ id: 'openai', models: [] }]],
    ['a provider among others that has no models', [...tableOf('gpt-4'), { id: 'other' }]],
    ['a condition that nobody knows', tableOf('x', [{ constraint: { on: 1 }, prices: {} }])],
    [
      'an expression that is none',
      [...tableOf('gpt-4'), { id: 'other', models: [{ id: 'x', match: { regex: '(' } }] }],
    ],
  ];
  for (const [what, table] of faults) {
    test(`${what} leaves it as it was`, async () => {
      const prices = createPrices((error) => assert.fail(error));
      await prices.replaceTable(tableOf('gpt-new'));
      await assert.rejects(prices.replaceTable(table), { message: 'invalid price table' });
      assert.equal(await prices.costOf('openai', 'gpt-new', USAGE, AT_MS), 3_000_000);
    });
  }

  test('a price that cannot be understood is unknown, and is reported', async () => {
    const troubles: string[] = [];
    const prices = createPrices((_error, message) => troubles.push(message));
    await prices.replaceTable(
      tableOf('gpt-new', { input_mtok: { tiers: 'none' }, output_mtok: 1 }),
    );
    assert.equal(await prices.costOf('openai', 'gpt-new', USAGE, AT_MS), null);
    assert.deepEqual(troubles, ['failed to read the price of openai/gpt-new']);
  });

  test('a server fetches it at its start', async (t) => {
    const { server, source, models } = await bootWith(t, JSON.stringify(tableOf('gpt-new')));
    await eventually('the table', async () => (await models()).join() === 'openai/gpt-new');
    assert.deepEqual(source.requests, ['/prices.json']);
    assert.equal(
      server.logLines.some((line) => line.includes('model-prices')),
      false,
    );
  });

  const failures: [what: string, content: string | Buffer, status: number, reason: RegExp][] = [
    ['an error', 'no', 500, /responded with status 500/],
    ['what is not valid JSON', '[', 200, /is not valid JSON/],
    ['what is no table', '[]', 200, /invalid price table/],
    [
      'an answer without end',
      Buffer.alloc(16 * 1024 * 1024 + 1, ' '),
      200,
      /is larger than 16777216/,
    ],
  ];
  for (const [what, content, status, reason] of failures) {
    test(`a server reports ${what}, and keeps the table that it has`, async (t) => {
      const { server, models } = await bootWith(t, content, status);
      const isReported = (line: string): boolean =>
        line.includes('the periodic job \\"model-prices\\" failed') && reason.test(line);
      await eventually('the report', async () => server.logLines.some(isReported));
      assert.ok((await models()).includes('openai/gpt-4o-mini'));
    });
  }

  test('a server that is not told to fetches nothing', async (t) => {
    const server = await bootServer('sqlite', {
      settings: { PROVIDER_OPENAI_API_KEY: 'sk-stored' },
    });
    t.after(() => server.stop());
    assert.equal(
      server.logLines.some((line) => line.includes('model-prices')),
      false,
    );
    const { json } = await server.call('GET', `${server.account}/ai/v1/models`);
    assert.ok(json.data.some(({ id }: Json) => id === 'openai/gpt-4o-mini'));
  });

  test('a server whose source does not answer stops in time', async (t) => {
    const asked = Promise.withResolvers<void>();
    const source = await startFileServer(t);
    source.answer = () => asked.resolve();
    const server = await bootServer('sqlite', { settings: { PRICES_URL: source.origin } });
    await asked.promise;
    await server.stop();
    assert.equal(
      server.logLines.some((line) => line.includes('did not stop')),
      false,
    );
    assert.equal(
      server.logLines.some((line) => line.includes('failed and will be')),
      false,
    );
  });
});
