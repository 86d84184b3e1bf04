import type { FastifyInstance } from 'fastify';
import { apiError, httpErrors } from './errors.ts';
import { successEnvelope } from './envelope.ts';

export interface Readiness {
  /** Rejects when storage cannot be reached. */
  ping(): Promise<void>;
  /** The server is about to stop and should get no more traffic. */
  isStopping(): boolean;
}

const PING_TIMEOUT_MS = 2_000;

/** `GET /healthz`: the process answers. `GET /readyz`: it can serve, so a balancer may send traffic. */
export function addHealth(app: FastifyInstance, readiness: Readiness): void {
  app.get('/healthz', { schema: { hide: true } }, async () => successEnvelope({ status: 'ok' }));
  app.get('/readyz', { schema: { hide: true } }, async () => {
    if (readiness.isStopping()) throw unavailable('the server is stopping');
    try {
      await within(PING_TIMEOUT_MS, readiness.ping());
    } catch (error) {
      throw unavailable('storage cannot be reached', error);
    }
    return successEnvelope({ status: 'ready' });
  });
}

function unavailable(reason: string, cause?: unknown) {
  return apiError(httpErrors.unavailable, {
    message: `${httpErrors.unavailable.message}: ${reason}`,
    headers: { 'retry-after': '1' },
    cause,
  });
}

async function within<T>(timeoutMs: number, promise: Promise<T>): Promise<T> {
  const { promise: timeout, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer in ${timeoutMs} ms`)), timeoutMs);
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
