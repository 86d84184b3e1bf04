import { setImmediate as nextTurn } from 'node:timers/promises';

// What it takes to read and check some thirty requests that came at once. Who comes alone waits for a turn.
const MAX_GATHER_MS = 10;

/**
 * Waits while more arrive, turn by turn: the more share a commit, the less each of them waits for the
 * disk.
 * @param count tells how many there are
 * @param enough more than these would not share it
 */
export async function whileMoreArrive(count: () => number, enough: number): Promise<void> {
  const startMs = performance.now();
  let before: number;
  do {
    before = count();
    await nextTurn();
  } while (count() > before && count() < enough && performance.now() - startMs < MAX_GATHER_MS);
}
