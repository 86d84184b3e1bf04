import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { bootServer, request } from '../support/server.ts';

// A word of a query that is no name of a metric but part of its language, or a name of a label.
const LABELS_AND_WORDS = /\{[^}]*\}|\[[^\]]*\]|\b(?:by|without|on|ignoring)\s*\([^)]*\)/g;
const NAME = /\b[a-z][a-z0-9]*(?:_[a-z0-9]+)+\b(?!\s*\()|\bup\b/g;
/** Prometheus makes it itself of every target. */
const OF_PROMETHEUS = 'up';

function namesIn(query: string): string[] {
  return query.replaceAll(LABELS_AND_WORDS, '').match(NAME) ?? [];
}

const readDeployed = (file: string): Promise<string> =>
  readFile(new URL(`../../deploy/${file}`, import.meta.url), 'utf8');

/** Every value of this key, however deep. */
function* valuesOf(node: unknown, key: string): Generator<string> {
  if (typeof node !== 'object' || node === null) return;
  for (const [name, value] of Object.entries(node)) {
    if (name === key && typeof value === 'string') yield value;
    else yield* valuesOf(value, key);
  }
}

/** The `expr` of each rule; one that is folded goes on in lines that stand further in. */
function queriesOfRules(yaml: string): string[] {
  const found = yaml.matchAll(/^ {8}expr: (?:>-((?:\n {10}.*)+)|(.*))$/gm);
  return [...found].map(([, folded, plain]) => folded ?? plain ?? '');
}

test('the dashboard and the alerts ask for metrics that there are', async (t) => {
  const server = await bootServer('sqlite');
  t.after(() => server.stop());
  const { text } = await request('GET', `${server.origin}/metrics`);
  const known = new Set([OF_PROMETHEUS]);
  for (const [, name = '', type] of text.matchAll(/^# TYPE (\S+) (\S+)$/gm)) {
    known.add(name);
    if (type === 'histogram')
      for (const part of ['count', 'sum', 'bucket']) known.add(`${name}_${part}`);
  }
  const rules = await readDeployed('prometheus/alerts.yaml');
  const alerts = queriesOfRules(rules);
  assert.equal(alerts.length, rules.match(/- alert:/g)?.length);
  const dashboard = [...valuesOf(JSON.parse(await readDeployed('grafana/latchkey.json')), 'expr')];
  assert.ok(dashboard.length > 20);
  for (const query of [...alerts, ...dashboard]) {
    const names = namesIn(query);
    assert.ok(names.length > 0, query);
    for (const name of names) assert.ok(known.has(name), `${name} in ${query}`);
  }
});

test('what to do about each alert is in the documentation', async () => {
  const rules = await readDeployed('prometheus/alerts.yaml');
  const text = await readFile(new URL('../../docs/operations.md', import.meta.url), 'utf8');
  for (const [, name = ''] of rules.matchAll(/- alert: (\S+)/g)) {
    assert.ok(text.includes(`\`${name}\``), name);
  }
});

test('calls of providers that go wrong are counted by provider and reason', async (t) => {
  const statuses = [429, 500, 400, 200];
  const upstream = createServer((_request, response) => {
    response.writeHead(statuses.shift() ?? 200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((listening) => void upstream.listen(0, '127.0.0.1', listening));
  t.after(() => {
    upstream.close();
    upstream.closeAllConnections();
  });
  const { port } = upstream.address() as AddressInfo;
  const server = await bootServer('sqlite', {
    settings: {
      PROVIDER_OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`,
      PROVIDER_OPENAI_API_KEY: 'key',
      // Nobody listens there.
      PROVIDER_MISTRAL_BASE_URL: 'http://127.0.0.1:9/v1',
      PROVIDER_MISTRAL_API_KEY: 'key',
    },
  });
  t.after(() => server.stop());
  for (const model of ['openai/x', 'openai/x', 'openai/x', 'openai/x', 'mistral/x']) {
    const body = { model, messages: [{ role: 'user', content: 'x' }] };
    await server.call('POST', `${server.account}/ai/v1/chat/completions`, { body });
  }
  const { text } = await request('GET', `${server.origin}/metrics`);
  const lines = text.match(/^latchkey_gateway_upstream_errors_total\{.*$/gm) ?? [];
  assert.deepEqual(
    lines.map((line) => line.replace('latchkey_gateway_upstream_errors_total', '')).toSorted(),
    [
      '{provider="mistral",reason="failed"} 1',
      '{provider="openai",reason="429"} 1',
      '{provider="openai",reason="4xx"} 1',
      '{provider="openai",reason="5xx"} 1',
    ],
  );
});
