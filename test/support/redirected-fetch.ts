/**
 * Sends what goes to one origin to another one: for packages that have the address of their server
 * built in and call the `fetch` of the process.
 * @returns what restores `fetch`
 */
export function redirectFetch(from: string, to: string): () => void {
  const { fetch: original } = globalThis;
  globalThis.fetch = (target, init) => {
    const url = target instanceof Request ? target.url : String(target);
    return url.startsWith(`${from}/`)
      ? original(to + url.slice(from.length), init)
      : original(target, init);
  };
  return () => {
    globalThis.fetch = original;
  };
}
