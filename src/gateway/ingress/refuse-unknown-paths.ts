import type { FastifyInstance } from 'fastify';
import { notFound } from '../../http/errors.ts';

/**
 * Has the error handler of the gateway respond to unknown paths below a prefix, so that the error has the format of the
 * OpenAI API.
 * @param gateway with the error handler
 * @param prefix path as Fastify takes it
 */
export async function refuseUnknownPaths(gateway: FastifyInstance, prefix: string): Promise<void> {
  await gateway.register(
    async (scope) => {
      scope.setNotFoundHandler(({ url }) => {
        throw notFound(url.split('?', 1)[0] ?? '');
      });
    },
    { prefix },
  );
}
