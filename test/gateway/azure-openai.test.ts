import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createAzureOpenAiProvider } from '../../src/gateway/providers/azure-openai.ts';
import type { Endpoint, Operation } from '../../src/gateway/providers/provider.ts';
import { UntranslatableError } from '../../src/gateway/translators/translator.ts';

describe('azure-openai without an address of the operator', () => {
  const provider = createAzureOpenAiProvider({});

  test('the model names the resource and its deployment', () => {
    const call = { model: 'my-res/gpt-4o.mini_2', isStream: false };
    const served: [Operation, string][] = [
      ['chat/completions', 'chat/completions'],
      ['responses', 'responses'],
      ['embeddings', 'embeddings'],
      ['messages', 'chat/completions'],
    ];
    assert.deepEqual(
      Object.keys(provider.operations),
      served.map(([operation]) => operation),
    );
    for (const [operation, path] of served) {
      const support = provider.operations[operation];
      const url = `https://my-res.openai.azure.com/openai/v1/${path}`;
      assert.equal(urlOf(support?.endpoint(call)), url);
      assert.equal(support?.model?.(call), 'gpt-4o.mini_2');
      assert.equal(support.translator !== undefined, operation === 'messages');
    }
  });

  const none = ['gpt-4o', 'res/', '/gpt-4o', 'res/a/b', 'Res.x/gpt', 'res.evil.example/gpt', ''];
  for (const model of [...none, `${'r'.repeat(64)}/gpt`, `res/${'d'.repeat(65)}`, 'res/d%2f']) {
    test(`no model: ${model.slice(0, 24)}`, () => {
      const support = provider.operations['chat/completions'];
      const call = { model, isStream: false };
      const isTold = (error: unknown) =>
        error instanceof UntranslatableError && error.message.includes('{resource}/{deployment}');
      assert.throws(() => support?.endpoint(call), isTold);
      assert.throws(() => support?.model?.(call), isTold);
    });
  }

  test('the longest names that there are', () => {
    const call = { model: `${'r'.repeat(63)}/${'d'.repeat(64)}`, isStream: false };
    const url = urlOf(provider.operations.embeddings?.endpoint(call));
    assert.equal(url, `https://${'r'.repeat(63)}.openai.azure.com/openai/v1/embeddings`);
  });

  const native: [path: string, url: string | undefined][] = [
    [
      'my-res/gpt-4o/chat/completions?api-version=2024-10-21',
      'https://my-res.openai.azure.com/openai/deployments/gpt-4o/chat/completions?api-version=2024-10-21',
    ],
    ['my-res/openai/v1/responses', 'https://my-res.openai.azure.com/openai/v1/responses'],
    ['my-res/gpt-4o', undefined],
    ['my-res', undefined],
    ['my.res/gpt-4o/chat/completions', undefined],
    ['evil.example%2f/gpt-4o/chat/completions', undefined],
    ['evil.example?/gpt-4o/chat/completions', undefined],
    ['user@res/gpt-4o/chat/completions', undefined],
    ['my-res/a%2fb/chat/completions', undefined],
  ];
  for (const [path, url] of native) {
    test(`native ${path}`, () => {
      const endpoint = provider.nativeEndpoint(path);
      assert.equal(endpoint && urlOf(endpoint), url);
    });
  }

  test('the key goes into api-key, and a bearer token of the caller counts as one', () => {
    const request = {
      method: 'POST',
      endpoint: { origin: 'https://my-res.openai.azure.com', path: '/openai/v1/responses' },
      body: Buffer.from('{}'),
      nowMs: 0,
    };
    assert.deepEqual(provider.authorize('a-key', request), ['api-key', 'a-key']);
    assert.deepEqual(provider.credentialHeaders, ['api-key', 'authorization']);
  });
});

test('azure-openai: a key kept here needs a resource, the operator names it for both', () => {
  const apiKey = 'a-key';
  const open = createAzureOpenAiProvider({ apiKey });
  assert.equal(open.apiKey, undefined);
  const form = open.keyOrigin;
  assert.ok(form !== undefined && form.pattern.test(form.example));
  for (const origin of [
    'https://my-res.openai.azure.com/',
    'http://my-res.openai.azure.com',
    'https://my-res.openai.azure.com.evil.example',
    'https://openai.azure.com',
    'https://a.b.openai.azure.com',
  ]) {
    assert.ok(!form.pattern.test(origin), origin);
  }
  const named = createAzureOpenAiProvider({ apiKey, baseUrl: 'https://r.openai.azure.com' });
  assert.deepEqual([named.apiKey, named.keyOrigin], [apiKey, undefined]);
});

describe('azure-openai at the address of the operator', () => {
  const addresses = ['https://r.openai.azure.com', 'https://r.openai.azure.com/openai/v1/'];
  for (const baseUrl of addresses) {
    const provider = createAzureOpenAiProvider({ baseUrl });

    test(`${baseUrl}: the model is the deployment`, () => {
      const support = provider.operations.responses;
      const url = urlOf(support?.endpoint({ model: 'any/name', isStream: true }));
      assert.equal(url, 'https://r.openai.azure.com/openai/v1/responses');
      assert.ok(support && !('model' in support));
    });

    test(`${baseUrl}: native paths`, () => {
      const urls = {
        'other/gpt-4o/embeddings?api-version=1':
          'https://r.openai.azure.com/openai/deployments/gpt-4o/embeddings?api-version=1',
        'other/openai/v1/models': 'https://r.openai.azure.com/openai/v1/models',
        'openai/v1/models': 'https://r.openai.azure.com/openai/v1/models',
        'openai/deployments/gpt-4o/embeddings':
          'https://r.openai.azure.com/openai/deployments/gpt-4o/embeddings',
      };
      for (const [path, url] of Object.entries(urls)) {
        assert.equal(urlOf(provider.nativeEndpoint(path)), url);
      }
    });
  }
});

function urlOf(endpoint: Endpoint | undefined): string {
  assert.ok(endpoint);
  return endpoint.origin + endpoint.path;
}

describe('azure-openai: whether the usage of streams is asked for', () => {
  const paths: [path: string, isAsked: boolean][] = [
    ['res/openai/v1/chat/completions', true],
    ['res/dep/chat/completions?api-version=2024-09-01-preview', true],
    ['res/dep/chat/completions?x=y&api-version=2025-01-01', true],
    ['res/dep/chat/completions?api-version=2024-08-31', false],
    ['res/dep/chat/completions?api-version=latest', false],
    ['res/dep/chat/completions', false],
    ['res/openai/v1/responses', false],
    ['res/dep/embeddings?api-version=2025-01-01', false],
  ];
  for (const [path, isAsked] of paths) {
    test(`${path}: ${isAsked}`, () => {
      const provider = createAzureOpenAiProvider({});
      const endpoint = provider.nativeEndpoint(path);
      assert.ok(endpoint);
      assert.equal(provider.supportsIncludeUsage?.(endpoint), isAsked);
    });
  }
});
