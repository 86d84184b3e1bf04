import type { FastifyInstance } from 'fastify';
import { successEnvelope } from './envelope.ts';
import { unavailable } from './errors.ts';

export interface Readiness {
  /** Rejects when storage cannot be reached. */
  ping(): Promise<void>;
  /** Why the server should get no traffic now, such as that it is stopping. */
  refusal(): string | undefined;
}

const PING_TIMEOUT_MS = 2_000;

/** `GET /healthz`: the process answers. `GET /readyz`: it can serve, so a balancer may send traffic. */
export function addHealth(app: FastifyInstance, readiness: Readiness): void {
  app.get('/healthz', { schema: { hide: true } }, async () => successEnvelope({ status: 'ok' }));
  app.get('/readyz', { schema: { hide: true } }, async () => {
    const refusal = readiness.refusal();
    if (refusal !== undefined) throw unavailable(refusal);
    try {
      await within(PING_TIMEOUT_MS, readiness.ping());
    } catch (error) {
      throw unavailable('storage cannot be reached', error);
    }
    return successEnvelope({ status: 'ready' });
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
