import { completionTargets } from './completions.ts';
import { bareUrl, startBareFastify } from './bare-fastify.ts';
import { CONNECTIONS, type Comparison, compare } from './figures.ts';
import { describeLog, latchkey } from './latchkey.ts';
import { startNginxProxy } from './nginx.ts';
import type { Bench } from './options.ts';
import { type Outcome, joinOutcomes } from './outcome.ts';
import { startPortkey } from './portkey.ts';
import type { Target } from './target.ts';
import { runWrk } from './wrk.ts';

/** Throughput of a chat completion and of a management GET. Latchkey and the static upstream run. */
export async function compareServing(bench: Bench): Promise<Outcome> {
  return joinOutcomes(await compareCompletion(bench), await compareManagement(bench));
}

async function compareCompletion(bench: Bench): Promise<Outcome> {
  const peers = [await startPortkey(), await startNginxProxy(bench.directory, 'on')];
  const { latchkey, latchkeyCached, portkey, nginx } = completionTargets({ stream: false });
  await requireHit(latchkeyCached);
  const { table, ratioTo } = await compareTargets(
    bench,
    'A chat completion, static upstream',
    `${CONNECTIONS} connections. What each does besides handing on stands behind its name.`,
    [latchkey, nginx, portkey, latchkeyCached],
  );
  for (const peer of peers) await peer.stop();
  return {
    measured: {
      'completion ÷ nginx': ratioTo(1),
      'completion ÷ Portkey': ratioTo(2),
    },
    tables: [{ ...table, text: `${table.text} ${await describeLog()}` }],
  };
}

async function compareManagement(bench: Bench): Promise<Outcome> {
  const bare = await startBareFastify();
  const get = { method: 'GET', headers: {}, body: undefined } as const;
  const { table, ratioTo } = await compareTargets(
    bench,
    'A management GET',
    `${CONNECTIONS} connections. The bare route answers the same, with the same schema.`,
    [
      {
        ...get,
        name: 'Latchkey (token check)',
        url: `${latchkey.accountUrl}/ai-gateway/gateways/default`,
        headers: latchkey.headers,
      },
      { ...get, name: 'bare Fastify route (no token check)', url: bareUrl },
    ],
  );
  await bare.stop();
  return { measured: { 'management GET ÷ bare route': ratioTo(1) }, tables: [table] };
}

/** Measures what is loaded in the same way all the time. */
function compareTargets(
  { directory, seconds, rounds }: Bench,
  title: string,
  text: string,
  targets: readonly Target[],
): Promise<Comparison> {
  const contenders = targets.map((target) => ({
    name: target.name,
    measure: () => runWrk(directory, target, seconds),
  }));
  return compare(title, text, contenders, rounds);
}

/** Fills the cache, and fails unless it answers from then on. */
async function requireHit({ url, method, headers, body }: Target): Promise<void> {
  const ask = async (): Promise<string | null> => {
    const answer = await fetch(url, { method, headers, body: body ?? null });
    await answer.text();
    return answer.headers.get('cf-aig-cache-status');
  };
  await ask();
  const status = await ask();
  if (status !== 'HIT') throw new Error(`the cache is not used: ${status}`);
}
