import type { ErrorDefinition } from '../../http/errors.ts';
import type { Exchange } from '../exchange.ts';
import { gatewayErrors } from '../gateway-errors.ts';
import type { GatewayServices } from '../gateway-services.ts';
import type { Route } from '../resolve-route.ts';

export async function readRun(
  _services: GatewayServices,
  _exchange: Exchange,
  _model: string | undefined,
): Promise<Route | ErrorDefinition> {
  return gatewayErrors.unsupportedOperation;
}
