import type { GatewayRequest, ProviderStep, RequestOptions, Route } from '../gateway-request.ts';
import type { PlanServices } from './plan-services.ts';
import { readRun } from './read-run.ts';
import { readUniversal } from './read-universal.ts';
import { optionsOf } from './request-options.ts';
import { routeOperation } from './route-operation.ts';
import { routeNative } from './route-native.ts';

/**
 * Returns the provider calls of a request. Each is the fallback of the previous ones.
 * @returns at least one step
 * @throws GatewayError if the request is not valid
 */
export async function planSteps(
  services: PlanServices,
  request: GatewayRequest,
): Promise<ProviderStep[]> {
  const { target, headers, rawHeaders, caller } = request;
  const options = optionsOf(headers, caller !== undefined);
  if (target.entry === 'universal') return readUniversal(services, request, options);
  const route = await resolveRoute(services, request, options);
  const bringsCredentials = target.entry === 'native' || target.entry === 'compat';
  return [{ route, options, rawHeaders, bringsCredentials }];
}

function resolveRoute(
  services: PlanServices,
  request: GatewayRequest,
  options: RequestOptions,
): Promise<Route> {
  const { target, method, body } = request;
  switch (target.entry) {
    case 'rest':
    case 'compat':
      return routeOperation(services, request, { operation: target.operation, body, options });
    case 'run':
      return readRun(services, request, target.model, options);
    case 'native':
      return routeNative(services, request, { ...target, method, body, options });
    case 'universal':
      throw new Error('a universal request has a route for each step');
  }
}
