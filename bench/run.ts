import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createSecret } from '../src/lib/secrets.ts';
import { CONNECTIONS, type Figures, ROUNDS, compare } from './figures.ts';
import { type Core, isInstalled, runPinned, startPinned, untilReady } from './pinned-process.ts';
import { compareTokenExchange } from './token-exchange.ts';

/**
 * Measures Latchkey beside its peers: each has the same core for itself in turn, several rounds, and
 * the medians are compared. Absolute figures depend on the machine; the ratios are what counts.
 */

const SECONDS = 4;

const directory = mkdtempSync(path.join(tmpdir(), 'latchkey-bench-'));
const accountId = '0123456789abcdef0123456789abcdef';
const token = createSecret('lkat_');
const ports = {
  latchkey: 8801,
  bare: 8802,
  nginx: 8803,
  portkey: 8804,
  upstream: 8805,
  tokens: 8806,
};
const node = process.execPath;
const upstreamUrl = `http://127.0.0.1:${ports.upstream}`;

interface Target {
  name: string;
  url: string;
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string;
}

function startLatchkey() {
  return startPinned(0, [node, 'bin/latchkey.js'], {
    LATCHKEY_PORT: String(ports.latchkey),
    LATCHKEY_DATA_DIR: path.join(directory, 'data'),
    LATCHKEY_BOOTSTRAP_ACCOUNT_ID: accountId,
    LATCHKEY_BOOTSTRAP_TOKEN: token,
    LATCHKEY_PROVIDER_OPENAI_BASE_URL: upstreamUrl,
    LATCHKEY_LOG_LEVEL: 'warn',
  });
}

/** A provider that answers every chat completion at once with the same bytes. */
const completion = JSON.stringify({
  id: 'chatcmpl-static',
  object: 'chat.completion',
  created: 1,
  model: 'static',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: 'Lorem ipsum dolor sit amet. '.repeat(20) },
      finish_reason: 'stop',
    },
  ],
  usage: { prompt_tokens: 20, completion_tokens: 120, total_tokens: 140 },
});

/** nginx with one server block, in the foreground, without an access log. */
function startNginx(core: Core, name: string, http: string) {
  const config = path.join(directory, `${name}.conf`);
  writeFileSync(
    config,
    `daemon off; worker_processes 1; pid ${directory}/${name}.pid; error_log stderr error;
     events { worker_connections 1024; }
     http { access_log off; default_type application/json; keepalive_requests 10000000;
       client_body_temp_path ${directory}/${name}-body; ${http} }`,
  );
  return startPinned(core, ['nginx', '-c', config]);
}

const startUpstream = () =>
  startNginx(
    1,
    'upstream',
    `server { listen 127.0.0.1:${ports.upstream}; location / { return 200 '${completion}'; } }`,
  );

const startProxy = () =>
  startNginx(
    0,
    'proxy',
    `upstream provider { server 127.0.0.1:${ports.upstream}; keepalive 64; }
     server { listen 127.0.0.1:${ports.nginx};
       location / { proxy_pass http://provider; proxy_http_version 1.1;
                    proxy_set_header Connection ""; } }`,
  );

function startPortkey() {
  return startPinned(0, [
    node,
    'bench/node_modules/@portkey-ai/gateway/build/start-server.js',
    `--port=${ports.portkey}`,
    '--headless',
  ]);
}

async function measure({ name, url, method, headers, body }: Target): Promise<Figures> {
  const script = path.join(directory, 'load.lua');
  const lua = (text: string): string => `[==[${text}]==]`;
  writeFileSync(
    script,
    [
      `wrk.method = "${method ?? 'GET'}"`,
      ...(body === undefined ? [] : [`wrk.body = ${lua(body)}`]),
      ...Object.entries(headers ?? {}).map(
        ([header, value]) => `wrk.headers["${header}"] = ${lua(value)}`,
      ),
      'function done(summary, latency)',
      '  local errors = summary.errors',
      '  local failures = errors.connect + errors.read + errors.write + errors.timeout + errors.status',
      '  io.write(string.format(\'{"requestsPerSecond":%f,"p50Ms":%f,"p99Ms":%f,"failures":%d}\',',
      '    summary.requests / summary.duration * 1e6, latency:percentile(50) / 1e3,',
      '    latency:percentile(99) / 1e3, failures))',
      'end',
    ].join('\n'),
  );
  const load = ['wrk', '-t1', `-c${CONNECTIONS}`, `-d${SECONDS}s`, '-s', script, url];
  const figures = (await runPinned(1, load)).split('\n').findLast((line) => line.startsWith('{'));
  if (figures === undefined) throw new Error(`no figures for ${name}`);
  return JSON.parse(figures) as Figures;
}

