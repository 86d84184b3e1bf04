import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import Anthropic from '@anthropic-ai/sdk';
import { createAwsBedrockProvider } from '../../src/gateway/providers/aws-bedrock/aws-bedrock.ts';
import { onEachDatabase } from '../support/databases.ts';
import { answer, completion, message } from '../support/scripted-upstream.ts';
import { startScripted } from './scripted.ts';

const HOST = 'https://bedrock-runtime.eu-central-1.amazonaws.com';

describe('messages at aws-bedrock', () => {
  const support = createAwsBedrockProvider({}).operations.messages;
  const endpointOf = (model: string): [url: string, isTranslated: boolean] => {
    const used = support?.ofModel?.(model) ?? support;
    assert.ok(used !== undefined);
    const { origin, path } = used.endpoint({ model, isStream: false });
    return [origin + path, used.translator !== undefined];
  };

  test('go to the Messages API for models of Anthropic', () => {
    for (const model of [
      'anthropic.claude-opus-5-v1:0',
      'eu.anthropic.claude-haiku-4-5-20251001-v1:0',
      'arn:aws:bedrock:eu-central-1:1:inference-profile/us.anthropic.claude-opus-5',
    ]) {
      const url = `${HOST}/anthropic/v1/messages`;
      assert.deepEqual(endpointOf(`eu-central-1/${model}`), [url, false], model);
    }
  });

  test('are translated for all other models', () => {
    for (const model of ['openai.gpt-oss-120b-1:0', 'xanthropic.claude-1', 'claude']) {
      const url = `${HOST}/openai/v1/chat/completions`;
      assert.deepEqual(endpointOf(`eu-central-1/${model}`), [url, true], model);
    }
  });
});

onEachDatabase((database) => {
  test('an unmodified Messages client reaches Claude, and chat completions take the other path', async () => {
    const origin = await startScripted(database);
    const bench = await startScripted(database, {
      settings: {
        PROVIDER_AWS_BEDROCK_BASE_URL: origin.upstream.origin,
        PROVIDER_AWS_BEDROCK_API_KEY: 'bedrock-key',
      },
    });
    try {
      const model = 'anthropic.claude-opus-5';
      await origin.upstream.set(model, answer(200, message()), answer(200, completion()));
      const client = new Anthropic({
        authToken: bench.server.token,
        apiKey: null,
        baseURL: `${bench.server.baseUrl}${bench.server.account}/ai`,
      });
      const request = {
        model: `aws-bedrock/${model}`,
        max_tokens: 2_048,
        thinking: { type: 'enabled' as const, budget_tokens: 1_024 },
        system: [
          { type: 'text' as const, text: 'a', cache_control: { type: 'ephemeral' as const } },
        ],
        messages: [{ role: 'user' as const, content: 'hello' }],
      };
      const { content } = await client.messages.create(request);
      assert.equal(content[0]?.type === 'text' && content[0].text, 'hello');
      const [sent] = await origin.upstream.requests(model);
      assert.equal(sent?.url, '/anthropic/v1/messages');
      assert.deepEqual(JSON.parse(sent.body), { ...request, model });
      const at = sent.headers.findIndex((name) => name.toLowerCase() === 'authorization');
      assert.equal(sent.headers[at + 1], 'Bearer bedrock-key');
      const chat = await bench.complete(`aws-bedrock/${model}`);
      assert.equal(chat.json.choices[0].message.content, 'hello');
      const [, second] = await origin.upstream.requests(model);
      assert.equal(second?.url, '/openai/v1/chat/completions');
    } finally {
      await bench.stop();
      await origin.stop();
    }
  });
});
