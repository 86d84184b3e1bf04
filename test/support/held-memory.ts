import { setImmediate as nextTurn } from 'node:timers/promises';
import v8 from 'node:v8';
import vm from 'node:vm';

v8.setFlagsFromString('--expose-gc');
const collect = vm.runInNewContext('gc') as () => void;

// What is closed in one turn is let go in the next.
const ROUNDS = 2;

/** Lets go of all that nothing refers to. */
export async function collectGarbage(): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    collect();
    await nextTurn();
  }
}

/** What this process holds on to, in bytes, without what is merely not collected yet. */
export async function heldBytes(): Promise<number> {
  await collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
