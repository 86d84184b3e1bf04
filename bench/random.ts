/** Answers a number from 0, less than 1. */
export type Random = () => number;

/** The same numbers for the same seed (mulberry32). */
export function createRandom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Of a distribution with mean 0 and standard deviation 1, nearly normal, between -6 and 6. */
export function bellCurve(random: Random): number {
  let sum = -6;
  for (let count = 0; count < 12; count++) sum += random();
  return sum;
}

/** Draws values, each as often as its share of the sum of all. */
export function pickFrom<Value>(
  shares: readonly { value: Value; share: number }[],
): (random: Random) => Value {
  const sum = shares.reduce((total, { share }) => total + share, 0);
  let below = 0;
  const bounds = shares.map(({ value, share }) => ({ value, bound: (below += share) / sum }));
  return (random) => {
    const drawn = random();
    const found = bounds.find(({ bound }) => drawn < bound) ?? bounds.at(-1);
    if (found === undefined) throw new Error('there is nothing to choose from');
    return found.value;
  };
}
