import type { Static } from 'typebox';
import { apiError, notFound } from '../../../http/errors.ts';
import { gatewayManagementErrors } from '../../gateway-errors.ts';
import type { LogServices } from '../log-services.ts';
import { findGatewayRecord } from '../../gateways/gateway-store.ts';
import type { LogParams } from './log-params.ts';
import { isSelectionTooBroad } from '../read/too-broad.ts';

/** Whose logs an operation is about, and which of them are there for it. */
export interface VisibleLogs {
  accountId: string;
  gatewayId: string;
  /** When the gateway was made. */
  createdAtMs: number;
  /** Older ones are not shown. */
  sinceMs: number;
}

/**
 * The logs of a gateway, with all that went through it until now.
 * @param path of the request
 * @throws ApiError 7003 when there is no such gateway
 */
export async function findVisibleLogs(
  { database, logWriter, logsVisibleSinceMs }: LogServices,
  { account_id: accountId, gateway_id: gatewayId }: { account_id: string; gateway_id: string },
  path: string,
): Promise<VisibleLogs> {
  const gateway = await findGatewayRecord(database.read, accountId, gatewayId);
  if (gateway === undefined) throw notFound(path);
  // Whoever looks right after a call expects to see it.
  await logWriter.flush();
  const { createdAtMs } = gateway;
  return { accountId, gatewayId, createdAtMs, sinceMs: logsVisibleSinceMs(gateway) };
}

// RFC 9562 section 5.7, lower case.
const LOG_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Which log an operation is about, as the log store is asked for it. */
export type WhichLog = readonly [accountId: string, gatewayId: string, id: string, sinceMs: number];

/**
 * The same of one log of a gateway, which may be there or not.
 * @throws ApiError 7003 when there is no such gateway, or can be no such log
 */
export async function findVisibleLog(
  services: LogServices,
  params: Static<typeof LogParams>,
  path: string,
): Promise<WhichLog> {
  const { log_id: id } = params;
  if (!LOG_ID.test(id)) throw notFound(path);
  const { accountId, gatewayId, sinceMs } = await findVisibleLogs(services, params, path);
  return [accountId, gatewayId, id, sinceMs];
}

/**
 * Waits for what the log store finds.
 * @throws ApiError 5026 when it takes too long to find
 */
export async function orTooBroad<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!isSelectionTooBroad(error)) throw error;
    throw apiError(gatewayManagementErrors.logsTooBroad, { cause: error });
  }
}
