import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { onEachDatabase } from '../support/databases.ts';
import {
  EVENT_STREAM,
  HANG,
  answer,
  completion,
  delta,
  head,
  message,
} from '../support/scripted-upstream.ts';
import { request } from '../support/server.ts';
import { headerOf } from '../support/upstream-process.ts';
import { type ScriptedBench, entryOf, startScripted } from './scripted.ts';

const failing = (status: number) => answer(status, { error: { message: `says ${status}` } });

onEachDatabase((database) => {
  let bench: ScriptedBench;
  before(async () => {
    bench = await startScripted(database);
    await bench.upstream.set('fine', answer(200, completion('fine')));
    await bench.upstream.set('gone', failing(404));
  });
  after(() => bench.stop());

  const call: ScriptedBench['callUniversal'] = (...args) => bench.callUniversal(...args);
  const set: ScriptedBench['upstream']['set'] = (...args) => bench.upstream.set(...args);

  async function calls(name: string): Promise<number> {
    return (await bench.upstream.requests(name)).length;
  }

  test('a model of this server gives way like any other', async () => {
    const { status, headers } = await call([
      entryOf('local', 'nothing'),
      entryOf('openai', 'fine'),
    ]);
    assert.deepEqual([status, headers.get('cf-aig-step')], [200, '1']);
    const alone = await call([entryOf('openai', 'gone'), entryOf('local', 'nothing')]);
    assert.deepEqual([alone.status, alone.headers.get('cf-aig-step')], [404, '1']);
  });

  test('a query arrives with its integers, however large', async () => {
    const entry = '{"provider":"openai","endpoint":"chat/completions","query":';
    const query = '{"model":"fine","seed":12345678901234567890}';
    assert.equal((await call(`[${entry}${query}}]`)).status, 200);
    assert.equal((await bench.upstream.requests('fine')).at(-1)?.body, query);
  });

  test('in order until one answers; each try has its row', async () => {
    await set('first', failing(500));
    await set('second', failing(429));
    await set('third', answer(200, completion('third')));
    const { status, json, headers } = await call(
      [
        entryOf('openai', 'first'),
        entryOf('groq', 'second'),
        entryOf('openai', 'third'),
        entryOf('openai', 'fourth'),
      ],
      { 'cf-aig-event-id': 'fallback-1' },
    );
    assert.deepEqual([status, json.choices[0].message.content], [200, 'third']);
    assert.deepEqual([headers.get('cf-aig-step'), headers.get('cf-aig-model')], ['2', 'third']);
    assert.equal(await calls('fourth'), 0);
    const rows = (await bench.logs()).filter((log) => log.event_id === 'fallback-1');
    assert.deepEqual(
      rows
        .map(({ step, provider, model, status_code: logged }) => [step, provider, model, logged])
        .toSorted(([a], [b]) => Number(a) - Number(b)),
      [
        [0, 'openai', 'first', 500],
        [1, 'groq', 'second', 429],
        [2, 'openai', 'third', 200],
      ],
    );
    assert.equal(new Set(rows.map(({ id }) => id)).size, 3);
    assert.equal(rows.find(({ step }) => step === 2).id, headers.get('cf-aig-log-id'));
  });

  test('the first answers: nobody else is called', async () => {
    const { headers, json } = await call([entryOf('openai', 'fine'), entryOf('groq', 'unneeded')]);
    assert.deepEqual([headers.get('cf-aig-step'), json.choices[0].message.content], ['0', 'fine']);
    assert.equal(await calls('unneeded'), 0);
  });

  test('none answers: the last failure passes as it is', async () => {
    await set('bad', failing(500));
    await set('worse', failing(404));
    const { status, json, headers } = await call([
      entryOf('openai', 'bad'),
      entryOf('groq', 'worse'),
    ]);
    assert.deepEqual([status, json.error.message], [404, 'says 404']);
    assert.deepEqual([headers.get('cf-aig-step'), headers.get('cf-aig-provider')], ['1', 'groq']);
    assert.equal(json.name, undefined);
  });

  test('whatever is wrong: a refusal, a provider that is not there, one that is too slow', async () => {
    await set('unauthorized', failing(401));
    await set('slow', [HANG]);
    const steps = [
      entryOf('openai', 'unauthorized'),
      entryOf('mistral', 'not-there'),
      entryOf('openai', 'slow', { config: { requestTimeout: 40 } }),
    ];
    const { status, headers } = await call([...steps, entryOf('openai', 'fine')]);
    assert.deepEqual([status, headers.get('cf-aig-step')], [200, '3']);
    const none = await call(steps);
    assert.deepEqual([none.status, none.code], [504, 2006]);
    const notThere = await call(steps.slice(0, 2));
    assert.deepEqual(
      [notThere.status, notThere.code, notThere.json.name],
      [502, 2005, 'AiGatewayError'],
    );
  });

  test('a stream is one once it has begun, whatever becomes of it', async () => {
    await set('streaming', [head(200, { ...EVENT_STREAM, 'content-length': '999' }), delta('one')]);
    const { status, text, headers } = await call([
      entryOf('openai', 'streaming'),
      entryOf('openai', 'unneeded'),
    ]);
    assert.deepEqual([status, headers.get('cf-aig-step')], [200, '0']);
    assert.match(text, /"2005"/);
    assert.equal(await calls('unneeded'), 0);
  });

  test("compat entries name their provider in the model, and speak OpenAI's words", async () => {
    await set('claude', answer(200, message('from claude')));
    await set('weak', failing(503));
    const { status, json, headers } = await call([
      entryOf('compat', 'groq/weak'),
      { ...entryOf('compat', 'anthropic/claude'), endpoint: '/chat/completions' },
    ]);
    assert.deepEqual([status, json.choices[0].message.content], [200, 'from claude']);
    assert.equal(headers.get('cf-aig-provider'), 'anthropic');
  });

  test('an entry goes before the request, and the request before the gateway', async () => {
    await bench.createGateway('patient', { retry_max_attempts: 3, retry_delay: 0 });
    for (const name of ['by-gateway', 'by-request', 'by-entry']) await set(name, failing(500));
    const onGateway = (entries: unknown, headers: Record<string, string> = {}) =>
      bench.callHost('POST', 'patient', { body: entries, headers });
    await onGateway([entryOf('openai', 'by-gateway')]);
    assert.equal(await calls('by-gateway'), 3);
    await onGateway(
      [
        entryOf('openai', 'by-request'),
        entryOf('openai', 'by-entry', { config: { maxAttempts: 1 } }),
      ],
      { 'cf-aig-max-attempts': '2' },
    );
    assert.deepEqual([await calls('by-request'), await calls('by-entry')], [2, 1]);
  });

  test('16 entries pass, 17 do not', async () => {
    const entries = (count: number) =>
      Array.from({ length: count }, () => entryOf('local', 'echo'));
    assert.equal((await call(entries(16))).status, 200);
    const { status, code } = await call(entries(17));
    assert.deepEqual([status, code], [400, 2020]);
  });

  const bad: [string, unknown, number, RegExp][] = [
    ['no list', {}, 2020, /list/],
    ['an empty list', [], 2020, /list/],
    ['not JSON', '[{', 2020, /list/],
    ['no provider', [{ endpoint: 'x', query: {} }], 2020, /\/0/],
    ['a second one that is none', [entryOf('openai', 'untouched'), 5], 2020, /\/1/],
    [
      'a header that is no text',
      [{ ...entryOf('openai', 'untouched'), headers: { a: 1 } }],
      2020,
      /\/0/,
    ],
    [
      'a header that is no text, under a name of two lines',
      [{ ...entryOf('openai', 'untouched'), headers: { 'a\nb': 1 } }],
      2020,
      /\/0/,
    ],
    [
      'an option that there is not',
      [entryOf('openai', 'untouched', { config: { retries: 5 } })],
      2020,
      /retries/,
    ],
    [
      'an option out of its limits',
      [
        entryOf('openai', 'untouched'),
        entryOf('openai', 'untouched', { config: { maxAttempts: 6 } }),
      ],
      2022,
      /max-attempts/,
    ],
    [
      'an unknown provider',
      [entryOf('openai', 'untouched'), entryOf('nowhere', 'x')],
      2008,
      /nowhere/,
    ],
    [
      'a path that climbs out',
      [entryOf('openai', 'untouched'), { ...entryOf('openai', 'x'), endpoint: '../admin' }],
      2026,
      /path/,
    ],
    [
      'no provider in the model',
      [entryOf('openai', 'untouched'), entryOf('compat', 'no-prefix')],
      2019,
      /provider/,
    ],
  ];
  for (const [what, body, expected, reason] of bad) {
    test(`400/${expected} before anybody is called: ${what}`, async () => {
      const { status, code, json } = await call(body);
      assert.deepEqual([status, code], [400, expected]);
      assert.match(json.error[0].message, reason);
      assert.equal(await calls('untouched'), 0);
    });
  }

  test('a stored key that is used up makes the next one step in', async () => {
    const path = `${bench.server.account}/ai-gateway/gateways/default/provider_configs`;
    const body = {
      alias: 'scarce',
      default_config: false,
      provider_slug: 'openai',
      secret: 'sk-scarce-0123456789',
      rate_limit: 1,
      rate_limit_period: 86_400,
    };
    assert.equal((await bench.server.call('POST', path, { body })).status, 200);
    const scarce = entryOf('openai', 'scarce', { headers: { 'cf-aig-byok-alias': 'scarce' } });
    await set('scarce', answer(200, completion()));
    assert.equal((await call([scarce])).headers.get('cf-aig-step'), '0');
    assert.equal(
      headerOf((await bench.upstream.requests('scarce'))[0], 'authorization'),
      'Bearer sk-scarce-0123456789',
    );
    assert.equal((await call([scarce, entryOf('openai', 'fine')])).headers.get('cf-aig-step'), '1');
    assert.equal(await calls('scarce'), 1);
    const alone = await call([scarce]);
    assert.deepEqual([alone.status, alone.code], [429, 2003]);
    assert.ok(Number(alone.headers.get('retry-after')) > 0);
    // An alias that there is not makes it so too.
    const missing = entryOf('openai', 'untouched', { headers: { 'cf-aig-byok-alias': 'none' } });
    assert.equal((await call([missing, entryOf('openai', 'fine')])).status, 200);
    const missingAlone = await call([missing]);
    assert.deepEqual([missingAlone.status, missingAlone.code], [400, 2040]);
  });

  test('each retry counts against the limit of a stored key', async () => {
    const path = `${bench.server.account}/ai-gateway/gateways/default/provider_configs`;
    const body = {
      alias: 'limited',
      default_config: false,
      provider_slug: 'openai',
      secret: 'sk-limited-0123456789',
      rate_limit: 2,
      rate_limit_period: 86_400,
    };
    assert.equal((await bench.server.call('POST', path, { body })).status, 200);
    await set('limited', answer(500, completion()));
    const headers = {
      'cf-aig-byok-alias': 'limited',
      'cf-aig-max-attempts': '5',
      'cf-aig-retry-delay': '1',
    };
    const refused = await call([entryOf('openai', 'limited', { headers })]);
    assert.deepEqual([refused.status, refused.code], [429, 2003]);
    assert.equal(await calls('limited'), 2);
  });

  test('so does a spend limit that is reached', async () => {
    await bench.createGateway('frugal', {
      spend_limits: {
        enabled: true,
        rules: [
          {
            limit: 0.01,
            window: 86_400,
            limitType: 'cost',
            provider: { mode: 'filter', values: ['openai'] },
          },
        ],
      },
    });
    const costly = entryOf('openai', 'fine', {
      headers: { 'cf-aig-custom-cost': '{"per_token_in":1,"per_token_out":1}' },
    });
    const onFrugal = (entries: unknown) => bench.callHost('POST', 'frugal', { body: entries });
    assert.equal((await onFrugal([costly])).headers.get('cf-aig-step'), '0');
    await set('cheap', answer(200, completion()));
    const second = await onFrugal([costly, entryOf('groq', 'cheap')]);
    assert.deepEqual([second.status, second.headers.get('cf-aig-step')], [200, '1']);
    const alone = await onFrugal([costly]);
    assert.deepEqual([alone.status, alone.code], [429, 2011]);
  });

  test('401/2009: nobody without a credential', async () => {
    const { status, code } = await request(
      'POST',
      `${bench.server.origin}/v1/${bench.server.accountId}/default`,
      { body: [entryOf('openai', 'untouched')] },
    );
    assert.deepEqual([status, code], [401, 2009]);
    assert.equal(await calls('untouched'), 0);
  });

  test('405/7001 for other methods', async () => {
    const { status, json } = await bench.callHost('GET', 'default');
    assert.deepEqual([status, json.internalCode], [405, 7001]);
  });

  test("an entry's headers go to its provider alone; a credential of ours never does", async () => {
    const { token } = bench.server;
    await set('keyed', failing(500));
    await set('other', answer(200, completion()));
    await call([
      entryOf('openai', 'keyed', {
        headers: {
          Authorization: 'Bearer sk-mine',
          'x-own': '1',
          'x-api-key': token,
          'x-elsewhere': `token=${token}`,
        },
      }),
      entryOf('groq', 'other', {
        headers: { authorization: `Bearer ${token}`, 'x-api-key': token, 'cf-aig-cache-ttl': '0' },
      }),
    ]);
    const [keyed] = await bench.upstream.requests('keyed');
    const [other] = await bench.upstream.requests('other');
    assert.ok(keyed && other);
    assert.equal(headerOf(keyed, 'authorization'), 'Bearer sk-mine');
    assert.equal(headerOf(keyed, 'x-own'), '1');
    assert.equal(keyed.headers.join('\n').includes(token), false);
    assert.equal(headerOf(other, 'authorization'), 'Bearer sk-groq');
    assert.equal(headerOf(other, 'x-own'), undefined);
    assert.equal(headerOf(other, 'cf-aig-cache-ttl'), undefined);
    assert.equal(other.headers.join('\n').includes(token), false);
  });
});
