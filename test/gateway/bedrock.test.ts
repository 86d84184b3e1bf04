import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createAwsBedrockProvider } from '../../src/gateway/providers/aws-bedrock/aws-bedrock.ts';
import { signRequest } from '../../src/gateway/providers/aws-bedrock/signature.ts';
import type { Endpoint, OutgoingRequest } from '../../src/gateway/providers/provider.ts';
import { UntranslatableError } from '../../src/gateway/translators/translator.ts';
import {
  ACCESS_KEY_ID,
  SECRET_ACCESS_KEY,
  SIGNED_AT_MS,
  independentlySigned,
} from './aws-signature.ts';

describe('aws-bedrock: addresses', () => {
  const REGIONLESS = createAwsBedrockProvider({});

  test('the model names the region', () => {
    const call = { model: 'eu-central-1/openai.gpt-oss-120b-1:0', isStream: false };
    const host = 'https://bedrock-runtime.eu-central-1.amazonaws.com';
    const served = { 'chat/completions': 'chat/completions', responses: 'responses' } as const;
    for (const [operation, path] of Object.entries({ ...served, messages: 'chat/completions' })) {
      const support = REGIONLESS.operations[operation as keyof typeof served];
      assert.equal(urlOf(support?.endpoint(call)), `${host}/openai/v1/${path}`);
      assert.equal(support?.model?.(call), 'openai.gpt-oss-120b-1:0');
      assert.equal(support.translator !== undefined, operation === 'messages');
    }
    assert.equal(Object.keys(REGIONLESS.operations).length, 3);
  });

  const regionless = [
    'openai.gpt-oss-120b-1:0',
    'arn:aws:bedrock:us-east-1:1:x/y',
    'evil.example/m',
  ];
  for (const model of [...regionless, 'us-east-1', 'us-east-1.evil.example/m', '']) {
    test(`no region, and nobody to say it: ${model}`, () => {
      const support = REGIONLESS.operations['chat/completions'];
      assert.throws(
        () => support?.endpoint({ model, isStream: false }),
        (error: unknown) =>
          error instanceof UntranslatableError && error.message.includes('{region}/{model}'),
      );
    });
  }

  test('the address of the operator names it, and another region of the model wins', () => {
    const { operations } = createAwsBedrockProvider({
      baseUrl: 'https://bedrock-runtime.us-west-2.amazonaws.com/openai/v1',
    });
    const cases: [model: string, host: string, bare: string][] = [
      ['m', 'bedrock-runtime.us-west-2.amazonaws.com', 'm'],
      ['us-west-2/m', 'bedrock-runtime.us-west-2.amazonaws.com', 'm'],
      ['us-gov-west-1/m', 'bedrock-runtime.us-gov-west-1.amazonaws.com', 'm'],
      ['arn:aws:x/y', 'bedrock-runtime.us-west-2.amazonaws.com', 'arn:aws:x/y'],
    ];
    for (const [model, host, bare] of cases) {
      const support = operations['chat/completions'];
      const url = urlOf(support?.endpoint({ model, isStream: false }));
      assert.equal(url, `https://${host}/openai/v1/chat/completions`);
      assert.equal(support?.model?.({ model, isStream: false }), bare);
    }
  });

  test('a host that tells no region serves all of them', () => {
    const provider = createAwsBedrockProvider({ baseUrl: 'http://127.0.0.1:9/aws/' });
    const call = { model: 'eu-west-1/m', isStream: false };
    const url = urlOf(provider.operations.responses?.endpoint(call));
    assert.equal(url, 'http://127.0.0.1:9/aws/openai/v1/responses');
    const endpoint = provider.nativeEndpoint('bedrock-runtime/eu-west-1/model/m/invoke');
    assert.equal(urlOf(endpoint), 'http://127.0.0.1:9/aws/model/m/invoke');
  });

  const native: [path: string, url: string | undefined][] = [
    [
      'bedrock-runtime/us-east-1/model/us.anthropic.claude-v2%3A1/converse-stream?a=b',
      'https://bedrock-runtime.us-east-1.amazonaws.com/model/us.anthropic.claude-v2%3A1/converse-stream?a=b',
    ],
    [
      'bedrock-runtime/ap-southeast-2/openai/v1/responses',
      'https://bedrock-runtime.ap-southeast-2.amazonaws.com/openai/v1/responses',
    ],
    ['bedrock-runtime/us-east-1', undefined],
    ['bedrock-runtime/evil.example/model/m/invoke', undefined],
    ['bedrock-runtime/us-east-1@evil/model/m/invoke', undefined],
    ['bedrock-runtime/us-east-1%2fx/model/m/invoke', undefined],
    ['s3/us-east-1/bucket', undefined],
  ];
  for (const [path, url] of native) {
    test(`native ${path}`, () => {
      const endpoint = REGIONLESS.nativeEndpoint(path);
      assert.equal(endpoint && urlOf(endpoint), url);
    });
  }
});

