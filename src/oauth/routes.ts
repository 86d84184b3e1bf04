import type { ManagementRoute } from '../iam/route.ts';
import type { OAuthServices } from './oauth-services.ts';

/** Every operation on OAuth clients and scopes. */
export function oauthRoutes(_services: OAuthServices): ManagementRoute[] {
  return [];
}
