import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import OpenAI from 'openai';
import { onEachDatabase } from '../support/databases.ts';
import { answer, head } from '../support/scripted-upstream.ts';
import type { Answer } from '../support/server.ts';
import { type ScriptedBench, startScripted } from './scripted.ts';

const VECTOR = [0.5, -1, 0.25, 0, 1e-3, 3, 7, 8];
const base64 = (vector: readonly number[]): string =>
  Buffer.from(Float32Array.from(vector).buffer).toString('base64');
const embeddings = (...vectors: unknown[]): object => ({
  object: 'list',
  data: vectors.map((embedding, index) => ({ object: 'embedding', index, embedding })),
  model: 'e',
  usage: { prompt_tokens: 5, total_tokens: 5 },
});

onEachDatabase((database) => {
  describe('embeddings in base64', () => {
    let bench: ScriptedBench;
    before(async () => {
      bench = await startScripted(database);
    });
    after(() => bench.stop());

    const call = (body: object): Promise<Answer> =>
      bench.server.call('POST', `${bench.server.account}/ai/v1/embeddings`, {
        body: { model: 'openai/e', input: 'hello', ...body },
      });
    const encodedOf = async (): Promise<Answer> => call({ encoding_format: 'base64' });

    test('are written for a provider that has lists of numbers only', async () => {
      await bench.upstream.set('e', answer(200, embeddings(VECTOR, [1, 2])));
      const { json } = await encodedOf();
      assert.deepEqual(json, embeddings(base64(VECTOR), base64([1, 2])));
      const [row] = await bench.logs();
      assert.deepEqual([row.success, row.tokens_in], [true, 5]);
    });

    test('an unmodified client decodes them', async () => {
      await bench.upstream.set('e', answer(200, embeddings(VECTOR)));
      const client = new OpenAI({
        apiKey: bench.server.token,
        baseURL: `${bench.server.baseUrl}${bench.server.account}/ai/v1`,
      });
      const { data } = await client.embeddings.create({ model: 'openai/e', input: 'hello' });
      assert.deepEqual(data[0]?.embedding, [...Float32Array.from(VECTOR)]);
    });

    test('pass as they are where the provider writes them', async () => {
      const body = ` ${JSON.stringify(embeddings(base64(VECTOR)))}\n`;
      await bench.upstream.set('e', [
        head(200, { 'content-type': 'application/json' }),
        body.slice(0, 60),
        { waitMs: 20 },
        body.slice(60),
      ]);
      assert.equal((await encodedOf()).text, body);
    });

    test('are not written for a client that wants numbers, or does not say', async () => {
      await bench.upstream.set('e', answer(200, embeddings(VECTOR)));
      for (const body of [
        {},
        { encoding_format: 'float' },
        { input: 'encoding_format: "base64"' },
        { input: ['"encoding_format":"base64"'] },
      ]) {
        assert.deepEqual((await call(body)).json, embeddings(VECTOR));
      }
    });

    test('compressed and long responses, and what is none', async () => {
      const zipped = gzipSync(JSON.stringify(embeddings(VECTOR)));
      await bench.upstream.set('e', [
        head(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }),
        { base64: zipped.toString('base64') },
      ]);
      assert.deepEqual((await encodedOf()).json, embeddings(base64(VECTOR)));
      const long = Array.from({ length: 20_000 }, (_, index) => index / 7);
      await bench.upstream.set('e', answer(200, embeddings(long, long)));
      assert.deepEqual((await encodedOf()).json, embeddings(base64(long), base64(long)));
      for (const other of [embeddings(['a']), embeddings(null), { data: [] }, { job: 'x' }]) {
        await bench.upstream.set('e', answer(200, other));
        assert.deepEqual((await encodedOf()).json, other);
      }
      await bench.upstream.set('e', answer(400, { error: { message: 'no' } }));
      assert.equal((await encodedOf()).status, 400);
    });
  });
});
