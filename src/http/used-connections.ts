import type { buildConnector } from 'undici';

// What tells that the other side has ended a connection.
const ENDED_CODES = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/** By the error that ended a connection: when something was last read from it; see `performance.now()`. */
const lastReads = new WeakMap<Error, number>();

/** Remembers when something came on the connections that it makes: the errors of a socket do not say. */
export function watchUse(connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) => {
    connect(options, (...[error, socket]) => {
      if (error !== null) {
        callback(error, null);
        return;
      }
      let readMs: number | undefined;
      // Before the listeners of the pool, which take what came and hand the error on.
      socket.prependListener('readable', () => {
        if (socket.readableLength > 0) readMs = performance.now();
      });
      socket.prependListener('error', (trouble: Error) => {
        if (readMs !== undefined) lastReads.set(trouble, readMs);
      });
      callback(null, socket);
    });
  };
}

/**
 * Whether an error says that the other side ended a connection which had carried an answer before, and not
 * a byte came since a request was sent on it. When that happens at once, the request most likely crossed the
 * end of an idle connection.
 * @param sentAtMs by `performance.now()`
 */
export function endedUnanswered(error: Error, sentAtMs: number): boolean {
  const { code = '' } = error as NodeJS.ErrnoException;
  const readMs = lastReads.get(error);
  return ENDED_CODES.has(code) && readMs !== undefined && readMs < sentAtMs;
}
