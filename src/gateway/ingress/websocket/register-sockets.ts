import type { FastifyInstance, FastifyRequest } from 'fastify';
import { httpErrors } from '../../../http/errors.ts';
import { GatewayError } from '../../gateway-error.ts';
import type { BodyBudget } from '../body-budget.ts';
import { type Serve, endpointHooks } from '../endpoint.ts';
import type { IngressServices } from '../ingress-services.ts';
import { methodNotAllowed } from '../respond-with-error.ts';
import { type MessageLimits, UniversalSockets, universalSocket } from './universal-socket.ts';
import { Upgrades } from './upgrades.ts';

export interface SocketOptions extends MessageLimits {
  /** The path of universal requests over HTTP. */
  url: string;
  /** Time for running requests to end when the server stops. */
  shutdownTimeoutMs: number;
  /** Scheme, host and port of each address of this server. */
  ownOrigins: () => string[];
}

/** Registers universal requests over WebSocket. */
export function registerSockets(
  gateway: FastifyInstance,
  services: IngressServices,
  bodies: BodyBudget,
  { url, shutdownTimeoutMs, ownOrigins, ...limits }: SocketOptions,
): void {
  const upgrades = new Upgrades();
  const sockets = new UniversalSockets(services, bodies, limits);
  upgrades.listen(gateway);
  gateway.addHook('preClose', async () => sockets.stop(shutdownTimeoutMs));
  const open: Serve = (request, reply, { caller }) => {
    const upgrade = upgrades.of(request);
    if (upgrade === undefined) throw methodNotAllowed('POST');
    if (caller === undefined && isForeignPage(request, ownOrigins()))
      throw new GatewayError(httpErrors.forbidden);
    sockets.open(upgrade, request, reply);
  };
  const hooks = endpointHooks(services.admission, bodies, {
    entryPoint: universalSocket,
    serve: open,
  });
  gateway.route({
    method: 'GET',
    url,
    exposeHeadRoute: false,
    schema: { hide: true },
    ...hooks,
    onRequest(request, reply, done) {
      if (upgrades.of(request) === undefined) throw methodNotAllowed('POST');
      return hooks.onRequest(request, reply, done);
    },
  });
}

/**
 * Returns true for a request of a foreign web page (RFC 6455 section 10.2). Browsers let any page open a connection to every
 * host in the user's network and read from it, so a gateway that is open to a network must reject other pages.
 */
function isForeignPage({ headers }: FastifyRequest, ownOrigins: readonly string[]): boolean {
  return headers.origin !== undefined && !ownOrigins.includes(headers.origin);
}
