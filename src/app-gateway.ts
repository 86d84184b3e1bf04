import { gatewaySettings, ownPricesOf, requestLogSettings } from './app-settings.ts';
import type { Settings } from './config/settings.ts';
import { createGatewayAdmin } from './gateway-admin/gateway-admin.ts';
import { GatewaySnapshots, listLogLimits } from './gateway-admin/snapshot.ts';
import { type AiGateway, type GatewayParts, createGateway } from './gateway/gateway.ts';
import type { ManagementRoute } from './iam/route.ts';
import { type RequestLog, createRequestLog } from './request-log/request-log.ts';

/** The dependencies of the gateway, its management and its log that are no settings. */
type Parts = Omit<
  GatewayParts,
  keyof ReturnType<typeof gatewaySettings> | 'gateways' | 'ownPrices' | 'requestLog'
> &
  Pick<Parameters<typeof createRequestLog>[0], 'brand' | 'changes' | 'tagging'> &
  Pick<Parameters<typeof createGatewayAdmin>[0], 'ownOrigins' | 'gatewayUrl'>;

/** The gateway with its log. */
export interface ComposedGateway {
  gateway: AiGateway;
  requestLog: RequestLog;
  /** Routes of the management API. */
  routes: ManagementRoute[];
  /** Call it after the last request: closes all connections and flushes the log. */
  stop(): Promise<void>;
}

/**
 * Composes the gateway, its management and its log, which do not import each other.
 * @throws Error if the price file of the operator is not usable
 */
export async function composeGateway(settings: Settings, parts: Parts): Promise<ComposedGateway> {
  const gateways = new GatewaySnapshots(parts);
  const options = gatewaySettings(settings);
  const ownPrices = await ownPricesOf(settings);
  const requestLog = createRequestLog({
    ...parts,
    ...options,
    ...requestLogSettings(settings),
    findGateway: (accountId, id) => gateways.readCreation(accountId, id),
    listLogLimits,
  });
  const gateway = createGateway({ ...parts, ...options, gateways, ownPrices, requestLog });
  const admin = createGatewayAdmin({
    ...parts,
    upstreamAllow: options.upstreamAllow,
    data: {
      ...gateway.data,
      purgeLogs: (...range) => requestLog.purgeGateway(...range),
    },
  });
  return {
    gateway,
    requestLog,
    routes: [...admin, ...requestLog.routes, ...gateway.routes],
    async stop() {
      await gateway.stop();
      await requestLog.stop();
    },
  };
}
