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

const PARTS = 10;

/**
 * As {@link settledWithin}, but a pause of this process costs at most a tenth of the time: the wait has
 * parts.
 */
export async function settledWhileRunning(
  timeoutMs: number,
  promise: Promise<unknown>,
): Promise<boolean> {
  for (let part = 0; part < PARTS; part++) {
    if (await settledWithin(timeoutMs / PARTS, promise)) return true;
  }
  return false;
}
