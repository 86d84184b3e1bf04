import { completionTargets } from './completions.ts';
import { compare } from './figures.ts';
import { describeLog, latchkey } from './latchkey.ts';
import { startNginxProxy } from './nginx.ts';
import type { Bench } from './options.ts';
import { startPinned, untilReady } from './pinned-process.ts';
import { startPortkey } from './portkey.ts';
import { ports } from './ports.ts';
import type { Target } from './target.ts';
import { runWrk } from './wrk.ts';

/** Throughput of a chat completion and of a management GET. Latchkey and the static upstream run. */
export async function compareServing(bench: Bench): Promise<string[]> {
  return [await compareCompletion(bench), await compareManagement(bench)];
}

async function compareCompletion(bench: Bench): Promise<string> {
  const peers = [await startPortkey(), await startNginxProxy(bench.directory, 'on')];
  const { latchkey, latchkeyCached, portkey, nginx } = completionTargets({ stream: false });
  await requireHit(latchkeyCached);
  const table = await compareTargets(
    bench,
    'A chat completion, static upstream',
    'Goal: 0.5 × nginx, 8 × Portkey. What each does besides handing on stands behind its name.',
    [latchkey, latchkeyCached, portkey, nginx],
  );
  for (const peer of peers) await peer.stop();
  return `${table}\n${await describeLog()}\n`;
}

async function compareManagement(bench: Bench): Promise<string> {
  const bare = startPinned(0, [process.execPath, 'bench/contenders/bare-fastify.ts'], {
    PORT: String(ports.bare),
  });
  const url = `http://127.0.0.1:${ports.bare}/gateway`;
  await untilReady(url, bare);
  const get = { method: 'GET', headers: {}, body: undefined } as const;
  const table = await compareTargets(bench, 'A management GET', 'Goal: 0.4 × a bare route.', [
    {
      ...get,
      name: 'Latchkey (token check)',
      url: `${latchkey.accountUrl}/ai-gateway/gateways/default`,
      headers: latchkey.headers,
    },
    { ...get, name: 'bare Fastify route (no token check)', url },
  ]);
  await bare.stop();
  return table;
}

/** Measures what is loaded in the same way all the time. */
function compareTargets(
  { directory, seconds, rounds }: Bench,
  title: string,
  goal: string,
  targets: readonly Target[],
): Promise<string> {
  const contenders = targets.map((target) => ({
    name: target.name,
    measure: () => runWrk(directory, target, seconds),
  }));
  return compare(title, goal, contenders, rounds);
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
