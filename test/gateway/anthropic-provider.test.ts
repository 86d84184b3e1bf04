import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createAnthropicProvider } from '../../src/gateway/providers/anthropic.ts';

const CALL = { model: 'claude-opus-5', isStream: false };

describe('where requests go', () => {
  const cases: [baseUrl: string | undefined, root: string][] = [
    [undefined, 'https://api.anthropic.com'],
    ['https://api.anthropic.com/v1', 'https://api.anthropic.com'],
    ['https://api.anthropic.com/v1/', 'https://api.anthropic.com'],
    ['http://10.0.0.7:8080', 'http://10.0.0.7:8080'],
    ['https://proxy.example/anthropic/', 'https://proxy.example/anthropic'],
    ['https://proxy.example/anthropic/v1', 'https://proxy.example/anthropic'],
  ];
  for (const [baseUrl, root] of cases) {
    test(baseUrl ?? 'by default', () => {
      const provider = createAnthropicProvider(baseUrl === undefined ? {} : { baseUrl });
      const { operations } = provider;
      const addresses = [
        operations.messages?.endpoint(CALL),
        operations['chat/completions']?.endpoint(CALL),
        operations['messages/count_tokens']?.endpoint(CALL),
        provider.nativeEndpoint('v1/models?limit=2'),
      ];
      assert.deepEqual(
        addresses.map((endpoint) => `${endpoint?.origin}${endpoint?.path}`),
        [
          `${root}/v1/messages`,
          `${root}/v1/messages`,
          `${root}/v1/messages/count_tokens`,
          `${root}/v1/models?limit=2`,
        ],
      );
    });
  }
});

test('it serves what it has, and lends its key', async () => {
  const provider = createAnthropicProvider({ apiKey: 'sk-ant-x' });
  assert.deepEqual(Object.keys(provider.operations).toSorted(), [
    'chat/completions',
    'messages',
    'messages/count_tokens',
    'responses',
  ]);
  const endpoint = { origin: 'https://api.anthropic.com', path: '/v1/messages' };
  const request = { method: 'POST', endpoint, body: Buffer.alloc(0), nowMs: 0 };
  assert.deepEqual(await provider.authorize('sk-ant-x', request), ['x-api-key', 'sk-ant-x']);
  assert.equal(provider.apiKey, 'sk-ant-x');
});