/** Measures what is loaded in the same way all the time. */
function compareTargets(title: string, targets: readonly Target[]): Promise<string> {
  return compare(
    title,
    targets.map((target) => ({ name: target.name, measure: () => measure(target) })),
  );
}

async function compareManagement(): Promise<string> {
  const bare = startPinned(0, [node, 'bench/contenders/bare-fastify.ts'], {
    PORT: String(ports.bare),
  });
  await untilReady(`http://127.0.0.1:${ports.bare}/gateway`);
  const api = `http://127.0.0.1:${ports.latchkey}/client/v4/accounts/${accountId}`;
  const headers = { authorization: `Bearer ${token}` };
  const result = await compareTargets('A management GET with token check', [
    { name: 'Latchkey', url: `${api}/ai-gateway/gateways/default`, headers },
    { name: 'bare Fastify route', url: `http://127.0.0.1:${ports.bare}/gateway` },
  ]);
  await bare.stop();
  return result;
}

async function compareGateway(): Promise<string> {
  const others = [startPortkey(), startProxy()];
  await untilReady(`http://127.0.0.1:${ports.portkey}`);
  await untilReady(`http://127.0.0.1:${ports.nginx}`);
  const messages = [{ role: 'user', content: 'Lorem ipsum dolor sit amet. '.repeat(10) }];
  const json = { 'content-type': 'application/json' };
  const targets: Target[] = [
    {
      name: 'Latchkey (token check, durable log row)',
      url: `http://127.0.0.1:${ports.latchkey}/client/v4/accounts/${accountId}/ai/v1/chat/completions`,
      headers: { ...json, authorization: `Bearer ${token}` },
      body: JSON.stringify({ model: 'openai/static', messages }),
    },
    {
      name: 'Portkey OSS (neither)',
      url: `http://127.0.0.1:${ports.portkey}/v1/chat/completions`,
      headers: {
        ...json,
        authorization: 'Bearer sk-x',
        'x-portkey-provider': 'openai',
        'x-portkey-custom-host': upstreamUrl,
      },
      body: JSON.stringify({ model: 'static', messages }),
    },
    {
      name: 'nginx proxy_pass (neither)',
      url: `http://127.0.0.1:${ports.nginx}/chat/completions`,
      headers: json,
      body: JSON.stringify({ model: 'static', messages }),
    },
  ];
  const result = await compareTargets(
    'A chat completion, static upstream',
    targets.map((target) => ({ ...target, method: 'POST' })),
  );
  for (const other of others) await other.stop();
  return result;
}

async function compareServing(): Promise<string[]> {
  for (const program of ['wrk', 'nginx']) {
    if (!isInstalled(program)) {
      throw new Error(`install ${program} first: apt-get install wrk nginx`);
    }
  }
  const upstream = startUpstream();
  const latchkey = startLatchkey();
  try {
    await untilReady(upstreamUrl);
    await untilReady(`http://127.0.0.1:${ports.latchkey}/readyz`);
    return [await compareGateway(), await compareManagement()];
  } finally {
    await latchkey.stop();
    await upstream.stop();
  }
}

const comparisons: Readonly<Record<string, () => Promise<string[]>>> = {
  serving: compareServing,
  tokens: async () => [await compareTokenExchange(path.join(directory, 'tokens'), ports.tokens)],
};

const asked = process.argv.slice(2);
for (const name of asked) {
  if (!(name in comparisons)) throw new Error(`there is ${Object.keys(comparisons).join(' and ')}`);
}
try {
  const tables: string[] = [];
  for (const [name, run] of Object.entries(comparisons)) {
    if (asked.length === 0 || asked.includes(name)) tables.push(...(await run()));
  }
  const report = [
    `Node ${process.versions.node}, ${CONNECTIONS} connections, median of ${ROUNDS} rounds of ${SECONDS} s,`,
    'or of a fixed number of codes; each contender alone on the same core.',
    '',
    ...tables,
  ].join('\n');
  if (asked.length === 0) {
    mkdirSync('bench/results', { recursive: true });
    writeFileSync('bench/results/latest.md', report);
  }
  process.stdout.write(report);
} finally {
  rmSync(directory, { recursive: true, force: true });
}
