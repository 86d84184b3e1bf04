import { setImmediate as nextTurn } from 'node:timers/promises';
import v8 from 'node:v8';
import vm from 'node:vm';

v8.setFlagsFromString('--expose-gc');
const collect = vm.runInNewContext('gc') as () => void;

// What is closed in one turn is let go in the next.
const ROUNDS = 2;

/** What this process holds on to, in bytes, without what is merely not collected yet. */
export async function heldBytes(): Promise<number> {
  for (let round = 0; round < ROUNDS; round++) {
    collect();
    await nextTurn();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
