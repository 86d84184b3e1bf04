import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { test } from 'node:test';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { bootServer, request } from '../support/server.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Routes that the document omits: pages and files for browsers, other names of the same operation, WebSockets, and metrics. */
const OMITTED =
  /^(?:GET \/|(?:GET|POST) \/(?:login|logout|forgot-password|reset-password|invitation|signed-in|oauth2\/consent|oauth2\/auth\/resume)(?:\/.*)?|GET \/(?:docs|dashboard|pages|brand|assets)(?:\/.*)?|GET \/(?:openapi\.json|metrics|favicon\.ico|robots\.txt)|GET \/v1\/:account_id\/:gateway_id|(?:GET|POST) \/client\/v4\/accounts\/:account_id\/ai\/v1\/v1\/.*)$/;

test('every operation that a route serves is in the OpenAPI document', async (t) => {
  const routes: RouteOptions[] = [];
  const watch = (message: unknown): void => {
    const { fastify } = message as { fastify: FastifyInstance };
    fastify.addHook('onRoute', (route) => void routes.push(route));
  };
  subscribe('fastify.initialization', watch);
  t.after(() => unsubscribe('fastify.initialization', watch));
  const server = await bootServer('sqlite');
  t.after(() => server.stop());
  const { json } = await request('GET', `${server.origin}/openapi.json`);
  const documented = new Set(
    Object.entries<object>(json.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    ),
  );
  const missing: string[] = [];
  for (const route of routes) {
    // Routes of several methods refuse them, or serve the dashboard, unless they describe themselves.
    if (Array.isArray(route.method) && !('ownDescription' in (route.schema ?? {}))) continue;
    for (const method of [route.method].flat()) {
      const path = route.url
        .replaceAll(/:(\w+)/g, '{$1}')
        .replace(/(?<=\/run\/|\/models\/)\*$/, '{model}')
        .replace(/(?<=\{provider\}\/)\*$/, '{path}');
      const name = `${method} ${route.url}`;
      if (!METHODS.includes(method) || documented.has(`${method} ${path}`)) continue;
      if (!OMITTED.test(name)) missing.push(name);
    }
  }
  assert.ok(routes.length > 150);
  assert.deepEqual([...new Set(missing)], []);
});
