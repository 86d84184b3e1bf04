import { httpErrors } from '../http/errors.ts';
import { type Exchange, refuse } from './exchange.ts';
import { forward } from './forward.ts';
import type { GatewayServices } from './gateway-services.ts';

/** Carries an exchange out to its end. Never rejects: the client hears of it if something goes wrong. */
export async function carryOut(services: GatewayServices, exchange: Exchange): Promise<void> {
  const { outlet, log } = exchange;
  try {
    await forward(services, exchange);
  } catch (error) {
    log.error({ err: error }, 'the gateway failed');
    if (outlet.hasBegun) outlet.cut();
    else refuse(exchange, httpErrors.internal);
  }
}
