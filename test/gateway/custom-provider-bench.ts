import assert from 'node:assert/strict';
import type { TestDatabase } from '../support/databases.ts';
import {
  type Answer,
  type CallOptions,
  type Json,
  type TestServer,
  bootServer,
} from '../support/server.ts';

let count = 0;

/** A slug that no other test of the file uses. */
export const freshSlug = (): string => `p${++count}`;

/** A body that creates a custom provider. */
export const validProvider = (fields: object = {}) => ({
  name: 'Mine',
  slug: freshSlug(),
  base_url: 'https://models.example/v1',
  ...fields,
});

/** A server that lets custom providers be at some addresses that are not public. */
export interface CustomProviderBench {
  server: TestServer;
  /** Path of the custom providers. */
  providers: string;
  create(fields?: object, options?: CallOptions): Promise<Answer>;
  /** What creating one answers, which goes well. */
  createResult(fields?: object): Promise<Json>;
}

export async function startCustomProviderBench(
  database: TestDatabase,
): Promise<CustomProviderBench> {
  const server = await bootServer(database, {
    settings: {
      UPSTREAM_ALLOW: '127.0.0.1, ollama.internal:11434, named.example, 10.1.0.0/16, [fd00::5]:80',
      GATEWAY_URL: 'https://gateway.example',
    },
  });
  const providers = `${server.account}/ai-gateway/custom-providers`;
  const create: CustomProviderBench['create'] = (fields, options) =>
    server.call('POST', providers, { body: validProvider(fields), ...options });
  return {
    server,
    providers,
    create,
    async createResult(fields) {
      const { status, json, text } = await create(fields);
      assert.equal(status, 200, text);
      return json.result;
    },
  };
}