describe('aws-bedrock: credentials', () => {
  const provider = createAwsBedrockProvider({});
  const request = outgoing('https://bedrock-runtime.eu-west-1.amazonaws.com');
  const key = { accessKeyId: ACCESS_KEY_ID, secretAccessKey: SECRET_ACCESS_KEY };

  test('an API key is a bearer token', () => {
    const expected = ['authorization', 'Bearer bedrock-api-key-abc'];
    assert.deepEqual(provider.authorize('bedrock-api-key-abc', request), expected);
  });

  const regions: [origin: string, ofKey: string | undefined, region: string][] = [
    ['https://bedrock-runtime.eu-west-1.amazonaws.com', 'us-east-1', 'eu-west-1'],
    ['https://bedrock-runtime-fips.us-gov-west-1.amazonaws.com', undefined, 'us-gov-west-1'],
    ['https://vpce-1-a.bedrock-runtime.us-east-2.vpce.amazonaws.com', undefined, 'us-east-2'],
    ['http://127.0.0.1:9', 'us-east-1', 'us-east-1'],
  ];
  for (const [origin, ofKey, region] of regions) {
    test(`signs for the region of ${origin}`, async () => {
      const json = JSON.stringify({ ...key, region: ofKey });
      const headers = await provider.authorize(json, outgoing(origin));
      assert.equal(
        headerOf(headers, 'authorization'),
        independentlySigned(outgoing(origin), region),
      );
      assert.equal(headerOf(headers, 'x-amz-date'), '20150830T123600Z');
      assert.equal(headerOf(headers, 'x-amz-security-token'), undefined);
    });
  }

  test('the token of a role is sent and signed', async () => {
    const json = ` ${JSON.stringify({ ...key, sessionToken: 'a-token==' })}`;
    const headers = await provider.authorize(json, request);
    assert.equal(headerOf(headers, 'x-amz-security-token'), 'a-token==');
    const expected = independentlySigned(request, 'eu-west-1', 'a-token==');
    assert.equal(headerOf(headers, 'authorization'), expected);
  });

  test('a body of none, and a query', async () => {
    const get = {
      ...request,
      method: 'GET',
      endpoint: { ...request.endpoint, path: '/async-invoke?statusEquals=Failed&maxResults=5' },
      body: Buffer.alloc(0),
    };
    const headers = await provider.authorize(JSON.stringify(key), get);
    assert.equal(headerOf(headers, 'authorization'), independentlySigned(get, 'eu-west-1'));
  });

  const bad: [what: string, key: string][] = [
    ['no JSON after all', '{a-secret'],
    ['no secret', '{"accessKeyId":"a-secret"}'],
    ['an empty secret', '{"accessKeyId":"a-secret","secretAccessKey":""}'],
    ['a number', '{"accessKeyId":"a-secret","secretAccessKey":5}'],
  ];
  for (const [what, json] of bad) {
    test(`a key that is none, with nothing of it in the message: ${what}`, () => {
      const isDiscreet = (error: Error) =>
        error.message.startsWith('the key of aws-bedrock') && !error.message.includes('a-secret');
      assert.throws(() => provider.authorize(json, request), isDiscreet);
    });
  }

  test('a region that nobody names', () => {
    const elsewhere = outgoing('http://127.0.0.1:9');
    assert.throws(() => provider.authorize(JSON.stringify(key), elsewhere), /lacks a region/);
  });

  test('what belongs to a signature of the caller is a credential', () => {
    const expected = ['authorization', 'x-amz-date', 'x-amz-security-token'];
    assert.deepEqual(provider.credentialHeaders, expected);
  });
});

/** Of the test suite that AWS publishes for Signature Version 4. */
describe('AWS Signature Version 4', () => {
  const vectors: [name: string, method: string, path: string, signature: string][] = [
    ['get-vanilla', 'GET', '/', '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31'],
    [
      'get-vanilla-query-order-key-case',
      'GET',
      '/?Param2=value2&Param1=value1',
      'b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500',
    ],
    [
      'post-vanilla',
      'POST',
      '/',
      '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b',
    ],
  ];
  for (const [name, method, path, signature] of vectors) {
    test(name, async () => {
      const headers = await signRequest(
        { accessKeyId: ACCESS_KEY_ID, secretAccessKey: SECRET_ACCESS_KEY },
        { region: 'us-east-1', service: 'service' },
        {
          method,
          endpoint: { origin: 'https://example.amazonaws.com', path },
          body: Buffer.alloc(0),
          nowMs: SIGNED_AT_MS,
        },
      );
      assert.equal(
        headerOf(headers, 'authorization'),
        `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=host;x-amz-date, Signature=${signature}`,
      );
    });
  }
});

function outgoing(origin: string): OutgoingRequest {
  const path = '/model/us.anthropic.claude-v2%3A1/converse';
  const body = Buffer.from('{"messages":[{"role":"user","content":[{"text":"Grüße 🌍"}]}]}');
  return { method: 'POST', endpoint: { origin, path }, body, nowMs: SIGNED_AT_MS };
}

function headerOf(headers: readonly string[], name: string): string | undefined {
  const index = headers.indexOf(name);
  return index < 0 ? undefined : headers[index + 1];
}

function urlOf(endpoint: Endpoint | undefined): string {
  assert.ok(endpoint);
  return endpoint.origin + endpoint.path;
}
