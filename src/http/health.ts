import type { FastifyInstance } from 'fastify';
import { successEnvelope } from './envelope.ts';
import { ApiError, type TroubleOf, unavailable } from './errors.ts';
import { type SelfDescribed, describeItself } from './openapi-operations.ts';

export interface Readiness {
  /** Rejects when storage is unreachable, or takes no writes; an ApiError says itself what is wrong. */
  ping(): Promise<void>;
  /** What an error of it says. */
  troubleOf: TroubleOf;
  /** Why the server should get no traffic now, such as that it is stopping. */
  refusal(): string | undefined;
}

const PING_TIMEOUT_MS = 2_000;
const UNREACHABLE = { reason: 'storage is unreachable', retryAfterSeconds: 1 };

function describeHealth(
  name: 'health' | 'readiness',
  summary: string,
  description: string,
): SelfDescribed {
  const json = (schema: object): object => ({ content: { 'application/json': { schema } } });
  return describeItself({
    operations: {
      get: {
        operationId: `get-${name}`,
        summary,
        description,
        tags: ['Health'],
        security: [],
        responses: {
          200: { description: 'Success', ...json({ type: 'object' }) },
          503: {
            description: 'The server cannot serve requests',
            ...json({ $ref: '#/components/schemas/Failure' }),
          },
        },
      },
    },
  });
}

/** `GET /healthz`: the process answers. `GET /readyz`: it can serve, so a balancer may send traffic. */
export function addHealth(app: FastifyInstance, readiness: Readiness): void {
  app.get(
    '/healthz',
    { schema: describeHealth('health', 'Check that the process runs', 'For liveness probes.') },
    async () => successEnvelope({ status: 'ok' }),
  );
  const schema = describeHealth(
    'readiness',
    'Check that the server accepts requests',
    'For readiness probes and load balancers: 503 while storage is unavailable or the server stops.',
  );
  app.get('/readyz', { schema }, async () => {
    const refusal = readiness.refusal();
    if (refusal !== undefined) throw unavailable(refusal);
    try {
      await within(PING_TIMEOUT_MS, readiness.ping());
    } catch (error) {
      if (error instanceof ApiError) throw error;
      const { reason, retryAfterSeconds } = readiness.troubleOf(error) ?? UNREACHABLE;
      throw unavailable(reason, error, retryAfterSeconds);
    }
    return successEnvelope({ status: 'ready' });
  });
}

async function within<T>(timeoutMs: number, promise: Promise<T>): Promise<T> {
  const { promise: timeout, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new Error(`no response within ${timeoutMs} ms`)),
    timeoutMs,
  );
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
