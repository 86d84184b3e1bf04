import { Resolver, getServers } from 'node:dns/promises';

/** How names are looked up. */
export interface LookUpOptions {
  /** `address`, `address:port` or `[address]:port`; none for those of the system. */
  servers: readonly string[];
  /** For one answer of one server; less when so many servers could not all be asked in time. */
  timeoutMs: number;
  /** How often each server is asked. */
  tries: number;
  /** However many servers there are. */
  limitMs: number;
}

// There is nothing of that name, or nothing of that type: an answer as good as any.
const EMPTY_ANSWERS: ReadonlySet<string> = new Set(['ENOTFOUND', 'ENODATA']);

/**
 * The TXT records of a name, each with its strings joined (RFC 7208 section 3.3 joins them the same
 * way). Aliases are followed, and an answer that UDP cut off is fetched over TCP. The servers are
 * asked one after the other until one gives an answer; those of the system as it has set them up.
 * @param signal cuts the look-up off, as if nobody had answered
 * @returns undefined when no server gave an answer: time-outs, SERVFAIL, refusals
 */
export async function lookUpTxt(
  host: string,
  { servers, timeoutMs, tries, limitMs }: LookUpOptions,
  signal: AbortSignal,
): Promise<string[] | undefined> {
  const serverCount = servers.length > 0 ? servers.length : Math.max(1, getServers().length);
  const shareMs = Math.min(timeoutMs, Math.floor(limitMs / (tries * serverCount)));
  // One each, because to cancel is to cancel everything that a resolver is at.
  const resolver = new Resolver({ timeout: shareMs, tries: 1, maxTimeout: shareMs });
  const ended = new AbortController();
  const end = (): void => {
    ended.abort();
    resolver.cancel();
  };
  const timer = setTimeout(end, limitMs);
  if (signal.aborted) end();
  signal.addEventListener('abort', end);
  try {
    // Not to be set again: what the resolver tells of them lacks the zone of a link-local address.
    const rounds = servers.length > 0 ? servers.map((server) => [server]) : [undefined];
    for (let i = 0; i < tries * rounds.length && !ended.signal.aborted; i++) {
      const some = rounds[i % rounds.length];
      // By itself the resolver takes SERVFAIL of one server for the answer of all.
      if (some !== undefined) resolver.setServers(some);
      const texts = await ask(resolver, host, some === undefined ? shareMs * serverCount : shareMs);
      if (texts !== undefined) return texts;
    }
    return undefined;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
  }
}

/** The resolver by itself looks at its clock every second or so, and would overrun a shorter share. */
async function ask(
  resolver: Resolver,
  host: string,
  limitMs: number,
): Promise<string[] | undefined> {
  const timer = setTimeout(() => resolver.cancel(), limitMs);
  try {
    const records = await resolver.resolveTxt(host);
    return records.map((strings) => strings.join(''));
  } catch (error) {
    const { code = '', syscall } = error as NodeJS.ErrnoException;
    if (syscall !== 'queryTxt') throw error;
    return EMPTY_ANSWERS.has(code) ? [] : undefined;
  } finally {
    clearTimeout(timer);
  }
}
