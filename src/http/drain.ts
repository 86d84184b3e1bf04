import type { FastifyInstance } from 'fastify';

const REAP_INTERVAL_MS = 20;
// For those to take it who are told that their answer ends here.
const LAST_WORDS_MS = 500;

/**
 * Ends the listener: running requests may finish for that long. Then those that can be told are told that
 * nothing more comes, and all connections are cut.
 * @param endAnswers tells them; answers whether there were any
 */
export async function drain(
  http: FastifyInstance,
  timeoutMs: number,
  endAnswers: () => boolean,
): Promise<void> {
  const cut = (): void => http.server.closeAllConnections();
  let timer = setTimeout(() => {
    if (endAnswers()) timer = setTimeout(cut, LAST_WORDS_MS);
    else cut();
  }, timeoutMs);
  // A connection whose last request ends now would otherwise be kept alive for the next.
  const reap = setInterval(() => http.server.closeIdleConnections(), REAP_INTERVAL_MS);
  try {
    await http.close();
    await http.connections.close();
  } finally {
    clearInterval(reap);
    clearTimeout(timer);
  }
}
