import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSecret } from '../../src/lib/secrets.ts';
import { EVENT_STREAM, answer, completion, delta, head } from '../support/scripted-upstream.ts';
import { MESSAGES, entryOf } from './scripted.ts';
import { startPayloads } from './stored-payloads.ts';

const RANDOM = 'Zq7Lw2Nc9Rt4Vb6Xm1Kd8Hs3Jf5Gp0YaUeIo';
let count = 0;
/** Differs from all others, so that one which is found can be told. */
const unique = (): string => `${RANDOM}${String(++count).padStart(4, '0')}`;

test('no credential lies in the files of the databases', async (t) => {
  const bench = await startPayloads({ PROVIDER_OPENAI_API_KEY: `sk-operator-${unique()}` });
  t.after(() => bench.stop());
  const { upstream, server } = bench;
  const secrets = new Map<string, string>([['the token of the caller', server.token]]);
  const secret = (what: string, text: string): string => {
    secrets.set(what, text);
    return text;
  };
  const own = (what: string): string => secret(what, createSecret('lkat_'));
  const key = (what: string): string => secret(what, `sk-proj-${unique()}`);
  const word = (what: string): string => secret(what, unique());

  await upstream.set(
    'echo',
    answer(
      200,
      { ...completion(`Your key is ${key('in an answer')}`), api_key: word('of an answer') },
      {
        'x-session': word('in a header of an answer'),
      },
    ),
  );
  await upstream.set('stream', [head(200, EVENT_STREAM), delta(`it is ${own('in a stream')}`)]);
  await upstream.set(
    'refuses',
    answer(401, { error: { message: `Incorrect key: ${key('in a refusal')}` } }),
  );

  await bench.complete(
    'echo',
    {
      'x-own-credential': word('in a header'),
      'cf-aig-event-id': own('in an event id'),
      'cf-aig-metadata': JSON.stringify({
        note: key('in metadata'),
        password: word('of metadata'),
      }),
    },
    {
      messages: [{ role: 'user', content: `my token: ${own('in a message')}` }],
      tools: [
        {
          type: 'mcp',
          authorization: word('of a tool'),
          headers: { 'X-Tool': word('in the headers of a tool') },
        },
      ],
      metadata: { arguments: JSON.stringify({ client_secret: word('in JSON in a text') }) },
    },
  );
  await bench.complete('stream', {}, { stream: true });
  await bench.callHost('POST', 'default/openai/chat/completions', {
    body: { model: 'echo', messages: MESSAGES },
    headers: { authorization: `Bearer ${key('of the caller, for the provider')}` },
  });
  const ownKey = word('of the caller, without a known form');
  await upstream.set('repeats', answer(200, completion(`You sent ${ownKey}`)));
  await bench.callHost('POST', 'default/openai/chat/completions', {
    body: { model: 'repeats', messages: [{ role: 'user', content: `My key is ${ownKey}` }] },
    headers: { authorization: `Bearer ${ownKey}` },
  });
  const google = secret('in a query', `AIza${unique().slice(0, 35)}`);
  await bench.callHost('POST', `default/openai/models/echo?key=${google}`, {
    body: { model: 'echo' },
  });
  await bench.callHost('POST', `default/openai/${key('in a path')}/echo`, { body: {} });
  await bench.callHost('POST', `default/local/${key('in a path of this server')}`, { body: {} });
  await bench.callHost('POST', 'default/openai/echo', { body: { model: key('as a model') } });
  await bench.callHost('POST', 'default/openai/echo', {
    body: 'x',
    headers: { 'content-type': `text/plain; x=${key('in a content type')}` },
  });
  await bench.callUniversal([
    entryOf('openai', 'refuses', { headers: { authorization: `Bearer ${word('of a step')}` } }),
    entryOf('groq', 'echo', { headers: { 'api-key': word('of another step') } }),
  ]);
  assert.equal((await bench.logs()).length, 11);

  const files = await bench.filesAfterStop();
  assert.ok(
    files.includes('Your key is [redacted]'),
    'the bodies are not where they were looked for',
  );
  for (const [what, text] of secrets) assert.ok(!files.includes(text), what);
});
