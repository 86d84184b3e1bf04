import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { onEachDatabase } from '../support/databases.ts';
import { type TestServer, bootServer } from '../support/server.ts';
import { gatewayBody, gatewayUpdate } from './gateway-bodies.ts';

const SLUGS = ['one', 'two'] as const;
// Only the keys of the gateway make their models usable.
const PROVIDERS = ['mistral', 'groq'] as const;

const change = fc.oneof(
  fc.record({ kind: fc.constant('alias' as const), name: fc.constantFrom('a', 'b', 'c') }),
  fc.record({ kind: fc.constant('key' as const), provider: fc.constantFrom(...PROVIDERS) }),
  fc.record({ kind: fc.constant('custom' as const), slug: fc.constantFrom(...SLUGS) }),
  fc.record({ kind: fc.constant('enabled' as const), slug: fc.constantFrom(...SLUGS) }),
);

onEachDatabase((database) => {
  let server: TestServer;
  before(async () => {
    server = await bootServer(database);
  });
  after(() => server.stop());

  let count = 0;

  test('the next request sees each change of settings, keys and custom providers', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 8 }), async (changes) => {
        const id = `changing-${++count}`;
        const api = `${server.account}/ai-gateway`;
        const send = async (method: string, path: string, body?: object) => {
          const response = await server.call(method, path, body === undefined ? {} : { body });
          assert.equal(response.status, 200, response.text);
          return response.json.result;
        };
        await send('POST', `${api}/gateways`, gatewayBody(id));
        let alias: string | undefined;
        const keys = new Map<string, string>();
        const custom = new Map<string, { id: string; isEnabled: boolean }>();
        for (const one of changes) {
          switch (one.kind) {
            case 'alias':
              alias = one.name;
              await send(
                'PUT',
                `${api}/gateways/${id}`,
                gatewayUpdate({ model_aliases: { [alias]: 'local/echo' } }),
              );
              break;
            case 'key': {
              const path = `${api}/gateways/${id}/provider_configs`;
              const known = keys.get(one.provider);
              if (known === undefined) {
                const fields = { alias: 'main', default_config: true, secret: 'sk-secret' };
                const body = { ...fields, provider_slug: one.provider };
                keys.set(one.provider, (await send('POST', path, body)).id);
              } else {
                await send('DELETE', `${path}/${known}`);
                keys.delete(one.provider);
              }
              break;
            }
            case 'custom': {
              const known = custom.get(one.slug);
              if (known === undefined) {
                const body = {
                  name: one.slug,
                  slug: one.slug,
                  base_url: 'https://models.example.com',
                  models: ['m'],
                };
                const { id: providerId } = await send('POST', `${api}/custom-providers`, body);
                custom.set(one.slug, { id: providerId, isEnabled: true });
              } else {
                await send('DELETE', `${api}/custom-providers/${known.id}`);
                custom.delete(one.slug);
              }
              break;
            }
            case 'enabled': {
              const known = custom.get(one.slug);
              if (known === undefined) break;
              known.isEnabled = !known.isEnabled;
              const body = { enable: known.isEnabled };
              await send('PATCH', `${api}/custom-providers/${known.id}`, body);
            }
          }
          const { json } = await server.call('GET', `${server.account}/ai/v1/models`, {
            headers: { 'cf-aig-gateway-id': id },
          });
          const models: { id: string; owned_by: string }[] = json.data;
          const owners = new Set(models.map((model) => model.owned_by));
          const aliases = models.filter((model) => !model.id.includes('/'));
          assert.deepEqual(
            {
              aliases: aliases.map((model) => model.id),
              providers: PROVIDERS.filter((name) => owners.has(name)),
              custom: SLUGS.filter((slug) => owners.has(`custom-${slug}`)),
            },
            {
              aliases: alias === undefined ? [] : [alias],
              providers: PROVIDERS.filter((name) => keys.has(name)),
              custom: SLUGS.filter((slug) => custom.get(slug)?.isEnabled === true),
            },
          );
        }
        for (const known of custom.values()) {
          await send('DELETE', `${api}/custom-providers/${known.id}`);
        }
      }),
      { numRuns: 20 },
    );
  });
});
