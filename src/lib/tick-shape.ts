import { executionAsyncResource } from 'node:async_hooks';

const kept = new Set<object>();

/**
 * Keeps one of the objects that Node makes for each `process.nextTick`. While none lives, a collection that is
 * to free memory takes the shape of them away, and V8 never learns a second one: from then on each tick takes
 * half a microsecond longer, and a request has half a dozen of them.
 * @returns what is kept
 */
export function keepTickShape(): Promise<object> {
  const { promise, resolve } = Promise.withResolvers<object>();
  process.nextTick(() => {
    const tick = executionAsyncResource();
    kept.add(tick);
    resolve(tick);
  });
  return promise;
}
