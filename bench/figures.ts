/** Of one contender in one round. */
export interface Figures {
  requestsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  failures: number;
}

export const ROUNDS = 3;
export const CONNECTIONS = 32;

/** What is measured in each round; the first one is ours. */
export interface Contender {
  name: string;
  measure: () => Promise<Figures>;
}

function median(figures: readonly Figures[]): Figures {
  const by = (pick: (one: Figures) => number): number =>
    figures.map(pick).toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? 0;
  return {
    requestsPerSecond: by((one) => one.requestsPerSecond),
    p50Ms: by((one) => one.p50Ms),
    p99Ms: by((one) => one.p99Ms),
    failures: figures.reduce((sum, one) => sum + one.failures, 0),
  };
}

/** Round by round, one contender after the other, so that drift of the machine hits all alike. */
export async function compare(title: string, contenders: readonly Contender[]): Promise<string> {
  for (const { measure } of contenders) await measure(); // warm-up, not counted
  const figures = new Map<string, Figures[]>(contenders.map(({ name }) => [name, []]));
  for (let round = 1; round <= ROUNDS; round++) {
    for (const { name, measure } of contenders) {
      process.stderr.write(`${title}: round ${round} of ${ROUNDS}, ${name}\n`);
      figures.get(name)?.push(await measure());
    }
  }
  return table(
    title,
    [...figures].map(([name, all]) => ({ name, ...median(all) })),
  );
}

function table(title: string, rows: readonly (Figures & { name: string })[]): string {
  const ours = rows[0]?.requestsPerSecond ?? 0;
  const lines = rows.map(({ name, requestsPerSecond, p50Ms, p99Ms, failures }) => {
    const ratio = (ours / requestsPerSecond).toFixed(2);
    return `| ${name} | ${Math.round(requestsPerSecond)} | ${p50Ms.toFixed(2)} | ${p99Ms.toFixed(2)} | ${failures} | ${ratio} |`;
  });
  return [
    `### ${title}`,
    '',
    '| | requests/s | p50 ms | p99 ms | failures | Latchkey ÷ this |',
    '|---|---|---|---|---|---|',
    ...lines,
    '',
  ].join('\n');
}
