import type { Clock } from '../../lib/clock.ts';
import type { OpenIdProvider, OpenIdProviderSettings } from './openid-provider.ts';

/** Another server with which people may sign in. */
export interface ExternalSignIn {
  /** What people call it. */
  name: string;
  /** The page that leads there. */
  path: string;
  /** Loaded when somebody first goes there: most servers have none, and do without its library. */
  provider: () => Promise<OpenIdProvider>;
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
  let provider: OpenIdProvider | undefined;
  const load = async (): Promise<OpenIdProvider> => {
    // Node remembers what it has loaded, and not that it could not.
    const module = await import('./openid-provider.ts');
    return (provider ??= new module.OpenIdProvider(settings, clock));
  };
  return { name: settings.name, path: EXTERNAL_PATH, provider: load };
}
