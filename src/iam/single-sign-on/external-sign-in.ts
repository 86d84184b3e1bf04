import type { Clock } from '../../lib/clock.ts';
import { OpenIdProvider, type OpenIdProviderSettings } from './openid-provider.ts';

/** Another server with which people may sign in. */
export interface ExternalSignIn {
  /** What people call it. */
  name: string;
  /** The page that leads there. */
  path: string;
  provider: OpenIdProvider;
}

/** Where a sign-in at the other server begins. */
export const EXTERNAL_PATH = '/login/external';

/** The redirect URI, as it has to be registered there, below our own origin. */
export const CALLBACK_PATH = '/login/external/callback';

/** Nothing is asked of the provider yet: this server starts whether or not that one runs. */
export function createExternalSignIn(
  settings: OpenIdProviderSettings | undefined,
  clock: Clock,
): ExternalSignIn | undefined {
  if (settings === undefined) return undefined;
  const provider = new OpenIdProvider(settings, clock);
  return { name: settings.name, path: EXTERNAL_PATH, provider };
}
