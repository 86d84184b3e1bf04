import { completionTargets } from './completions.ts';
import { CONNECTIONS, type Figures, compare } from './figures.ts';
import { describeLog, latchkey } from './latchkey.ts';
import { Pool } from 'undici';
import type { Bench } from './options.ts';
import type { Outcome } from './outcome.ts';
import type { Target } from './target.ts';

const RULE = { limit: 1_000_000, limitType: 'cost', window: 86_400 };

/** Throughput of a chat completion with and without spend rules. Latchkey and the static upstream run. */
export async function compareSpendLimits({ seconds, rounds }: Bench): Promise<Outcome> {
  await createGateway('no-rule', []);
  await createGateway('one-rule', [RULE]);
  await createGateway('two-rules', [RULE, { ...RULE, token: { mode: 'partition' } }]);
  const { latchkey: completion } = completionTargets({ stream: false });
  // A model with a price.
  const body = completion.body.replace('openai/static', 'openai/gpt-4o-mini');
  const under = (gateway: string, name: string): Target => ({
    ...completion,
    name,
    headers: { ...completion.headers, 'cf-aig-gateway-id': gateway },
    body,
  });
  const targets = [
    under('one-rule', 'Latchkey, one spend rule'),
    under('two-rules', 'Latchkey, two spend rules'),
    under('no-rule', 'Latchkey, no spend rule'),
  ];
  const contenders = targets.map((target) => ({
    name: target.name,
    measure: () => keepBusy(target, seconds),
  }));
  const { table, ratioTo } = await compare(
    'A chat completion under spend rules',
    `${CONNECTIONS} connections. The first rule is for the gateway, the second for each token; each call reserves and settles its cost.`,
    contenders,
    rounds,
  );
  return {
    measured: { 'completion under a spend rule ÷ without': ratioTo(2) },
    tables: [{ ...table, text: `${table.text} ${await describeLog()}` }],
  };
}

async function createGateway(id: string, rules: readonly object[]): Promise<void> {
  const body = {
    id,
    cache_invalidate_on_update: true,
    cache_ttl: null,
    collect_logs: true,
    rate_limiting_interval: null,
    rate_limiting_limit: null,
    rate_limiting_technique: 'fixed',
    spend_limits: { rules },
  };
  const response = await fetch(`${latchkey.accountUrl}/ai-gateway/gateways`, {
    method: 'POST',
    headers: { ...latchkey.headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`the gateway is not created: ${await response.text()}`);
}

/** Keeps all connections busy for a while; the first fifth of the time does not count. */
async function keepBusy(target: Target, seconds: number): Promise<Figures> {
  const { origin, pathname } = new URL(target.url);
  const pool = new Pool(origin, { connections: CONNECTIONS });
  const startMs = performance.now();
  const endMs = startMs + seconds * 1_250;
  const countedFromMs = startMs + seconds * 250;
  const timesMs: number[] = [];
  let failures = 0;
  const request = {
    path: pathname,
    method: 'POST' as const,
    headers: target.headers,
    body: target.body ?? null,
  };
  const send = async (): Promise<void> => {
    for (let sentMs = performance.now(); sentMs < endMs; sentMs = performance.now()) {
      const { statusCode, body } = await pool.request(request);
      await body.dump();
      if (statusCode !== 200) failures++;
      if (sentMs >= countedFromMs) timesMs.push(performance.now() - sentMs);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, send));
  await pool.close();
  timesMs.sort((one, other) => one - other);
  const at = (share: number): number => timesMs[Math.floor(timesMs.length * share)] ?? 0;
  return {
    requestsPerSecond: timesMs.length / seconds,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    failures,
  };
}
