import packageJson from '../package.json' with { type: 'json' };
import { API_PREFIX, type Settings } from './config/settings.ts';
import type { DashboardFacts } from './http/dashboard-template.ts';
import { displayName } from './iam/pages/layout.ts';

/**
 * What the dashboard learns of the server that it came from.
 * @param origin at which browsers reach the server
 */
export function dashboardFacts(
  { BRAND, GATEWAY_URL }: Pick<Settings, 'BRAND' | 'GATEWAY_URL'>,
  origin: string,
  csrfCookie: string,
): DashboardFacts {
  return {
    title: displayName(BRAND),
    meta: {
      brand: BRAND,
      'base-url': origin + API_PREFIX,
      'gateway-url': GATEWAY_URL ?? origin,
      'csrf-cookie': csrfCookie,
      version: packageJson.version,
    },
  };
}
