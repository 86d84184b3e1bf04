import { hasPermissionScope } from './scopes.ts';

/**
 * What a private client lacks to be public (seed section 3.1), all of it. The name is never among
 * it: no client is without one.
 */
export function missingToBePublic(client: {
  scopes: readonly string[];
  logoUri: string | undefined;
  clientUri: string | undefined;
}): string[] {
  const missing: string[] = [];
  if (client.logoUri === undefined) missing.push('logo_uri is not set');
  if (client.clientUri === undefined) missing.push('client_uri is not set');
  if (!hasPermissionScope(client.scopes)) missing.push('scopes holds no permission');
  // Nothing verifies a host in this version.
  missing.push('the host of client_uri is not verified');
  return missing;
}
