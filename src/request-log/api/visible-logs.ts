import type { Static } from 'typebox';
import { apiError, notFound } from '../../http/errors.ts';
import { logErrors } from './log-errors.ts';
import type { LogServices } from './log-services.ts';
import type { LogKey } from '../log-query.ts';
import type { LogParams } from './log-params.ts';
import { isSelectionTooBroad } from '../reader/too-broad.ts';

/** The visible logs of a gateway. */
export interface VisibleLogs {
  accountId: string;
  gatewayId: string;
  /** Creation of the gateway. */
  createdAtMs: number;
  /** Older logs are not visible. */
  sinceMs: number;
}

/**
 * Writes all queued rows, and returns which logs of a gateway are visible.
 * @param path of the request
 * @throws ApiError 7003 if the gateway does not exist
 */
export async function findVisibleLogs(
  { findGateway, logWriter, logsVisibleSinceMs }: LogServices,
  { account_id: accountId, gateway_id: gatewayId }: { account_id: string; gateway_id: string },
  path: string,
): Promise<VisibleLogs> {
  const gateway = await findGateway(accountId, gatewayId);
  if (gateway === undefined) throw notFound(path);
  // A user who looks right after a call expects its log.
  await logWriter.flush();
  const { createdAtMs } = gateway;
  return { accountId, gatewayId, createdAtMs, sinceMs: logsVisibleSinceMs(gateway) };
}

// RFC 9562 section 5.7, lower case.
const LOG_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/**
 * Returns the key of a log in a path. The log may not exist.
 * @throws ApiError 7003 if the gateway does not exist, or the id is not that of a log
 */
export async function findVisibleLog(
  services: LogServices,
  params: Static<typeof LogParams>,
  path: string,
): Promise<LogKey> {
  const { log_id: id } = params;
  if (!LOG_ID.test(id)) throw notFound(path);
  const { accountId, gatewayId, sinceMs } = await findVisibleLogs(services, params, path);
  return { accountId, gatewayId, id, sinceMs };
}

/**
 * Waits for a query of the log store.
 * @throws ApiError 5026 if the query takes too long
 */
export async function rejectTooBroadQuery<T>(query: Promise<T>): Promise<T> {
  try {
    return await query;
  } catch (error) {
    if (!isSelectionTooBroad(error)) throw error;
    throw apiError(logErrors.logsTooBroad, { cause: error });
  }
}
