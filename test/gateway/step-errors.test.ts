import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { onEachDatabase } from '../support/databases.ts';
import { eventually } from '../support/eventually.ts';
import { answer, completion } from '../support/scripted-upstream.ts';
import { type Entry, type ScriptedBench, entryOf, startScripted } from './scripted.ts';

/** One step of a universal request, and the result if no other step follows. */
interface Case {
  entry: Entry;
  status: number;
  /** Code of the error; undefined: the response is that of the provider. */
  code?: number;
  /** The request is rejected before the first step. */
  isInvalid?: true;
  /** No provider is called, so that the log has no row. */
  isUncalled?: true;
}

const withHeaders = (headers: Record<string, string>): Entry =>
  entryOf('openai', 'untouched', { headers });

const CASES: readonly Case[] = [
  { entry: entryOf('openai', 'fine'), status: 200 },
  { entry: entryOf('local', 'echo'), status: 200 },
  { entry: entryOf('local', 'nothing'), status: 404 },
  { entry: entryOf('openai', 'rejected'), status: 404 },
  {
    entry: entryOf('openai', 'overloaded', { config: { maxAttempts: 2, retryDelay: 0 } }),
    status: 529,
  },
  { entry: entryOf('mistral', 'unreachable'), status: 502, code: 2005 },
  {
    entry: withHeaders({ 'cf-aig-byok-alias': 'missing' }),
    status: 400,
    code: 2040,
    isUncalled: true,
  },
  {
    entry: entryOf('groq', 'unpriced-model'),
    status: 400,
    code: 2030,
    isUncalled: true,
  },
  {
    entry: withHeaders({ 'cf-aig-skip-cache': 'perhaps' }),
    status: 400,
    code: 2022,
    isInvalid: true,
  },
  { entry: entryOf('nowhere', 'x'), status: 400, code: 2008, isInvalid: true },
];

/** The result of a universal request by its steps: the first success, or else the error of the last step. */
function expected(cases: readonly Case[]) {
  const invalid = cases.find(({ isInvalid }) => isInvalid);
  if (invalid !== undefined) return { status: invalid.status, code: invalid.code, rows: [] };
  const success = cases.findIndex(({ status }) => status === 200);
  const run = success < 0 ? cases : cases.slice(0, success + 1);
  const last = run.at(-1);
  assert.ok(last);
  const rows = run.flatMap(({ status, isUncalled }, step) =>
    isUncalled === true ? [] : [`${step}: ${status}`],
  );
  return { status: last.status, code: last.code, rows };
}

onEachDatabase((database) => {
  let bench: ScriptedBench;
  let count = 0;
  before(async () => {
    bench = await startScripted(database);
    await bench.upstream.set('fine', answer(200, completion()));
    await bench.upstream.set('rejected', answer(404, { error: { message: 'no such model' } }));
    await bench.upstream.set('overloaded', answer(529, { error: { message: 'overloaded' } }));
    const groq = { mode: 'filter', values: ['groq'] };
    const rule = {
      limit: 1,
      window: 86_400,
      limitType: 'cost',
      provider: groq,
      unpriced: 'refuse',
    };
    await bench.updateGateway('default', { spend_limits: { enabled: true, rules: [rule] } });
  });
  after(() => bench.stop());

  async function rowsOf(eventId: string): Promise<string[]> {
    const rows = (await bench.logs()).filter(({ event_id: id }) => id === eventId);
    return rows.map(({ step, status_code: status }) => `${step}: ${status}`).toSorted();
  }

  test('the client receives the first success or the last error, and each call has one row', async () => {
    const steps = fc.array(fc.constantFrom(...CASES), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(steps, async (cases) => {
        const eventId = `steps-${database}-${++count}`;
        const entries = cases.map(({ entry }) => entry);
        const { status, code, rows } = expected(cases);
        const response = await bench.callUniversal(entries, { 'cf-aig-event-id': eventId });
        assert.equal(response.status, status);
        assert.equal(response.json.internalCode, code);
        let found: string[] = [];
        await eventually(`rows ${rows.join()} for ${eventId}`, async () => {
          found = await rowsOf(eventId);
          return found.length >= rows.length;
        });
        assert.deepEqual(found, rows);
      }),
      { numRuns: 60 },
    );
    assert.equal((await bench.upstream.requests('untouched')).length, 0);
  });

  test('400/2040 is reported before 429/2011: a wrong key before an exhausted spend limit', async () => {
    const rule = { limit: 0.000_001, window: 86_400, limitType: 'cost' };
    await bench.createGateway('spent', { spend_limits: { enabled: true, rules: [rule] } });
    const price = { 'cf-aig-custom-cost': '{"per_token_in":1,"per_token_out":1}' };
    const call = (headers: Record<string, string>) => {
      const body = [entryOf('openai', 'fine', { headers: { ...price, ...headers } })];
      return bench.callHost('POST', 'spent', { body });
    };
    // Without an output limit, a call passes as long as any budget is left.
    assert.equal((await call({})).status, 200);
    assert.equal((await call({})).code, 2011);
    assert.equal((await call({ 'cf-aig-byok-alias': 'missing' })).code, 2040);
  });
});
