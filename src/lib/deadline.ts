/**
 * Waits until the promise is settled, but no longer than that.
 * @returns whether it was settled in time; how, is for its owner to ask
 */
export async function settledWithin(
  timeoutMs: number,
  promise: Promise<unknown>,
): Promise<boolean> {
  const { promise: timeout, resolve } = Promise.withResolvers<false>();
  const timer = setTimeout(resolve, timeoutMs, false);
  const settled = promise.then(
    () => true,
    () => true,
  );
  try {
    return await Promise.race([settled, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
