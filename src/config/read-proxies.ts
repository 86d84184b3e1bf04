import {
  type ForwardProxies,
  ForwardProxyError,
  readForwardProxies,
} from '../lib/forward-proxies.ts';
import { SettingError } from './setting-parsers.ts';

/**
 * Reads the forward proxies from the environment.
 * @throws SettingError that names the variable
 */
export function readProxies(
  environment: Readonly<Record<string, string | undefined>>,
): ForwardProxies {
  try {
    return readForwardProxies(environment);
  } catch (error) {
    if (error instanceof ForwardProxyError) throw new SettingError(error.message, { cause: error });
    throw error;
  }
}
