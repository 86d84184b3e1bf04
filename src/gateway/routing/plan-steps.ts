import type { Exchange } from '../gateway-request.ts';
import type { GatewayServices } from '../gateway-services.ts';
import { type RequestOptions, optionsOf } from './request-options.ts';
import { type Route, routeNative, routeOperation } from './resolve-route.ts';
import { readRun } from './read-run.ts';
import { readUniversal } from './read-universal.ts';

/** One provider call that a request asks for. */
export interface ProviderStep {
  route: Route;
  options: RequestOptions;
  /** Alternating names and values. */
  rawHeaders: readonly string[];
  /** The credential headers of the client are for the provider. */
  bringsCredentials: boolean;
}

/**
 * Returns the provider calls of a request. Each is the fallback of the previous ones.
 * @returns at least one step
 * @throws GatewayError if the request is not valid
 */
export async function planSteps(
  services: GatewayServices,
  exchange: Exchange,
): Promise<ProviderStep[]> {
  const options = optionsOf(exchange.headers, exchange.admission.caller !== undefined);
  const { wanted } = exchange;
  if (wanted.way === 'universal') return readUniversal(services, exchange, options);
  const route = await resolveRoute(services, exchange, options);
  const bringsCredentials = wanted.way === 'native' || wanted.way === 'compat';
  return [{ route, options, rawHeaders: exchange.rawHeaders, bringsCredentials }];
}

function resolveRoute(
  services: GatewayServices,
  exchange: Exchange,
  options: RequestOptions,
): Promise<Route> {
  const { wanted, method, body } = exchange;
  switch (wanted.way) {
    case 'rest':
    case 'compat':
      return routeOperation(services, exchange, { operation: wanted.operation, body, options });
    case 'run':
      return readRun(services, exchange, wanted.model, options);
    case 'native':
      return routeNative(services, exchange, { ...wanted, method, body, options });
    case 'universal':
      throw new Error('a universal request has routes of its own');
  }
}
